"""The process's tracer, and the functions that act on it."""

from __future__ import annotations

import contextvars
import inspect
import logging
from typing import Any, Callable, Dict, Mapping, Optional

from ... import _values
from ..._client import Rollscope
from ..._decorate import disguised, wrapped
from ..._locks import ForkLock
from ..._noop import NO_SPAN
from .._recording import Live, named, say_once, short, unhurt
from .._unknown import forgiving
from ._perf import PerfTracer
from ._sessions import _NEXT, SessionTracer

log = logging.getLogger("rollscope")

_task_id: "contextvars.ContextVar[Optional[int]]" = contextvars.ContextVar("rollscope_areal_task", default=None)
_session_id: "contextvars.ContextVar[Optional[int]]" = contextvars.ContextVar("rollscope_areal_session", default=None)


class _Global:
    tracer: Optional[PerfTracer] = None
    lock = ForkLock()


@forgiving()
def configure(config: Any, rank: int, role: Optional[str] = None) -> PerfTracer:
    """Sets the process's tracer up, once."""
    with _Global.lock:
        if _Global.tracer is not None:
            raise RuntimeError("PerfTracer is already configured (expected: reset() before another configure())")
        tracer = _Global.tracer = PerfTracer(config, rank=rank, role=role)
    log.info("rollscope: AReaL's tracer: scopes %s, sessions %s, rank %s, role %s", tracer.enabled, tracer.session_tracer is not None, rank, role)
    return tracer


@forgiving(False)
def is_configured() -> bool:
    return _Global.tracer is not None


@forgiving(None)
def reset() -> None:
    """Sends what is left and forgets the tracer, so that it can be configured again."""
    with _Global.lock:
        tracer, _Global.tracer = _Global.tracer, None
    if tracer is not None:
        tracer.close()


@forgiving()
def get_tracer() -> PerfTracer:
    tracer = _Global.tracer
    if tracer is None:
        raise RuntimeError("PerfTracer is not configured (expected: configure(config, rank=…) first)")
    return tracer


def _session_tracer() -> Optional[SessionTracer]:
    tracer = _Global.tracer
    return None if tracer is None else tracer.session_tracer


@forgiving(None)
def get_session_tracer() -> Optional[SessionTracer]:
    return _session_tracer()


# ── scopes ──


@forgiving(into="args")
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


@forgiving(None, into="args")
def instant(name: str, *, category: Any = None, args: Optional[Dict[str, Any]] = None) -> None:
    tracer = _Global.tracer
    if tracer is not None:
        tracer.instant(name, category=category, args=args)


@forgiving(None)
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


@forgiving()
def trace_perf(name: str, *, category: Any = None) -> Callable[[Any], Any]:
    """Decorator: each call is a scope; generators, for as long as they live."""
    return lambda function: wrapped(_PerfCall(name, category), function)


# ── sessions ──


@forgiving(None)
def set_session_id(session_id: Optional[int]) -> None:
    _session_id.set(session_id)


@forgiving(None)
def get_session_id() -> Optional[int]:
    return _session_id.get()


@forgiving(None)
def set_task_id(task_id: Optional[int]) -> None:
    _task_id.set(task_id)


@forgiving(None)
def get_task_id() -> Optional[int]:
    return _task_id.get()


@forgiving(None)
def register_task(task_id: Any = _NEXT) -> Optional[int]:
    """A task of that number; without one it gets the next, which is returned."""
    tracer = _session_tracer()
    return None if tracer is None else tracer.register_task(task_id)


@forgiving(None)
def register_session(task_id: int) -> Optional[int]:
    tracer = _session_tracer()
    return None if tracer is None else tracer.register_session(task_id)


@unhurt()
def trace_session_event(method: Any, session_id: Any = None, task_id: Optional[int] = None, **payload: Any) -> None:
    """`trace_session_event("mark_finalized", task_id=3, status="accepted")`: of one session, or of all of a task. Also with the session first."""
    tracer = _session_tracer()
    if tracer is None:
        return
    if _values.is_a(session_id, str) and not _values.is_a(method, str):
        method, session_id = session_id, method
    if session_id is not None:
        sessions = [session_id]
    else:
        sessions = [] if task_id is None else tracer.get_session_ids(task_id)
    counts = method == "increment_counter"
    if not counts and not (_values.is_a(method, str) and method.startswith("mark_")):
        say_once("trace_session_event(%s)" % short(method), "no such event (expected: mark_… or increment_counter)")
        return
    for each in sessions:
        if counts:
            tracer.increment_counter(each, payload.get("name", "counter"), payload.get("value", 1))
        else:
            tracer.record_event(each, method[len("mark_") :], **payload)


def _mapping(name: str, payload: Any) -> Dict[str, Any]:
    if payload is None:
        return {}
    try:
        if _values.is_a(payload, Mapping):
            return dict(payload)
    except BaseException:
        pass  # a mapping that cannot be read
    say_once(name, "%s (expected: a mapping)", payload)
    return {name: payload}


class _Phase:
    """A phase of the session that was the context's when this was made."""

    def __init__(self, session_id: int, phase: str, start: Any, end: Any) -> None:
        self._what = (session_id, phase, _mapping("start_payload", start))
        self._end = _mapping("end_payload", end)
        self._span: Any = NO_SPAN

    def __enter__(self) -> "_Phase":
        tracer = _session_tracer()
        if tracer is not None:
            self._span = tracer.begin_phase(*self._what)
            self._span.__enter__()
        return self

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        span, self._span = self._span, NO_SPAN
        if self._end:
            span.set_attributes(named("areal.", self._end))
        span.__exit__(kind, error, traceback)
        tracer = _session_tracer()
        if tracer is not None:
            tracer.phase_ended(self._what[0], self._what[1], self._end)

    async def __aenter__(self) -> "_Phase":
        return self.__enter__()

    async def __aexit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        self.__exit__(kind, error, traceback)


#: For the session that is the context's, and a phase that is not named.
_CURRENT: Any = object()


@forgiving()
def trace_session_phase(
    session_id: Any = _CURRENT,
    phase: Any = _CURRENT,
    *,
    start_payload: Optional[Dict[str, Any]] = None,
    end_payload: Optional[Dict[str, Any]] = None,
) -> Any:
    """`with trace_session_phase("generate"): …`, of the context's session, or `(session_id, "generate")`; any name is a phase."""
    if phase is _CURRENT:
        session_id, phase = _CURRENT, session_id
    if phase is _CURRENT:
        say_once("trace_session_phase", "no phase was named; it does nothing")
        return NO_SPAN
    if session_id is _CURRENT:
        session_id = _session_id.get()
    if session_id is None or _session_tracer() is None:
        return NO_SPAN
    return _Phase(session_id, phase, start_payload, end_payload)


#: The same, for `async with`.
atrace_session_phase = trace_session_phase


def _tracing_sessions() -> Optional[Rollscope]:
    tracer = _session_tracer()
    return None if tracer is None else tracer.client


class _PhaseCall:
    client = Live(_tracing_sessions)

    def __init__(self, phase: str) -> None:
        self._phase = phase

    def begin(self, args: Any, more: Any) -> Any:
        tracer = _session_tracer()
        return NO_SPAN if tracer is None else tracer.begin_phase(_session_id.get(), self._phase, {})


@forgiving()
def trace_session(phase: str) -> Callable[[Any], Any]:
    """Decorator: each call is a phase of the context's session; generators, for as long as they live."""
    return lambda function: wrapped(_PhaseCall(phase), function)


@forgiving()
def session_context() -> Callable[[Any], Any]:
    """Decorator: each call is a new session of the context's task. The session stays the context's afterwards, as it does in AReaL."""

    def begin() -> Optional[int]:
        task_id = _task_id.get()
        session_id = None if task_id is None else register_session(task_id)
        _session_id.set(session_id)
        return session_id

    def failed(session_id: Optional[int], error: BaseException) -> None:
        tracer = _session_tracer()
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
