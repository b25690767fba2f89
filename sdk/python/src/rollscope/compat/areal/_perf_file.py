"""AReaL's `traces-r{rank}.jsonl`: an event of Chrome's trace format in each line."""

from __future__ import annotations

import os
import threading
from time import time_ns
from typing import Any, Dict, List, Mapping, Optional, Set

from ..._locks import ForkLock
from ..._span import Span
from .._recording import short
from ._appender import Appender, plain

#: Events that wait for `save`. More are written before it.
_MOST_EVENTS = 20_000
_MOST_THREADS = 10_000


class PerfFile:
    """Collects events until `save` is due."""

    def __init__(self, path: str, rank: int, role: Optional[str], save_interval: Any) -> None:
        self._rank = rank
        self._role = role
        self._interval = save_interval if isinstance(save_interval, int) else 1
        self._lock = ForkLock()
        self._begin()
        self.appender = Appender(path, self._write, self._begin)

    def _begin(self) -> None:
        """Times count from here, and the names of process and threads are written again."""
        self._events: List[Dict[str, Any]] = []
        self._pid = os.getpid()
        self._origin_ns = time_ns()
        self._named: Set[int] = set()

    def reset(self) -> None:
        with self._lock:
            self._write()
            self._begin()

    def scope(self, span: Span, category: str, args: Any) -> None:
        """Of a scope that has ended."""
        given = _copied(args)
        error = (span.attributes or {}).get("error.type") if span.status_code == 2 else None
        if error is not None:
            given.setdefault("exception", str(error).rpartition(".")[2])
        # Viewers leave out what has no length.
        length = max((span.end_ns - span.start_ns) // 1000, 1)
        self._add({"name": span.name, "ph": "X", "ts": self._us(span.start_ns), "dur": length}, category, given)

    def instant(self, name: Any, category: str, args: Any) -> None:
        self._add({"name": short(name), "ph": "i", "ts": self._us(time_ns())}, category, _copied(args), s="t")

    def _add(self, event: Dict[str, Any], category: str, args: Dict[str, Any], **last: Any) -> None:
        args.setdefault("rank", self._rank)
        if self._role is not None:
            args.setdefault("role", self._role)
        tid = threading.get_native_id()
        event.update(pid=self._pid, tid=tid, cat=category, args=args, **last)
        with self._lock:
            self._name(tid)
            self._events.append(event)
            if len(self._events) >= _MOST_EVENTS:
                self._write()

    def _name(self, tid: int) -> None:
        if tid in self._named:
            return
        if len(self._named) > _MOST_THREADS:
            self._named.clear()
        first = not self._named
        self._named.add(tid)
        self._metadata("thread_name", {"tid": tid}, {"name": threading.current_thread().name})
        if first:
            label = "%sRank %d, Process" % ("[%s] " % self._role if self._role else "", self._rank)
            self._metadata("process_name", {}, {"name": label})
            self._metadata("process_sort_index", {}, {"sort_index": self._rank})

    def _metadata(self, name: str, thread: Mapping[str, Any], args: Dict[str, Any]) -> None:
        self._events.append({"name": name, "ph": "M", "pid": self._pid, **thread, "args": args})

    def _us(self, at_ns: int) -> int:
        return max((at_ns - self._origin_ns) // 1000, 0)

    def save(self, step: Any = None, force: bool = False) -> bool:
        """Whether it was due: at the last step of each interval, or when no step is named."""
        if not force and step is not None and self._interval > 1 and (step + 1) % self._interval:
            return False
        self._write()
        return True

    def _write(self, everything: bool = True) -> None:
        with self._lock:
            events, self._events = self._events, []
            if events:
                self.appender.add(events, dict)


def _copied(args: Any) -> Dict[str, Any]:
    copy = plain(args)
    return copy if type(copy) is dict else {}
