"""Which state is open on which lane of this process: one at a time, as RL-Insight has it."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Callable, Dict, Optional, Set

from ..._locks import ForkLock

if TYPE_CHECKING:
    from ..._span import Span

log = logging.getLogger("rollscope")

_MOST_WARNINGS = 1000


class Held:
    """A lane that is taken by a state, entered once or more often."""

    def __init__(self, state: str, span: "Span") -> None:
        self.state = state
        self.span = span
        self.entries = 1


class Lanes:
    """Entering the state that is open already prolongs it; another state meanwhile is not recorded."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._lock = ForkLock()
        self._held: Dict[str, Held] = {}
        self._warned: Set[str] = set()

    def enter(self, lane: str, state: str, begin: Callable[[], Optional["Span"]]) -> Optional[Held]:
        with self._lock:
            held = self._held.get(lane)
            if held is None:
                span = begin()
                if span is None:
                    return None
                held = self._held[lane] = Held(state, span)
                return held
            if held.state == state:
                held.entries += 1
                return held
            first = lane not in self._warned and len(self._warned) < _MOST_WARNINGS
            if first:
                self._warned.add(lane)
        if first:
            log.warning("state %s began on lane %s while %s was open; it is not recorded, as in RL-Insight", state, lane, held.state)
        return None

    def leave(self, lane: str, held: Held, clock: Callable[[], int]) -> None:
        if self.pid != os.getpid():
            return
        with self._lock:
            held.entries -= 1
            if held.entries or self._held.get(lane) is not held:
                return
            del self._held[lane]
        held.span.end(clock())

    def discard(self) -> None:
        """Forgets what is open."""
        with self._lock:
            for held in self._held.values():
                held.span._recorder.open.pop(held.span.span_id, None)
            self._held.clear()
