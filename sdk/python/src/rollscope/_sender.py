"""The thread that encodes and sends. One per process, started with the first thing that is recorded."""

from __future__ import annotations

import _thread
import logging
import queue
import random
import threading
import time
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Set

from . import _values
from ._host import HostMetrics
from ._recorder import LogRecord, Recorder, take
from ._spool import SpoolTransport
from ._stacks import Stacks
from .transport import Result, Transport

log = logging.getLogger("rollscope")

INTERVAL_S = 0.5
BEAT_S = 10.0
SUMS_S = 5.0
MOST_ITEMS = 4096
#: Of a request, before it is compressed. Servers refuse what is much larger.
MOST_BYTES = 8 << 20
_FIRST_PAUSE_S = 0.5
_SHORTEST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 30.0
#: How often a request is sent to somebody who does not answer in OTLP: a proxy may be passing, a wrong port stays wrong.
_MOST_UNCLEAR = 4


#: What a caller has recorded, and what the sender adds to it.
_RECORDED = ("spans", "verdicts", "starts", "metrics")
_KINDS = (*_RECORDED, "stacks", "life signs")
_NOTHING_DELETED = {"pieces": 0, "spans": 0}


class _Request(NamedTuple):
    signal: str
    #: What it holds: spans, verdicts, starts, metrics, stacks or life signs.
    what: str
    items: int
    body: bytes


class Sender:
    """Empties a recorder into a transport until it is closed. At most one request is in flight; what comes meanwhile waits in the recorder."""

    def __init__(
        self,
        recorder: Recorder,
        encoder: Any,
        transport: Transport,
        timeout_s: float,
        beats: bool = True,
        host_metrics: Optional[HostMetrics] = None,
        stacks: Optional[Stacks] = None,
    ) -> None:
        self._recorder = recorder
        self._encoder = encoder
        self._transport = transport
        self._timeout_s = timeout_s
        self._beats = beats
        self._dropped: Dict[str, int] = dict.fromkeys(_KINDS, 0)
        #: What was taken from the recorder; what of it is neither sent nor dropped is in flight.
        self._taken: Dict[str, int] = dict.fromkeys(_KINDS, 0)
        self._sent: Dict[str, int] = dict.fromkeys(_KINDS, 0)
        self._cut = 0
        self._host_metrics = host_metrics
        self._stacks = stacks
        self._wanted_stacks = ""
        self._next_beat = 0.0
        self._next_sums = time.monotonic() + SUMS_S
        self._deadline: Optional[float] = None
        self._left_behind = False
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
            try:
                self._thread.start()
            except RuntimeError as error:  # no thread to be had, or the interpreter is ending
                self._thread = None
                self._warn("nothing is recorded", str(error))
                self._recorder.abandon()

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
        return not self._left_behind

    def dropped(self) -> Dict[str, int]:
        """Everything that was recorded and will never arrive, since the process began."""
        recorder, dropped = self._recorder, self._dropped
        return {
            # A verdict is what a session's span says last.
            "spans": recorder.dropped_spans + dropped["spans"] + recorder.dropped_verdicts + dropped["verdicts"],
            "starts": recorder.dropped_starts + dropped["starts"],
            "metrics": recorder.metrics.dropped + dropped["metrics"],
        }

    def stats(self) -> Dict[str, Any]:
        """Of each kind what is sent, dropped and queued, and their sum: recorded."""
        recorder = self._recorder
        dropped = {**self._dropped, "metrics": self._dropped["metrics"] + recorder.metrics.dropped}
        dropped["spans"] += recorder.dropped_spans
        dropped["verdicts"] += recorder.dropped_verdicts
        dropped["starts"] += recorder.dropped_starts
        waiting = {"spans": len(recorder.ended), "verdicts": len(recorder.verdicts), "metrics": recorder.metrics.waiting()}
        found: Dict[str, Any] = {}
        for what in _RECORDED:
            in_flight = max(0, self._taken[what] - self._sent[what] - self._dropped[what])
            found[what] = _counts(self._sent[what], dropped[what], waiting.get(what, 0) + in_flight)
        found["spans"]["open"] = len(recorder.open)
        found["cut"] = self._cut
        found["deleted"] = dict(self._deleted())
        return found

    def _deleted(self) -> Mapping[str, int]:
        """What a folder's limit has cost, of pieces that were written already."""
        return self._transport.deleted if isinstance(self._transport, SpoolTransport) else _NOTHING_DELETED

    # ── the thread ──

    def _run(self) -> None:
        try:
            while self._deadline is None:
                flushes = self._wait(INTERVAL_S)
                self._survive(self._round, bool(flushes))
                for done in flushes:
                    done()
            self._survive(self._round, True)
            if self._beats:
                self._survive(self._send_life, "rollscope.process.end")
            self._survive(self._transport.close)
            if self._host_metrics is not None:
                self._host_metrics.close()
        finally:
            self._recorder.abandon()
            self._done.release()
            for done in self._wait(0):
                done()

    def _survive(self, work: Callable[..., None], *arguments: Any) -> None:
        """A mistake of ours, or of somebody's transport, costs one round and not all that follow."""
        try:
            work(*arguments)
        except BaseException as error:  # SystemExit would end the thread without a word
            self._warn("the sender failed and goes on", _values.error_text(error))

    def _wait(self, seconds: float) -> List[Callable[[], None]]:
        """Until there is enough to do, or it is time; the flushes asked for meanwhile."""
        orders = self._recorder.orders
        done: List[Callable[[], None]] = []
        try:
            order = orders.get(timeout=seconds)
            while True:
                if order is not None:
                    done.append(order)
                order = orders.get_nowait()
        except queue.Empty:
            return done

    def _round(self, everything: bool) -> None:
        """`everything`: also the sums that would be sent later."""
        recorder, encoder = self._recorder, self._encoder
        now = time.monotonic()
        if self._beats and now >= self._next_beat:
            is_first, self._next_beat = not self._next_beat, now + BEAT_S
            self._send_life("rollscope.beat")
            self._survive(self._send_host_metrics, is_first)
        self._send_starts()
        self._survive(self._send_stacks)
        for _ in range(1 + len(recorder.ended) // MOST_ITEMS):
            spans = take(recorder.ended, MOST_ITEMS)
            self._send_items("traces", "spans", spans, encoder.spans)
            self._cut += _values.cut_of(spans)
        for _ in range(1 + len(recorder.verdicts) // MOST_ITEMS):
            self._send_items("logs", "verdicts", take(recorder.verdicts, MOST_ITEMS), encoder.logs)
        self._send_metrics(now, everything)

    def _send_starts(self) -> None:
        spans = self._recorder.unannounced()
        for at in range(0, len(spans), MOST_ITEMS):
            starts = []
            for span in spans[at : at + MOST_ITEMS]:
                span.announced = True
                starts.append(_start(span))
            self._send_items("logs", "starts", starts, self._encoder.logs)

    def _send_metrics(self, now: float, everything: bool) -> None:
        sums = now >= self._next_sums or everything
        if sums:
            self._next_sums = now + SUMS_S
        points = self._recorder.metrics.collect(sums)
        for at in range(0, len(points), MOST_ITEMS):
            self._send_items("metrics", "metrics", points[at : at + MOST_ITEMS], self._encoder.metrics)

    def _send_life(self, event_name: str) -> None:
        attributes: Dict[str, Any] = {"rollscope.open_spans": len(self._recorder.open)}
        for what, count in self.dropped().items():
            attributes["rollscope.dropped." + what] = count
        attributes["rollscope.cut.attributes"] = self._cut
        deleted = self._deleted()
        if deleted["pieces"]:
            for what, count in deleted.items():
                attributes["rollscope.deleted." + what] = count
        record = LogRecord(event_name, time.time_ns(), 0, 0, attributes)
        self._send_items("logs", "life signs", [record], self._encoder.logs)

    def _send_host_metrics(self, is_first: bool) -> None:
        """Of the time between two beats: the first begins it."""
        if self._host_metrics is not None:
            points = self._host_metrics.points()
            self._send_items("metrics", "life signs", [] if is_first else points, self._encoder.metrics)

    def _send_stacks(self) -> None:
        """What the answer to a beat asked for."""
        wanted, self._wanted_stacks = self._wanted_stacks, ""
        if wanted and self._stacks is not None:
            self._send_items("logs", "stacks", self._stacks.records(self._recorder.open, wanted), self._encoder.logs)

    def _send_items(self, signal: str, what: str, items: List[Any], encode: Callable[[List[Any]], bytes]) -> None:
        """In one request, or in more if it is too large or if one of them cannot be written: that one alone is lost."""
        self._taken[what] += len(items)
        self._send_in_parts(signal, what, items, encode)

    def _send_in_parts(self, signal: str, what: str, items: List[Any], encode: Callable[[List[Any]], bytes]) -> None:
        if not items:
            return
        try:
            body, problem = encode(items), ""
        except BaseException as error:
            body, problem = b"", _values.error_text(error)
        if len(items) > 1 and (problem or len(body) > MOST_BYTES):
            half = len(items) // 2
            self._send_in_parts(signal, what, items[:half], encode)
            self._send_in_parts(signal, what, items[half:], encode)
        elif problem:
            self._lose(what, 1, problem)
        else:
            self._send(_Request(signal, what, len(items), body))

    # ── one request ──

    def _send(self, request: _Request) -> None:
        pause, unclear = _FIRST_PAUSE_S, 0
        while True:
            result = self._try(request)
            if result.outcome == "sent":
                self._wanted_stacks = getattr(result, "want_stack", "") or self._wanted_stacks
                refused = min(max(result.refused_items, 0), request.items)
                self._sent[request.what] += request.items - refused
                if refused or result.message:
                    self._lose(request.what, refused, result.message)
                return
            unclear += result.outcome == "unclear"
            if result.outcome not in ("retry", "unclear") or unclear == _MOST_UNCLEAR:
                return self._lose(request.what, request.items, result.message)
            wait = pause * (0.5 + self._jitter.random() / 2) if result.retry_after_s is None else result.retry_after_s
            if not self._pause(max(wait, _SHORTEST_PAUSE_S)):
                return self._lose(request.what, request.items, result.message)
            self._warn("cannot send, trying again", result.message)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    def _try(self, request: _Request) -> Result:
        try:
            return self._transport.send(request.signal, request.body, self._time_left())
        except BaseException as error:  # a transport that somebody wrote
            return Result("refused", message=_values.error_text(error))

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
        self._left_behind = self._left_behind or (items > 0 and self._deadline is not None)
        self._warn("%d %s lost" % (items, what) if items else "the server says", message)

    def _warn(self, what: str, message: str) -> None:
        """Each message once: a server that is down for a night must not fill the log of the training."""
        message = _values.readable(message)
        if message not in self._warned and len(self._warned) < 20:
            self._warned.add(message)
            log.warning("rollscope: %s: %s", what, message)


def _counts(sent: int, dropped: int, queued: int) -> Dict[str, int]:
    return {"recorded": sent + dropped + queued, "sent": sent, "dropped": dropped, "queued": queued}


def stats_of_nothing() -> Dict[str, Any]:
    found: Dict[str, Any] = {what: _counts(0, 0, 0) for what in _RECORDED}
    return {**found, "spans": {**found["spans"], "open": 0}, "cut": 0, "deleted": dict(_NOTHING_DELETED)}


def _start(span: Any) -> LogRecord:
    attributes: Dict[str, Any] = {"rollscope.span.name": _values.name(span.name)}
    if span.parent_id:
        attributes["rollscope.span.parent_id"] = "%016x" % span.parent_id
    if span.attributes:
        attributes.update(span.attributes)
    return LogRecord("rollscope.span.start", span.start_ns, span.trace_id, span.span_id, attributes)
