"""`SessionTracer`: the life of each session, as events describe it."""

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
from .._unknown import forgiving, unknown
from ._at_end import at_end
from ._config import FILES
from ._names import SessionTraceEvent, phase_of, word_of
from ._session_file import SessionFile, SessionRow, SubmissionRow

#: Sessions that are over and may still be told more about: a later verdict, the end of a phase.
_KEPT = 4096
_MOST_TASKS = 100_000
_VERDICTS = frozenset(("accepted", "rejected", "failed", "dropped", "cancelled"))
_EXECUTION = "execution"
_FLUSH_S = 2.0
#: For a task that the tracer numbers itself.
_NEXT: Any = object()


class _Traced:
    """A session and what is open in it."""

    def __init__(self, task_id: Any, span: Session, row: Optional[SessionRow]) -> None:
        self.task_id = task_id
        self.span = span
        self.row = row
        self.open: Dict[str, List[Span]] = {}
        self.counters: Dict[str, int] = {}
        self.reason: Any = None

    def begin(self, phase: str, payload: Mapping[str, Any], start_ns: int = 0) -> Span:
        session = self.span
        span = Span(session._recorder, short(phase), session.trace_id, self._parent(phase).span_id, True, session.coordinates, None, start_ns)
        if payload:
            span.set_attributes(named("areal.", payload))
        if self.row is not None:
            times = self.row.begin(span.name, span.start_ns)
            at_end(span, lambda span: times.__setitem__(1, span.end_ns))
        return span

    def _parent(self, phase: str) -> Span:
        """The span around it, else the execution that the executor's events have begun, else the session."""
        current = _get_current().get(_SPAN_KEY)
        if isinstance(current, Span) and current.trace_id == self.span.trace_id:
            return current
        executions = self.open.get(_EXECUTION) if phase != _EXECUTION else None
        return executions[-1] if executions else self.span

    def decide(self, payload: Mapping[str, Any], is_over: bool) -> None:
        """Status and reason of an event."""
        span, word = self.span, _status(payload)
        for key in ("reason", "rejection_reason"):
            if key in payload:
                self.reason = payload[key]
        reason = {} if self.reason is None else {"rl.reason": short(self.reason)}
        if word is not None:
            span.set_attributes({SOURCE_STATUS: word})
        if word is not None and word in _VERDICTS:
            if not (is_over or span.end_ns):
                # Known before the end of the session: what is open says its attributes only then.
                span._recorder.verdict(span, {"rl.status": word, **reason})
            span._decide(word, self.reason)
        elif reason:
            span.set_attributes(reason)
        if self.row is not None:
            self.row.status = word or self.row.status
            self.row.reason = reason.get("rl.reason")

    def finalise(self, payload: Mapping[str, Any]) -> None:
        now = time_ns()
        self.decide(payload, True)
        if self.row is not None:
            self.row.finalised_ns = now
        self._tell_waits()
        self.span.end(now)

    def _tell_waits(self) -> None:
        if isinstance(self.row, SubmissionRow):
            self.span.set_attributes({"areal." + name: value for name, value in self.row.waits().items() if value is not None})

    # What pull request 539 knows: a session is submitted, enqueued, executed and consumed, or dropped.

    def enqueued(self) -> None:
        now = time_ns()
        self.span.add_event("enqueued", None, now)
        if isinstance(self.row, SubmissionRow):
            self.row.enqueued_ns = now

    def executed(self, payload: Mapping[str, Any]) -> bool:
        """Whether nothing follows: what is accepted waits until it is consumed."""
        if not isinstance(self.row, SubmissionRow):
            return False
        stats = rollout_stats(payload.get("rollout_stats"))
        self.row.rollout_stats = stats or None
        self.span.set_attributes({"areal.rollout_stats." + name: count for name, count in stats.items()})
        is_over = self.row.is_final(_status(payload))
        self.decide(payload, is_over)
        if is_over:
            self._tell_waits()
            self.span.end()
        return is_over


class SessionTracer:
    """Numbers the sessions of a process from 0 and records them, with their phases, counters and verdicts."""

    def __init__(self, config: Any, *, output_path: str, rank: int, role: Optional[str] = None) -> None:
        client = open_client(os.path.dirname(os.path.abspath(output_path)), None, role=role, rank=rank)
        self._begin(client, rank, role, config, output_path if os.environ.get(FILES) else None)

    @classmethod
    def _of(cls, client: Rollscope, rank: int, role: Optional[str], config: Any, file: Optional[str]) -> "SessionTracer":
        tracer = cls.__new__(cls)
        tracer._begin(client, rank, role, config, file)
        return tracer

    def _begin(self, client: Rollscope, rank: int, role: Optional[str], config: Any, file: Optional[str]) -> None:
        self.client = client
        self._role = role
        self._prefix = "%sr%d" % ("[%s]" % role if role else "", rank)
        self._lock = ForkLock()
        self._life = 1
        self._next = 0
        self._next_task = 0
        self._sessions: Dict[int, _Traced] = {}
        self._over: "OrderedDict[int, None]" = OrderedDict()
        self._tasks: "OrderedDict[Any, List[int]]" = OrderedDict()
        self._file: Optional[SessionFile] = None
        if file is not None and client.enabled:
            self._file = SessionFile(file, rank, role, getattr(config, "flush_threshold", 1), self._lock)

    def __getattr__(self, name: str) -> Any:
        return unknown("SessionTracer", name)

    @unhurt()
    @forgiving(None)
    def register_task(self, task_id: Any = _NEXT) -> Optional[int]:
        """A dataset item; its sessions form a group. Without a number it gets the next one, which is returned."""
        with self._lock:
            if task_id is not _NEXT:
                self._add_task(task_id)
                return None
            number = self._next_task
            self._next_task += 1
            self._add_task(number)
            return number

    def _add_task(self, task_id: Any) -> List[int]:
        sessions = self._tasks.setdefault(task_id, [])
        if len(self._tasks) > _MOST_TASKS:
            self._tasks.popitem(last=False)
        return sessions

    @unhurt()
    @forgiving(None)
    def register_session(self, task_id: int) -> Optional[int]:
        """A new session of a task, which runs from now on; its number."""
        with self._lock:
            siblings = self._add_task(task_id)
            return self._register(task_id, short(task_id), siblings)

    @unhurt()
    @forgiving(None)
    def register_submission(self) -> Optional[int]:
        """A new session of no task, which waits to be executed; its number."""
        with self._lock:
            return self._register(None, None, None)

    def _register(self, task_id: Any, task: Optional[str], siblings: Optional[List[int]]) -> int:
        session_id = self._next
        self._next += 1
        recorder = self.client._recorder
        if recorder is None:
            return session_id
        if len(self._sessions) - len(self._over) >= recorder.limit:
            recorder.dropped_spans += 1
            return session_id
        span = self._session(task, session_id)
        row: Optional[SessionRow] = None
        if siblings is None:
            row = SubmissionRow(session_id, span.start_ns)
        elif self._file is not None:
            row = SessionRow(task_id, session_id, span.start_ns)
        if row is not None and self._file is not None:
            self._file.add(row)
        if siblings is not None:
            siblings.append(session_id)
        self._sessions[session_id] = _Traced(task_id, span, row)
        return session_id

    def _session(self, task: Optional[str], session_id: int) -> Session:
        again = "" if self._life == 1 else "#%d" % self._life
        name = short("%s-t%s-s%d%s" % (self._prefix, "?" if task is None else task, session_id, again))
        of_task = {} if task is None else {"rl.task.id": task}
        span: Session = self.client.session(name, {**of_task, SOURCE_STATUS: "pending"})
        span.coordinates = {**(span.coordinates or {}), **of_task}
        return span

    @forgiving(())
    def get_session_ids(self, task_id: int) -> List[int]:
        with self._lock:
            try:
                return list(self._tasks.get(task_id, ()))
            except BaseException:  # a key that cannot be looked up
                return []

    def _find(self, session_id: Any) -> Optional[_Traced]:
        traced = self._sessions.get(session_id)
        if traced is None and self.client.enabled:
            say_once("session", "%s is not registered, or was over long ago; its events are not recorded", session_id)
        return traced

    @unhurt()
    def record_event(self, session_id: int, event: SessionTraceEvent, **payload: Any) -> None:
        """A phase starts or ends, or the session goes on to its next state."""
        with self._lock:
            traced = self._find(session_id)
            if traced is not None:
                if self._apply(traced, word_of(event), payload):
                    self._is_over(session_id)
                self._changed(traced)

    def _apply(self, traced: _Traced, word: str, payload: Mapping[str, Any]) -> bool:
        """Whether the session is over by that."""
        if word == "finalized":
            traced.finalise(payload)
            return True
        if word == "enqueued":
            traced.enqueued()
            return False
        if word == "consumed":
            traced.finalise({})
            return True
        if word == "dropped":
            return self._end(traced, _EXECUTION, {**payload, "status": "dropped"})
        found = phase_of(word)
        if found is None:
            if word:
                say_once("event " + word, "no such event of a session; it is not recorded")
            return False
        phase, starts = found
        if not starts:
            return self._end(traced, phase, payload)
        spans = traced.open.setdefault(phase, [])
        if phase == _EXECUTION and spans:
            spans.pop().end()
        spans.append(traced.begin(phase, payload))
        return False

    def _end(self, traced: _Traced, phase: str, payload: Mapping[str, Any]) -> bool:
        """Ends the newest open span of the phase; without one the phase was of no length. Whether the session is over by that."""
        spans = traced.open.get(phase)
        now = time_ns()
        span = spans.pop() if spans else traced.begin(phase, {}, now)
        if payload:
            span.set_attributes(named("areal.", payload))
        span.end(now)
        return phase == _EXECUTION and traced.executed(payload)

    def _changed(self, traced: _Traced) -> None:
        if self._file is not None and traced.row is not None:
            self._file.changed(traced.row)

    @unhurt(NO_SPAN)
    def begin_phase(self, session_id: Optional[int], phase: str, payload: Mapping[str, Any]) -> Any:
        """A phase that its caller ends."""
        with self._lock:
            traced = None if session_id is None else self._find(session_id)
            return NO_SPAN if traced is None else traced.begin(phase, payload)

    @unhurt()
    def phase_ended(self, session_id: int, phase: str, payload: Mapping[str, Any]) -> None:
        """What the end of such a phase says of its session."""
        with self._lock:
            traced = self._sessions.get(session_id)
            if traced is not None and phase == _EXECUTION:
                if traced.executed(payload):
                    self._is_over(session_id)
                self._changed(traced)

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
    @forgiving(None)
    def increment_counter(self, session_id: int, name: str, value: int = 1) -> None:
        with self._lock:
            traced = self._find(session_id)
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
            if traced.row is not None:
                traced.row.counters[short(name)] = total

    @unhurt(held=Exception)
    @forgiving(None)
    def flush(self, force: bool = False) -> None:
        """Everything is sent as it happens; `force` waits until what there is has been sent, and is in AReaL's own file."""
        if self._file is not None:
            self._file.flush(bool(force))
        if force:
            self._wait()

    def _wait(self) -> None:
        if self._file is not None:
            self._file.appender.wait(_FLUSH_S)
        self.client.flush(_FLUSH_S)

    @unhurt(held=Exception)
    @forgiving(None)
    def reset(self) -> None:
        """Forgets all sessions; numbers start again, and ids end with `#2` so that they differ."""
        self.flush(force=True)
        with self._lock:
            self._sessions.clear()
            self._over.clear()
            self._tasks.clear()
            self._next = self._next_task = 0
            self._life += 1

    def close(self) -> None:
        """Writes what is left into AReaL's own file."""
        if self._file is not None:
            self._file.appender.close(_FLUSH_S)

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
        if self._file is not None and traced.row is not None:
            self._file.drop(traced.row)
        siblings = self._tasks.get(traced.task_id)
        if siblings and session_id in siblings:
            siblings.remove(session_id)
            if not siblings:
                del self._tasks[traced.task_id]


def _status(payload: Mapping[str, Any]) -> Optional[str]:
    status = payload.get("status")
    return None if status is None else short(getattr(status, "value", status))


def rollout_stats(given: Any) -> Dict[str, int]:
    """What the executor knows of all rollouts: a mapping, or an object with these attributes."""
    names = ("accepted", "enqueued", "rejected", "running")
    found = given if _values.is_a(given, Mapping) else {name: getattr(given, name, None) for name in names}
    counts = ((short(name), _values.whole(count)) for name, count in list(found.items())[: _values.MAX_ATTRIBUTES])
    return {name: count for name, count in counts if count is not None}
