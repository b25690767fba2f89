"""XTuner's producer trace by its own names, sent to Rollscope.

    from rollscope.compat.xtuner import TraceConfig, configure_trace, trace_function    # was: xtuner.v1.rl.trace

A sample is anything with a `uid` and a `task_name` or a `status`. Its session is `<task_name>:<uid>`. See docs/sdk-compat.md.
"""

from __future__ import annotations

from ._calls import trace_event, trace_function, trace_span
from ._config import TRACE_VIEWER_SCOPE_ALL, TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH, TraceConfig
from ._current import inject_trace_context, set_trace_attributes
from ._runtime import (
    TRACE_ENV_ENABLED,
    TRACE_ENV_MAX_EVENTS,
    TRACE_ENV_MAX_EVENTS_PER_TRACE,
    TRACE_ENV_OUTPUT_DIR,
    close_trace,
    configure_trace,
    flush_trace,
    get_trace_env_vars,
    merge_trace_runtime_env,
)
from ._samples import (
    TRACE_EXTRA_MODEL_STEP,
    TRACE_EXTRA_PRODUCE_BATCH_ID,
    TRACE_EXTRA_PRODUCER_FUTURE_STEP,
    TRACE_EXTRA_TRAIN_STEP,
    build_produce_batch_id,
    build_trace_id,
)

__all__ = [
    "TRACE_ENV_ENABLED",
    "TRACE_ENV_MAX_EVENTS",
    "TRACE_ENV_MAX_EVENTS_PER_TRACE",
    "TRACE_ENV_OUTPUT_DIR",
    "TRACE_EXTRA_MODEL_STEP",
    "TRACE_EXTRA_PRODUCER_FUTURE_STEP",
    "TRACE_EXTRA_PRODUCE_BATCH_ID",
    "TRACE_EXTRA_TRAIN_STEP",
    "TRACE_VIEWER_SCOPE_ALL",
    "TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH",
    "TraceConfig",
    "build_produce_batch_id",
    "build_trace_id",
    "close_trace",
    "configure_trace",
    "flush_trace",
    "get_trace_env_vars",
    "inject_trace_context",
    "merge_trace_runtime_env",
    "set_trace_attributes",
    "trace_event",
    "trace_function",
    "trace_span",
]
