"""Appends lines to a file from a thread of its own, so that a slow disk does not slow the training."""

from __future__ import annotations

import _thread
import json
import os
import threading
from collections import deque
from queue import SimpleQueue
from typing import Any, Callable, Deque, Dict, Mapping, Optional, Sequence

from ... import _lifecycle, _values
from .._recording import log, say_once

#: Lines that wait for the thread, and bytes that wait for the disk. What is beyond is lost, and counted.
_MOST_LINES = 100_000
_MOST_BYTES = 64 << 20
#: Readers of JSON take whole numbers below it.
_WIDEST = 1 << 64


class Appender:
    """Writes whole lines or none of them. What the disk refuses waits for the next write.

    collect: adds what its owner still holds, when the process is asked to end; with True, also what is not complete.
    renew: empties its owner, in a forked child.
    """

    def __init__(self, path: str, collect: Callable[[bool], None], renew: Callable[[], None]) -> None:
        self.path = path
        self._collect = collect
        self._renew = renew
        self._begin()
        _lifecycle.watch(self)  # type: ignore[arg-type]

    def _begin(self) -> None:
        #: Lines that will never be in the file.
        self.lost = 0
        self._orders: "SimpleQueue[Optional[Callable[[], None]]]" = SimpleQueue()
        self._added = 0
        self._taken = 0
        self._unwritten: Deque[bytes] = deque()
        self._size = 0
        self._thread: Optional[threading.Thread] = None
        self._starting = _thread.allocate_lock()

    def _forked(self) -> None:
        """What the parent has not written yet is the parent's."""
        self._begin()
        self._renew()

    def add(self, items: Sequence[Any], to_row: Callable[[Any], Dict[str, Any]]) -> None:
        """A line for each; `to_row` runs in the thread."""
        if self._added - self._taken + len(items) > _MOST_LINES:
            self.lost += len(items)
            say_once(self.path, "the disk is too slow; lines are lost")
            return
        self._added += len(items)
        self._order(lambda: self._take(items, to_row))

    def wait(self, timeout_s: float) -> bool:
        """Until everything that was added by now is in the file; False if that took too long, or there is no room."""
        if self._thread is None:
            return True
        done = _thread.allocate_lock()
        done.acquire()
        self._order(done.release)
        return done.acquire(timeout=timeout_s) and not self._unwritten

    def flush(self, timeout_s: float) -> bool:
        self._collect(False)
        return self.wait(timeout_s)

    def close(self, timeout_s: float) -> None:
        self._collect(True)
        if self._unwritten:
            self.add((), dict)  # there may be room again
        self.wait(timeout_s)
        self._orders.put(None)
        self._thread = None
        _lifecycle.forget(self)  # type: ignore[arg-type]
        lost = self.lost + len(self._unwritten) + self._added - self._taken
        if lost:
            log.warning("rollscope: %s: %d lines are lost", _values.readable(self.path), lost)

    def _order(self, work: Callable[[], None]) -> None:
        self._orders.put(work)
        if self._thread is None and self._starting.acquire(False):
            try:
                thread = threading.Thread(target=self._run, args=(self._orders,), name="rollscope-areal-files", daemon=True)
                thread.start()
                self._thread = thread
            except RuntimeError as error:  # no thread to be had, or the interpreter is ending
                say_once(self.path, "%s; lines are lost", error)
            finally:
                self._starting.release()

    # ── the thread ──

    def _run(self, orders: "SimpleQueue[Optional[Callable[[], None]]]") -> None:
        while True:
            work = orders.get()
            if work is None:
                return
            work()

    def _take(self, items: Sequence[Any], to_row: Callable[[Any], Dict[str, Any]]) -> None:
        for item in items:
            self._taken += 1
            try:
                line = (json.dumps(to_row(item), ensure_ascii=False) + "\n").encode("utf-8", "replace")
            except BaseException as error:
                self.lost += 1
                say_once(self.path, "%s; a line is lost", _values.error_text(error))
                continue
            self._unwritten.append(line)
            self._size += len(line)
        try:
            self._write(b"".join(self._unwritten))
            self._unwritten.clear()
            self._size = 0
        except OSError as error:
            say_once(self.path, "%s; its lines wait for the next write", error)
            while self._size > _MOST_BYTES:
                self._size -= len(self._unwritten.popleft())
                self.lost += 1

    def _write(self, body: bytes) -> None:
        folder = os.path.dirname(self.path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        with open(self.path, "ab", buffering=0) as file:
            before, written = os.fstat(file.fileno()).st_size, 0
            try:
                while written < len(body):  # a full disk takes a part before it refuses the rest
                    written += file.write(memoryview(body)[written:])
                os.fsync(file.fileno())
            except OSError:
                if os.fstat(file.fileno()).st_size == before + written:
                    os.ftruncate(file.fileno(), before)  # half a line would stop AReaL's tools
                raise


def plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON has it: a copy that its owner cannot change any more, of a size that may wait in memory."""
    kind = type(value)
    if value is None or kind is bool or (kind is int and -_WIDEST < value < _WIDEST) or (kind is str and len(value) <= _values.MAX_TEXT):
        return value
    try:
        if kind is dict or _values.is_a(value, Mapping):
            if depth < 4:
                return {_values.text(key): plain(item, depth + 1) for key, item in list(value.items())[: _values.MAX_ATTRIBUTES]}
            return _values.text(value)
        if _values.is_a(value, (list, tuple)):
            return [plain(item, depth + 1) for item in value[: _values.MAX_LIST]] if depth < 4 else _values.text(value)
    except BaseException:
        return _values.text(value)
    value = _values.scalar_or_list(value, _values.MAX_TEXT)
    if type(value) is float and value - value != 0:
        return repr(value)  # NaN and infinity are no JSON
    return _values.text(value) if type(value) is int and abs(value) >= _WIDEST else value
