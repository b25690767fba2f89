"""Which state is open on which lane of this process."""

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

    def __init__(self, key: object, state: str, span: "Span") -> None:
        self.key = key
        self.state = state
        self.span = span
        self.entries = 1


class Lanes:
    """Entering the state that is open already prolongs it; another state meanwhile is not recorded.

    overlapping: the first generation's rule; each state is recorded, whatever else is open on its lane.
    """

    def __init__(self, overlapping: bool = False) -> None:
        self.pid = os.getpid()
        self.overlapping = overlapping
        self._lock = ForkLock()
        self._held: Dict[object, Held] = {}
        self._warned: Set[str] = set()

    def enter(self, lane: str, state: str, begin: Callable[[], Optional["Span"]]) -> Optional[Held]:
        key: object = object() if self.overlapping else lane
        with self._lock:
            held = self._held.get(key)
            if held is None:
                span = begin()
                if span is None:
                    return None
                held = self._held[key] = Held(key, state, span)
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

    def leave(self, held: Held, clock: Callable[[], int]) -> None:
        if self.pid != os.getpid():
            return
        with self._lock:
            held.entries -= 1
            if held.entries or self._held.get(held.key) is not held:
                return
            del self._held[held.key]
        held.span.end(clock())

    def discard(self) -> None:
        """Forgets what is open."""
        with self._lock:
            for held in self._held.values():
                held.span._recorder.open.pop(held.span.span_id, None)
            self._held.clear()
