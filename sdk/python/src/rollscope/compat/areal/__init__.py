"""AReaL's performance and session tracer by its own names, of all generations, sent to Rollscope.

    from rollscope.compat import areal as perf_tracer    # was: from areal.utils import perf_tracer

See docs/sdk-compat.md.
"""

from __future__ import annotations

from typing import Any

from .._unknown import unknown
from ._calls import (
    _Global,
    atrace_scope,
    atrace_session_phase,
    configure,
    get_session_id,
    get_session_tracer,
    get_task_id,
    get_tracer,
    instant,
    is_configured,
    register_session,
    register_task,
    reset,
    save,
    session_context,
    set_session_id,
    set_task_id,
    trace_perf,
    trace_scope,
    trace_session,
    trace_session_event,
    trace_session_phase,
)
from ._config import PerfTracerConfig, SessionTracerConfig
from ._names import Category, CategoryLike, PerfTraceCategory, SessionTraceEvent
from ._perf import PerfTracer
from ._sessions import SessionTracer


def __getattr__(name: str) -> Any:
    if name == "GLOBAL_TRACER":
        return _Global.tracer
    return unknown("perf_tracer", name)


__all__ = [
    "Category",
    "CategoryLike",
    "GLOBAL_TRACER",
    "PerfTraceCategory",
    "PerfTracer",
    "PerfTracerConfig",
    "SessionTraceEvent",
    "SessionTracer",
    "SessionTracerConfig",
    "atrace_scope",
    "atrace_session_phase",
    "configure",
    "get_session_id",
    "get_session_tracer",
    "get_task_id",
    "get_tracer",
    "instant",
    "is_configured",
    "register_session",
    "register_task",
    "reset",
    "save",
    "session_context",
    "set_session_id",
    "set_task_id",
    "trace_perf",
    "trace_scope",
    "trace_session",
    "trace_session_event",
    "trace_session_phase",
]
