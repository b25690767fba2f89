"""XTuner's producer trace by its own names, sent to Rollscope.

    from rollscope.compat.xtuner import TraceConfig, configure_trace, trace_function    # was: xtuner.v1.rl.trace

A sample is anything with a `uid` and a `task_name` or a `status`. Its session is `<task_name>:<uid>`. See docs/sdk-compat.md.
"""

from __future__ import annotations

from typing import Any

from .._unknown import unknown
from . import api, rollout_api, runtime
from ._calls import trace_event, trace_span
from ._config import TRACE_VIEWER_SCOPE_ALL, TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH, TraceConfig, TraceViewerScope
from ._current import inject_trace_context, set_trace_attributes
from ._functions import trace_function
from ._runtime import (
    TRACE_ENV_ENABLED,
    TRACE_ENV_MAX_EVENTS,
    TRACE_ENV_MAX_EVENTS_PER_TRACE,
    TRACE_ENV_OUTPUT_DIR,
    TraceRuntime,
    close_trace,
    configure_trace,
    configure_trace_runtime,
    current_trace_recorder,
    current_trace_runtime,
    flush_trace,
    get_trace_env_vars,
    get_tracer,
    merge_trace_runtime_env,
    reset_trace_for_test,
    start_trace_viewer,
)
from ._samples import (
    TRACE_EXTRA_MODEL_STEP,
    TRACE_EXTRA_PRODUCE_BATCH_ID,
    TRACE_EXTRA_PRODUCER_FUTURE_STEP,
    TRACE_EXTRA_TRAIN_STEP,
    build_produce_batch_id,
    build_trace_id,
)
from ._store import (
    TRACE_JSONL_BASENAME,
    TRACE_JSONL_SHARD_BYTES,
    InMemoryTraceStore,
    NoopTraceRecorder,
    TraceEvent,
    TraceRecorder,
    build_trace_event,
    use_trace_recorder,
)

__all__ = [
    "InMemoryTraceStore",
    "NoopTraceRecorder",
    "TRACE_ENV_ENABLED",
    "TRACE_ENV_MAX_EVENTS",
    "TRACE_ENV_MAX_EVENTS_PER_TRACE",
    "TRACE_ENV_OUTPUT_DIR",
    "TRACE_EXTRA_MODEL_STEP",
    "TRACE_EXTRA_PRODUCER_FUTURE_STEP",
    "TRACE_EXTRA_PRODUCE_BATCH_ID",
    "TRACE_EXTRA_TRAIN_STEP",
    "TRACE_JSONL_BASENAME",
    "TRACE_JSONL_SHARD_BYTES",
    "TRACE_VIEWER_SCOPE_ALL",
    "TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH",
    "TraceConfig",
    "TraceEvent",
    "TraceRecorder",
    "TraceRuntime",
    "TraceViewerScope",
    "api",
    "build_produce_batch_id",
    "build_trace_event",
    "build_trace_id",
    "close_trace",
    "configure_trace",
    "configure_trace_runtime",
    "current_trace_recorder",
    "current_trace_runtime",
    "flush_trace",
    "get_trace_env_vars",
    "get_tracer",
    "inject_trace_context",
    "merge_trace_runtime_env",
    "reset_trace_for_test",
    "rollout_api",
    "runtime",
    "set_trace_attributes",
    "start_trace_viewer",
    "trace_event",
    "trace_function",
    "trace_span",
    "use_trace_recorder",
]


def __getattr__(name: str) -> Any:
    return unknown("rollscope.compat.xtuner", name)
