"""The process's tracer, and the functions that act on it."""

from __future__ import annotations

import contextvars
import inspect
import logging
from typing import Any, Callable, Dict, Mapping, Optional

from ..._client import Rollscope
from ..._decorate import disguised, wrapped
from ..._locks import ForkLock
from ..._noop import NO_SPAN
from .._recording import Live, named, unhurt
from ._perf import PerfTracer
from ._sessions import SessionTracer

log = logging.getLogger("rollscope")

_task_id: "contextvars.ContextVar[Optional[int]]" = contextvars.ContextVar("rollscope_areal_task", default=None)
_session_id: "contextvars.ContextVar[Optional[int]]" = contextvars.ContextVar("rollscope_areal_session", default=None)


class _Global:
    tracer: Optional[PerfTracer] = None
    lock = ForkLock()


def configure(config: Any, rank: int, role: Optional[str] = None) -> PerfTracer:
    """Sets the process's tracer up, once."""
    with _Global.lock:
        if _Global.tracer is not None:
            raise RuntimeError("PerfTracer is already configured (expected: reset() before another configure())")
        tracer = _Global.tracer = PerfTracer(config, rank=rank, role=role)
    log.info("rollscope: AReaL's tracer: scopes %s, sessions %s, rank %s, role %s", tracer.enabled, tracer.session_tracer is not None, rank, role)
    return tracer


def is_configured() -> bool:
    return _Global.tracer is not None


def reset() -> None:
    """Sends what is left and forgets the tracer, so that it can be configured again."""
    with _Global.lock:
        tracer, _Global.tracer = _Global.tracer, None
    if tracer is not None:
        tracer.close()


def get_tracer() -> PerfTracer:
    tracer = _Global.tracer
    if tracer is None:
        raise RuntimeError("PerfTracer is not configured (expected: configure(config, rank=…) first)")
    return tracer


def get_session_tracer() -> Optional[SessionTracer]:
    tracer = _Global.tracer
    return None if tracer is None else tracer.session_tracer


# ── scopes ──


def trace_scope(
    name: str,
    *,
    category: Any = None,
    enable_profiler: bool = False,
    profiler_args: Optional[Dict[str, Any]] = None,
    args: Optional[Dict[str, Any]] = None,
) -> Any:
    """`with trace_scope("train.rollout", category=Category.COMPUTE, args={"global_step": 3}): …`."""
    tracer = _Global.tracer
    if tracer is None:
        return NO_SPAN
    return tracer.trace_scope(name, category=category, enable_profiler=enable_profiler, profiler_args=profiler_args, args=args)


#: The same, for `async with`.
atrace_scope = trace_scope


def instant(name: str, *, category: Any = None, args: Optional[Dict[str, Any]] = None) -> None:
    tracer = _Global.tracer
    if tracer is not None:
        tracer.instant(name, category=category, args=args)


def save(*, step: Optional[int] = None, force: bool = False) -> None:
    tracer = _Global.tracer
    if tracer is not None:
        tracer.save(step=step, force=force)


def _recording() -> Optional[Rollscope]:
    tracer = _Global.tracer
    return None if tracer is None else tracer.recording()


class _PerfCall:
    client = Live(_recording)

    def __init__(self, name: str, category: Any) -> None:
        self._what = (name, category, None)

    def begin(self, args: Any, more: Any) -> Any:
        tracer = _Global.tracer
        return NO_SPAN if tracer is None else tracer.begin(*self._what)


def trace_perf(name: str, *, category: Any = None) -> Callable[[Any], Any]:
    """Decorator: each call is a scope; generators, for as long as they live."""
    return lambda function: wrapped(_PerfCall(name, category), function)


# ── sessions ──


def set_session_id(session_id: Optional[int]) -> None:
    _session_id.set(session_id)


def get_session_id() -> Optional[int]:
    return _session_id.get()


def set_task_id(task_id: Optional[int]) -> None:
    _task_id.set(task_id)


def get_task_id() -> Optional[int]:
    return _task_id.get()


def register_task(task_id: int) -> None:
    tracer = get_session_tracer()
    if tracer is not None:
        tracer.register_task(task_id)


def register_session(task_id: int) -> Optional[int]:
    tracer = get_session_tracer()
    return None if tracer is None else tracer.register_session(task_id)


@unhurt()
def trace_session_event(method: str, session_id: Optional[int] = None, task_id: Optional[int] = None, **payload: Any) -> None:
    """`trace_session_event("mark_finalized", task_id=3, status="accepted")`: of one session, or of all of a task."""
    tracer = get_session_tracer()
    if tracer is None or not isinstance(method, str):
        return
    if session_id is None:
        if task_id is None:
            return
        sessions = tracer.get_session_ids(task_id)
    else:
        sessions = [session_id]
    for each in sessions:
        if method == "increment_counter":
            tracer.increment_counter(each, payload.get("name", "counter"), payload.get("value", 1))
        elif method.startswith("mark_"):
            tracer.record_event(each, method[len("mark_") :], **payload)  # type: ignore[arg-type]


def _mapping(payload: Any) -> Dict[str, Any]:
    try:
        return dict(payload) if isinstance(payload, Mapping) else {}
    except BaseException:
        return {}


class _Phase:
    """A phase of the session that was the context's when this was made."""

    def __init__(self, session_id: int, phase: str, start: Any, end: Any) -> None:
        self._what = (session_id, phase, _mapping(start))
        self._end = _mapping(end)
        self._span: Any = NO_SPAN

    def __enter__(self) -> "_Phase":
        tracer = get_session_tracer()
        if tracer is not None:
            self._span = tracer.begin_phase(*self._what)
            self._span.__enter__()
        return self

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        span, self._span = self._span, NO_SPAN
        if self._end:
            span.set_attributes(named("areal.", self._end))
        span.__exit__(kind, error, traceback)

    async def __aenter__(self) -> "_Phase":
        return self.__enter__()

    async def __aexit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        self.__exit__(kind, error, traceback)


def trace_session_phase(phase: str, *, start_payload: Optional[Dict[str, Any]] = None, end_payload: Optional[Dict[str, Any]] = None) -> Any:
    """`with trace_session_phase("generate"): …`, of the context's session; any name is a phase."""
    session_id = _session_id.get()
    if session_id is None or get_session_tracer() is None:
        return NO_SPAN
    return _Phase(session_id, phase, start_payload, end_payload)


#: The same, for `async with`.
atrace_session_phase = trace_session_phase


def _tracing_sessions() -> Optional[Rollscope]:
    tracer = get_session_tracer()
    return None if tracer is None else tracer.client


class _PhaseCall:
    client = Live(_tracing_sessions)

    def __init__(self, phase: str) -> None:
        self._phase = phase

    def begin(self, args: Any, more: Any) -> Any:
        tracer = get_session_tracer()
        return NO_SPAN if tracer is None else tracer.begin_phase(_session_id.get(), self._phase, {})


def trace_session(phase: str) -> Callable[[Any], Any]:
    """Decorator: each call is a phase of the context's session; generators, for as long as they live."""
    return lambda function: wrapped(_PhaseCall(phase), function)


def session_context() -> Callable[[Any], Any]:
    """Decorator: each call is a new session of the context's task. The session stays the context's afterwards, as it does in AReaL."""

    def begin() -> Optional[int]:
        task_id = _task_id.get()
        session_id = None if task_id is None else register_session(task_id)
        _session_id.set(session_id)
        return session_id

    def failed(session_id: Optional[int], error: BaseException) -> None:
        tracer = get_session_tracer()
        if tracer is not None:
            tracer.fail_session(session_id, error)

    def decorate(function: Any) -> Any:
        async def later(*args: Any, **more: Any) -> Any:
            session_id = begin()
            try:
                return await function(*args, **more)
            except BaseException as error:
                failed(session_id, error)
                raise

        def now(*args: Any, **more: Any) -> Any:
            session_id = begin()
            try:
                return function(*args, **more)
            except BaseException as error:
                failed(session_id, error)
                raise

        return disguised(later if inspect.iscoroutinefunction(function) else now, function)

    return decorate
