"""AReaL's `sessions-r{rank}.jsonl`: a line for each session, in the form of its generation."""

from __future__ import annotations

from time import perf_counter_ns, time_ns
from typing import Any, Dict, List, Optional

from ..._locks import ForkLock
from .._recording import say_once
from ._appender import Appender, plain

_FINAL = frozenset(("rejected", "failed", "dropped"))
#: In the order of AReaL's lines; others come after them.
_PHASES = ("execution", "generate", "reward", "toolcall")
#: Of a session, in its row.
_MOST_SPANS = 10_000


class SessionFile:
    """Holds rows until enough of them are complete. Its caller holds a lock."""

    def __init__(self, path: str, rank: int, role: Optional[str], flush_threshold: Any, lock: ForkLock) -> None:
        self._who = (rank, role)
        self._most = _threshold(flush_threshold)
        self._lock = lock
        self._begin()
        self.appender = Appender(path, self.flush, self._begin)

    def _begin(self) -> None:
        self._rows: Dict[int, "SessionRow"] = {}
        self._ready: Dict[int, None] = {}

    def add(self, row: "SessionRow") -> None:
        self._rows[row.session_id] = row

    def changed(self, row: "SessionRow") -> None:
        if row.is_ready and row.session_id in self._rows:
            self._ready[row.session_id] = None
            if len(self._ready) >= self._most:
                self.flush()

    def drop(self, row: "SessionRow") -> None:
        """Writes a row that nothing will complete."""
        self._write([row.session_id])

    def flush(self, everything: bool = False) -> None:
        """Writes the rows that are complete, or all; what happens to their sessions later is not in the file."""
        with self._lock:
            self._write(list(self._rows if everything else self._ready))

    def _write(self, session_ids: List[int]) -> None:
        rows = [self._rows.pop(each) for each in session_ids if each in self._rows]
        for each in session_ids:
            self._ready.pop(each, None)
        if rows:
            self.appender.add(rows, lambda row: row.to_dict(*self._who))


def _threshold(given: Any) -> int:
    try:
        return max(int(given), 1)
    except (TypeError, ValueError, OverflowError):
        say_once("flush_threshold", "%s (expected: a whole number); it is 1", given)
        return 1


class SessionRow:
    """What AReaL writes of a session. Times are nanoseconds of the wall clock."""

    def __init__(self, task_id: Any, session_id: int, submit_ns: int) -> None:
        self.task_id = plain(task_id)
        self.session_id = session_id
        self.submit_ns = submit_ns
        self.status = "pending"
        self.reason: Optional[str] = None
        self.finalised_ns = 0
        self.phases: Dict[str, List[List[int]]] = {}
        self._spans = 0
        self.counters: Dict[str, int] = {}

    def begin(self, phase: str, start_ns: int) -> List[int]:
        """Start and end, which is 0 until it is known."""
        times = [start_ns, 0]
        if self._spans < _MOST_SPANS:
            self._spans += 1
            self.phases.setdefault(phase, []).append(times)
        else:
            say_once("phases", "session %s has more than %s; its row has the first ones", self.session_id, _MOST_SPANS)
        return times

    @property
    def is_ready(self) -> bool:
        return self.status in _FINAL or (self.status == "accepted" and self.finalised_ns > 0)

    @staticmethod
    def is_final(status: Any) -> bool:
        return status in _FINAL

    def to_dict(self, rank: int, role: Optional[str]) -> Dict[str, Any]:
        at = self.seconds
        total = _between(self.submit_ns, self.finalised_ns)
        row: Dict[str, Any] = {
            **self._who(rank, role),
            "submit_ts": at(self.submit_ns),
            **self._when(),
            "total_s": total,
            **{key: self.lasted(phase) for phase, key in self._lengths()},
        }
        row = {key: value for key, value in row.items() if value is not None}
        phases = sorted(self.phases, key=lambda phase: _PHASES.index(phase) if phase in _PHASES else len(_PHASES))
        if phases:
            spans = {phase: [{"start_ts": at(start), "end_ts": at(end)} for start, end in list(self.phases[phase])] for phase in phases}
            row["phases"] = spans
        counters = {name: value for name, value in self.counters.items() if value}
        if counters:
            row["counters"] = counters
        return row

    def _who(self, rank: int, role: Optional[str]) -> Dict[str, Any]:
        who = {"task_id": self.task_id, "session_id": self.session_id, "rank": rank, "role": role}
        return {**who, "status": self.status, "reason": self.reason}

    def _when(self) -> Dict[str, Any]:
        return {"finalized_ts": self.seconds(self.finalised_ns)}

    def _lengths(self) -> Any:
        return (("generate", "generate_s"), ("reward", "reward_s"), ("toolcall", "toolcall_s"))

    def seconds(self, at_ns: int) -> Optional[float]:
        return at_ns / 1e9 if at_ns else None

    def lasted(self, phase: str) -> Optional[float]:
        lengths = [(end - start) / 1e9 for start, end in self.phases.get(phase, ()) if end]
        return sum(lengths) if lengths else None


class SubmissionRow(SessionRow):
    """The form of pull request 539: no task, waits before and after the execution, and times of a clock with no known zero."""

    enqueued_ns = 0
    rollout_stats: Optional[Dict[str, int]] = None

    def __init__(self, session_id: int, submit_ns: int) -> None:
        super().__init__(None, session_id, submit_ns)
        self._zero_ns = time_ns() - perf_counter_ns()

    def seconds(self, at_ns: int) -> Optional[float]:
        return (at_ns - self._zero_ns) / 1e9 if at_ns else None

    def _who(self, rank: int, role: Optional[str]) -> Dict[str, Any]:
        return {"session_id": self.session_id, "rank": rank, "status": self.status, "rejection_reason": self.reason}

    def _when(self) -> Dict[str, Any]:
        when = {"enqueue_ts": self.seconds(self.enqueued_ns), "wait_return_ts": self.seconds(self.finalised_ns)}
        return {**when, "rollout_stats": self.rollout_stats, **self.waits()}

    def waits(self) -> Dict[str, Optional[float]]:
        """The times that pull request 539 derives."""
        executions = list(self.phases.get("execution", ()))
        first_start = executions[0][0] if executions else 0
        first_end = next((end for _, end in executions if end), 0)
        return {
            "queue_wait_s": _between(self.submit_ns, self.enqueued_ns),
            "runner_wait_s": _between(self.enqueued_ns, first_start),
            "execution_s": self.lasted("execution"),
            "post_wait_s": _between(first_end, self.finalised_ns),
        }

    def _lengths(self) -> Any:
        return (("generate", "generate_s"), ("reward", "reward_calc_s"))


def _between(start_ns: int, end_ns: int) -> Optional[float]:
    return (end_ns - start_ns) / 1e9 if start_ns and end_ns else None
