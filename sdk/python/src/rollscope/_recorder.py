"""What a process has recorded and not yet sent, bounded.

Callers put things in without a lock: appending to a deque and setting an item of a dictionary are atomic. The sender takes
them out. When a buffer is full, the newest thing is dropped and counted.
"""

from __future__ import annotations

from collections import deque
from queue import SimpleQueue
from time import time_ns
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, List, Mapping, NamedTuple, Optional

from ._locks import ForkLock

if TYPE_CHECKING:
    from ._client import Rollscope
    from ._metrics import Metrics
    from ._span import Span


class LogRecord(NamedTuple):
    """A start, a beat, a verdict or the end of a process, as contracts.md 3.4 to 3.6 shape it."""

    event_name: str
    time_ns: int
    trace_id: int
    span_id: int
    attributes: Dict[str, Any]


class _Asleep(Dict[int, "Span"]):
    """Takes the place of the open spans until there is one: the sender's thread starts with it, not with an import or a fork."""

    def __init__(self, recorder: "Recorder") -> None:
        super().__init__()
        self._recorder = recorder

    def __setitem__(self, span_id: int, span: "Span") -> None:
        recorder = self._recorder
        recorder.open = recorder.awake
        recorder.awake[span_id] = span
        recorder.on_first()


class Recorder:
    """The buffers of one process. Its public fields are written by spans directly, because that is the hot path."""

    def __init__(self, limit: int, metrics: "Metrics", client: "Rollscope") -> None:
        self.limit = limit
        #: Whose buffers these are, or were: what is begun below a span of them is recorded there.
        self.client = client
        self.on_first: Callable[[], None] = lambda: None
        #: Where the sender is told that there is enough to do; reached once per flush, not at every span.
        self.wake_at = limit // 4
        self.awake: Dict[int, "Span"] = {}
        self.open: Dict[int, "Span"] = _Asleep(self)
        self.ended: Deque["Span"] = deque()
        self.verdicts: Deque[LogRecord] = deque()
        self.metrics = metrics
        self.dropped_spans = 0
        self.dropped_starts = 0
        self.dropped_verdicts = 0
        #: Held while a session counts something: a sum is read and written.
        self.counting = ForkLock()
        #: A SimpleQueue and not an Event: a signal handler may put into it while the interrupted code does the same.
        self.orders: "SimpleQueue[Optional[Callable[[], None]]]" = SimpleQueue()

    def wake(self) -> None:
        self.orders.put(None)

    def verdict(self, span: "Span", attributes: Mapping[str, Any]) -> None:
        """A verdict that comes after the session's end."""
        if len(self.verdicts) < self.limit:
            self.verdicts.append(
                LogRecord("rollscope.session.final", time_ns(), span.trace_id, span.span_id, dict(attributes))
            )
        else:
            self.dropped_verdicts += 1

    def unannounced(self) -> List["Span"]:
        """Spans that are open and of which the server does not know yet."""
        return [span for span in list(self.open.values()) if not span.announced]

    def abandon(self) -> None:
        """Takes nothing any more: the sender has ended, or the process was forked, and these spans are the parent's."""
        self.limit = 0
        self.open = self.awake = {}
        self.ended.clear()
        self.verdicts.clear()
        self.metrics.abandon()


def take(queue: Deque[Any], most: int) -> List[Any]:
    """The oldest things of a queue that others append to meanwhile."""
    taken: List[Any] = []
    for _ in range(min(len(queue), most)):
        taken.append(queue.popleft())
    return taken
