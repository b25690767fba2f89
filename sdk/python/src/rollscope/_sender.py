"""The thread that encodes and sends. One per process, started with the first thing that is recorded."""

from __future__ import annotations

import _thread
import logging
import queue
import random
import threading
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Set

from ._recorder import LogRecord, Recorder, take
from .transport import Result, Transport

log = logging.getLogger("rollscope")

INTERVAL_S = 0.5
BEAT_S = 10.0
SUMS_S = 5.0
MOST_ITEMS = 4096
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0


class _Request(NamedTuple):
    signal: str
    #: What it holds, in the words of the drop counters: spans, starts, metrics, records.
    what: str
    items: int
    body: bytes


class Sender:
    """Empties a recorder into a transport until it is closed. At most one request is in flight; what comes meanwhile waits in the recorder."""

    def __init__(self, recorder: Recorder, encoder: Any, transport: Transport, timeout_s: float, beats: bool = True) -> None:
        self._recorder = recorder
        self._encoder = encoder
        self._transport = transport
        self._timeout_s = timeout_s
        self._beats = beats
        self._dropped: Dict[str, int] = {"spans": 0, "starts": 0, "metrics": 0, "records": 0}
        self._next_beat = 0.0
        self._next_sums = time.monotonic() + SUMS_S
        self._deadline: Optional[float] = None
        self._warned: Set[str] = set()
        self._jitter = random.Random()
        self._thread: Optional[threading.Thread] = None
        self._starting = _thread.allocate_lock()
        self._done = _thread.allocate_lock()
        self._done.acquire()

    # ── called by others ──

    def start(self) -> None:
        if self._thread is None and self._starting.acquire(False):
            self._thread = threading.Thread(target=self._run, name="rollscope-sender", daemon=True)
            self._thread.start()

    def flush(self, timeout_s: float) -> bool:
        """Sends what is recorded by now; False if that took too long."""
        if self._thread is None:
            return True
        done = _thread.allocate_lock()
        done.acquire()
        self._recorder.orders.put(done.release)
        return done.acquire(timeout=timeout_s)

    def close(self, timeout_s: float) -> bool:
        """The last flush, with the word that the process ends. False if something had to be left behind."""
        if self._thread is None:
            return True
        if self._deadline is None:
            self._deadline = time.monotonic() + timeout_s
            self._recorder.wake()
        if not self._done.acquire(timeout=timeout_s + 0.2):
            return False
        self._done.release()
        return True

    def dropped(self) -> Dict[str, int]:
        """Everything that was recorded and will never arrive, since the process began."""
        recorder, dropped = self._recorder, self._dropped
        return {
            "spans": recorder.dropped_spans + dropped["spans"],
            "starts": recorder.dropped_starts + dropped["starts"],
            "metrics": recorder.metrics.dropped + dropped["metrics"],
        }

    # ── the thread ──

    def _run(self) -> None:
        try:
            while self._deadline is None:
                done = self._wait()
                self._round()
                for release in done:
                    release()
            self._round()
            if self._beats:
                self._send_records([self._life("rollscope.process.end")])
            self._transport.close()
        except Exception:
            log.exception("rollscope: the sender failed; nothing is recorded any more")
            self._recorder.abandon()
        finally:
            self._done.release()

    def _wait(self) -> List[Callable[[], None]]:
        """Until there is enough to do, or it is time; the flushes asked for meanwhile."""
        orders = self._recorder.orders
        done: List[Callable[[], None]] = []
        try:
            order = orders.get(timeout=INTERVAL_S)
            while True:
                if order is not None:
                    done.append(order)
                order = orders.get_nowait()
        except queue.Empty:
            return done

    def _round(self) -> None:
        recorder = self._recorder
        now = time.monotonic()
        if self._beats and now >= self._next_beat:
            self._next_beat = now + BEAT_S
            self._send_records([self._life("rollscope.beat")])
        self._send_starts()
        for _ in range(1 + len(recorder.ended) // MOST_ITEMS):
            spans = take(recorder.ended, MOST_ITEMS)
            if spans:
                self._send(_Request("traces", "spans", len(spans), self._encoder.spans(spans)))
        verdicts = take(recorder.verdicts, MOST_ITEMS)
        if verdicts:
            self._send_records(verdicts)
        self._send_metrics(now)

    def _send_starts(self) -> None:
        spans = self._recorder.unannounced()
        for at in range(0, len(spans), MOST_ITEMS):
            starts = []
            for span in spans[at : at + MOST_ITEMS]:
                span.announced = True
                starts.append(_start(span))
            self._send(_Request("logs", "starts", len(starts), self._encoder.logs(starts)))

    def _send_records(self, records: List[LogRecord]) -> None:
        self._send(_Request("logs", "records", len(records), self._encoder.logs(records)))

    def _send_metrics(self, now: float) -> None:
        sums = now >= self._next_sums or self._deadline is not None
        if sums:
            self._next_sums = now + SUMS_S
        points = self._recorder.metrics.collect(sums)
        for at in range(0, len(points), MOST_ITEMS):
            some = points[at : at + MOST_ITEMS]
            self._send(_Request("metrics", "metrics", len(some), self._encoder.metrics(some)))

    def _life(self, event_name: str) -> LogRecord:
        attributes: Dict[str, Any] = {"rollscope.open_spans": len(self._recorder.open)}
        for what, count in self.dropped().items():
            attributes["rollscope.dropped." + what] = count
        return LogRecord(event_name, time.time_ns(), 0, 0, attributes)

    # ── one request ──

    def _send(self, request: _Request) -> None:
        pause = _FIRST_PAUSE_S
        while True:
            result = self._try(request)
            if result.outcome == "sent":
                if result.refused_items or result.message:
                    self._lose(request.what, result.refused_items, result.message)
                return
            if result.outcome != "retry":
                return self._lose(request.what, request.items, result.message)
            wait = pause * (0.5 + self._jitter.random() / 2) if result.retry_after_s is None else result.retry_after_s
            if not self._pause(wait):
                return self._lose(request.what, request.items, result.message)
            self._warn("cannot send, trying again", result.message)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    def _try(self, request: _Request) -> Result:
        try:
            return self._transport.send(request.signal, request.body, self._time_left())
        except Exception as error:  # a transport that somebody wrote
            return Result("refused", message="%s: %s" % (type(error).__name__, error))

    def _time_left(self) -> float:
        if self._deadline is None:
            return self._timeout_s
        return max(0.05, min(self._timeout_s, self._deadline - time.monotonic()))

    def _pause(self, seconds: float) -> bool:
        """Waits before another attempt; False if the deadline of close() comes first."""
        end = time.monotonic() + min(seconds, 10 * _LONGEST_PAUSE_S)
        while True:
            now = time.monotonic()
            if self._deadline is not None and self._deadline <= min(now + 0.01, end):
                return False
            if now >= end:
                return True
            time.sleep(min(0.05, end - now))

    def _lose(self, what: str, items: int, message: str) -> None:
        self._dropped[what] += items
        self._warn("%d %s refused" % (items, what) if items else "the server says", message)

    def _warn(self, what: str, message: str) -> None:
        """Each message once: a server that is down for a night must not fill the log of the training."""
        if message not in self._warned and len(self._warned) < 20:
            self._warned.add(message)
            log.warning("rollscope: %s: %s", what, message)


def _start(span: Any) -> LogRecord:
    attributes: Dict[str, Any] = {"rollscope.span.name": span.name}
    if span.parent_id:
        attributes["rollscope.span.parent_id"] = "%016x" % span.parent_id
    if span.attributes:
        attributes.update(span.attributes)
    return LogRecord("rollscope.span.start", span.start_ns, span.trace_id, span.span_id, attributes)
