"""What XTuner's main branch has in `xtuner.v1.rl.trace.api`."""

from __future__ import annotations

from ._calls import trace_event, trace_span
from ._current import inject_trace_context, set_trace_attributes
from ._functions import trace_function

__all__ = ["inject_trace_context", "set_trace_attributes", "trace_event", "trace_function", "trace_span"]
