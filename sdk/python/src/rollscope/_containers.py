"""Batches, tasks, sessions and states: spans that say where work belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Type

from . import _misuse, _values
from ._locks import ForkLock
from ._span import Span, is_cancellation

if TYPE_CHECKING:
    from types import TracebackType


@_misuse.lenient_methods("task", "session")
class Batch(Span):
    """What one training step consumes. Tasks and sessions begun inside belong to it."""

    phase = Span.child

    def task(self, id: object, name: Optional[str] = None, attributes: Optional[Mapping[str, Any]] = None, **more: Any) -> "Task":
        """A task of this batch, from any thread."""
        return self._recorder.client._task(self, id, name, attributes, more)

    def session(self, id: Optional[object] = None, attributes: Optional[Mapping[str, Any]] = None, *, worker: Optional[str] = None, **more: Any) -> "Session":
        """A session of this batch, from any thread."""
        return self._recorder.client._session(self, id, attributes, worker, more)


@_misuse.lenient_methods("session")
class Task(Span):
    """One dataset item; its sessions form a group."""

    phase = Span.child

    def session(self, id: Optional[object] = None, attributes: Optional[Mapping[str, Any]] = None, *, worker: Optional[str] = None, **more: Any) -> "Session":
        """A session of this task, from any thread."""
        return self._recorder.client._session(self, id, attributes, worker, more)


@_misuse.lenient_methods("accepted", "rejected", "failed", "dropped", "cancelled", "count", "reward")
class Session(Span):
    """One sampled trajectory. Its verdict, reward and tokens may come before or after its end; the last ones count."""

    status: Optional[str] = None
    #: What was said of it after its end. Each record repeats it all, so that the newest is complete.
    _late: Optional[Dict[str, Any]] = None

    phase = Span.child

    def accepted(self) -> None:
        """It is trained on."""
        self._decide("accepted", None)

    def rejected(self, reason: object = None) -> None:
        """A filter or the user's function did not want it."""
        self._decide("rejected", reason)

    def failed(self, error: object = None) -> None:
        """Something broke."""
        if _values.is_a(error, BaseException):
            if not self.end_ns:
                self.record_exception(error)  # type: ignore[arg-type]
                self.status_code = 2
            error = _values.error_text(error)  # type: ignore[arg-type]
        self._decide("failed", error)

    def dropped(self, reason: object = None) -> None:
        """Finished but not used: too old, too many."""
        self._decide("dropped", reason)

    def cancelled(self, reason: object = None) -> None:
        """Stopped on purpose."""
        self._decide("cancelled", reason)

    def count(self, counter: str, amount: int = 1) -> None:
        """Counts something of this session: turns, tool errors. Before its end: what comes later is left out, with a warning."""
        name = _values.text(counter)
        number = _values.whole(amount)
        if number is None:
            return self._recorder.metrics.refuse(name, "amount", _values.text(amount), "a whole number")
        key = "rl.counter." + name
        with self._recorder.counting:
            known = (self.attributes or {}).get(key)
            self._add({key: (_values.whole(known) or 0) + number})

    def reward(self, value: float) -> None:
        """What it is worth to the trainer."""
        number = _values.number(value, "value", "a number")
        if number is not None:
            self._add_facts({_values.REWARD: number})

    def _add_facts(self, facts: Dict[str, Any]) -> None:
        if self.end_ns:
            self._add_late(facts)
        else:
            self._add(facts)

    def _add_late(self, facts: Dict[str, Any]) -> None:
        with self._recorder.counting:
            late = dict(self._late or {})
            if "rl.status" in facts:
                late.pop("rl.reason", None)
            self._late = _values.updated(late, facts)
            self._recorder.verdict(self, self._late)

    def _decide(self, status: str, reason: object) -> None:
        self.status = status
        verdict: Dict[str, Any] = {"rl.status": status}
        if reason is not None:
            verdict["rl.reason"] = _values.text(reason)[: _values.ERROR_TEXT]
        if self.end_ns:
            self._add_late(verdict)
        else:
            if reason is None and self.attributes:
                self.attributes.pop("rl.reason", None)
            self._add(verdict)

    def _failed(self, error: BaseException) -> None:
        super()._failed(error)
        if self.status is None:
            self._decide("cancelled" if is_cancellation(error) else "failed", _values.error_text(error))


class Lanes:
    """Which states are open on which lane of this process."""

    def __init__(self) -> None:
        self._lock = ForkLock()
        self._open: Dict[str, List["State"]] = {}

    def enter(self, lane: str, state: "State") -> Optional[str]:
        """The name of another state that is open there."""
        with self._lock:
            others = self._open.setdefault(lane, [])
            different = next((other.name for other in others if other.name != state.name), None)
            others.append(state)
            return different

    def leave(self, lane: str, state: "State") -> None:
        with self._lock:
            others = self._open.get(lane)
            if others and state in others:
                others.remove(state)
                if not others:
                    del self._open[lane]


class State(Span):
    """An interval on a lane. Work done meanwhile is not part of it, so it does not become the current span."""

    lane: str
    _lanes: Lanes

    def __enter__(self) -> "State":
        return self

    def __exit__(
        self,
        error_type: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional["TracebackType"],
    ) -> None:
        if error is not None:
            self._failed(error)
        self._end()

    def _end(self, end_time: Optional[int] = None) -> None:
        self._lanes.leave(self.lane, self)
        super()._end(end_time)
