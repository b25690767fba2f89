"""`SessionTracer`: the life of each session, told by events."""

from __future__ import annotations

import os
from collections import OrderedDict
from time import time_ns
from typing import Any, Dict, List, Mapping, Optional

from opentelemetry.trace.propagation import _SPAN_KEY

from ... import _values
from ..._client import Rollscope
from ..._containers import Session
from ..._locks import ForkLock
from ..._noop import NO_SPAN
from ..._span import Span, _get_current
from .._recording import SOURCE_STATUS, named, open_client, say_once, short, unhurt
from ._names import SessionTraceEvent, phase_of

#: Sessions that are over and may still be told more about: a later verdict, the end of a phase.
_KEPT = 4096
_MOST_TASKS = 100_000
_VERDICTS = frozenset(("accepted", "rejected", "failed", "dropped", "cancelled"))
_FLUSH_S = 2.0


class _Traced:
    """A session and what is open in it."""

    def __init__(self, task_id: Any, span: Session) -> None:
        self.task_id = task_id
        self.span = span
        self.open: Dict[str, List[Span]] = {}
        self.counters: Dict[str, int] = {}
        self.reason: Any = None

    def begin(self, phase: str, payload: Mapping[str, Any], start_ns: int = 0) -> Span:
        session, current = self.span, _get_current().get(_SPAN_KEY)
        parent = current if isinstance(current, Span) and current.trace_id == session.trace_id else session
        span = Span(session._recorder, short(phase), session.trace_id, parent.span_id, True, session.coordinates, None, start_ns)
        if payload:
            span.set_attributes(named("areal.", payload))
        return span

    def finalise(self, payload: Mapping[str, Any]) -> None:
        span, status = self.span, payload.get("status")
        if "reason" in payload:
            self.reason = payload["reason"]
        word = None if status is None else short(getattr(status, "value", status))
        if word is not None:
            span.set_attributes({SOURCE_STATUS: word})
        if word in _VERDICTS:
            span._decide(word, self.reason)
        elif self.reason is not None:
            span.set_attributes({"rl.reason": short(self.reason)})
        span.end()


class SessionTracer:
    """Numbers the sessions of a process from 0 and records them, with their phases, counters and verdicts."""

    def __init__(self, config: Any, *, output_path: str, rank: int, role: Optional[str] = None) -> None:
        self._begin(open_client(os.path.dirname(os.path.abspath(output_path)), None, role=role, rank=rank), rank, role)

    @classmethod
    def _of(cls, client: Rollscope, rank: int, role: Optional[str]) -> "SessionTracer":
        tracer = cls.__new__(cls)
        tracer._begin(client, rank, role)
        return tracer

    def _begin(self, client: Rollscope, rank: int, role: Optional[str]) -> None:
        self.client = client
        self._prefix = "%sr%d" % ("[%s]" % role if role else "", rank)
        self._lock = ForkLock()
        self._life = 1
        self._next = 0
        self._sessions: Dict[int, _Traced] = {}
        self._over: "OrderedDict[int, None]" = OrderedDict()
        self._tasks: "OrderedDict[Any, List[int]]" = OrderedDict()

    @unhurt()
    def register_task(self, task_id: int) -> None:
        """A dataset item; its sessions form a group."""
        with self._lock:
            self._add_task(task_id)

    def _add_task(self, task_id: Any) -> List[int]:
        sessions = self._tasks.setdefault(task_id, [])
        if len(self._tasks) > _MOST_TASKS:
            self._tasks.popitem(last=False)
        return sessions

    @unhurt()
    def register_session(self, task_id: int) -> Optional[int]:
        """A new session of a task, which runs from now on; its number."""
        with self._lock:
            session_id = self._next
            self._next += 1
            recorder = self.client._recorder
            if recorder is None:
                return session_id
            if len(self._sessions) - len(self._over) >= recorder.limit:
                recorder.dropped_spans += 1
                return session_id
            self._add_task(task_id).append(session_id)
            self._sessions[session_id] = _Traced(task_id, self._session(task_id, session_id))
            return session_id

    def _session(self, task_id: Any, session_id: int) -> Session:
        task = short(task_id)
        again = "" if self._life == 1 else "#%d" % self._life
        name = short("%s-t%s-s%d%s" % (self._prefix, task, session_id, again))
        span: Session = self.client.session(name, {"rl.task.id": task, SOURCE_STATUS: "pending"})
        span.coordinates = {**(span.coordinates or {}), "rl.task.id": task}
        return span

    def get_session_ids(self, task_id: int) -> List[int]:
        with self._lock:
            try:
                return list(self._tasks.get(task_id, ()))
            except BaseException:  # a key that cannot be looked up
                return []

    @unhurt()
    def record_event(self, session_id: int, event: SessionTraceEvent, **payload: Any) -> None:
        """A phase starts or ends, or the session is finalised. Unknown sessions and events: nothing."""
        with self._lock:
            traced = self._sessions.get(session_id)
            if traced is None:
                return
            if event == SessionTraceEvent.FINALIZED:
                traced.finalise(payload)
                self._is_over(session_id)
                return
            found = phase_of(event)
            if found is not None:
                phase, starts = found
                if starts:
                    traced.open.setdefault(phase, []).append(traced.begin(phase, payload))
                else:
                    self._end(traced, phase, payload)

    def _end(self, traced: _Traced, phase: str, payload: Mapping[str, Any]) -> None:
        """Ends the newest open span of the phase; without one the phase was of no length."""
        spans = traced.open.get(phase)
        now = time_ns()
        span = spans.pop() if spans else traced.begin(phase, {}, now)
        if payload:
            span.set_attributes(named("areal.", payload))
        span.end(now)

    @unhurt(NO_SPAN)
    def begin_phase(self, session_id: Optional[int], phase: str, payload: Mapping[str, Any]) -> Any:
        """A phase that its caller ends."""
        with self._lock:
            traced = None if session_id is None else self._sessions.get(session_id)
            return NO_SPAN if traced is None else traced.begin(phase, payload)

    @unhurt()
    def fail_session(self, session_id: Optional[int], error: BaseException) -> None:
        """What ran as this session has ended by an exception or was cancelled. A later `finalized` has the last word."""
        with self._lock:
            traced = None if session_id is None else self._sessions.get(session_id)
            if traced is not None and not traced.span.end_ns:
                traced.span._failed(error)
                traced.span.end()
                self._is_over(session_id)  # type: ignore[arg-type]

    @unhurt()
    def increment_counter(self, session_id: int, name: str, value: int = 1) -> None:
        with self._lock:
            traced = self._sessions.get(session_id)
            if traced is None:
                return
            amount = _values.whole(value)
            if amount is None:
                say_once("counter " + short(name), "%s (expected: a whole number)", short(value))
                return
            total = traced.counters.get(short(name), 0) + amount
            traced.counters[short(name)] = total
            if amount:
                traced.span.set_attributes({"rl.counter." + short(name): total})

    @unhurt(held=Exception)
    def flush(self, force: bool = False) -> None:
        """Everything is sent as it happens; `force` waits until what there is has been sent."""
        if force:
            self.client.flush(_FLUSH_S)

    @unhurt(held=Exception)
    def reset(self) -> None:
        """Forgets all sessions; numbers start again, and ids end with `#2` so that they differ."""
        self.flush(force=True)
        with self._lock:
            self._sessions.clear()
            self._over.clear()
            self._tasks.clear()
            self._next = 0
            self._life += 1

    def _is_over(self, session_id: int) -> None:
        self._over[session_id] = None
        if len(self._over) > _KEPT:
            oldest, _ = self._over.popitem(last=False)
            self._drop(oldest, self._sessions.pop(oldest))

    def _drop(self, session_id: int, traced: _Traced) -> None:
        """Nothing will be told about it any more."""
        for spans in traced.open.values():
            for span in spans:
                span.fail("no end was told")
                span.end()
        siblings = self._tasks.get(traced.task_id)
        if siblings and session_id in siblings:
            siblings.remove(session_id)
            if not siblings:
                del self._tasks[traced.task_id]
