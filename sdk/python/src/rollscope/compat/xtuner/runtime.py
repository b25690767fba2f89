"""What XTuner's main branch has in `xtuner.v1.rl.trace.runtime`."""

from __future__ import annotations

from ._config import TraceConfig
from ._runtime import (
    TraceRuntime,
    close_trace,
    configure_trace,
    configure_trace_runtime,
    current_trace_runtime,
    get_trace_env_vars,
    is_trace_enabled,
)

__all__ = [
    "TraceConfig",
    "TraceRuntime",
    "close_trace",
    "configure_trace",
    "configure_trace_runtime",
    "current_trace_runtime",
    "get_trace_env_vars",
    "is_trace_enabled",
]
