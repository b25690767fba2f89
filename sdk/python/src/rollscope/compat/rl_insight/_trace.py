"""States on lanes, timed functions and finished spans. Each is the root of a trace of its own."""

from __future__ import annotations

import contextlib
import inspect
import os
import time
from typing import Any, Callable, ContextManager, Dict, Iterator, Mapping, Optional

from ... import _values
from ..._decorate import disguised
from ..._span import Span
from .._unknown import forgiving
from ._monitor import Monitor, active, warn

_SEGMENT = "monitor.trace_segment"
_LATEST_NS = (1 << 63) - 1
#: What makes a span a piece of a trajectory.
_SESSION = ("sample", "session", "traj")

clock = time.time_ns


def _now() -> int:
    return clock()


@forgiving()
def trace_state(state_name: str, *, state_lane_id: Any = None, **labels: Any) -> ContextManager[None]:
    """What a lane is doing while the block runs; without a lane, that of the process.

    Entered again before it is left, it is one interval with the first entry's labels. Another state that begins meanwhile on
    the same lane of this process is not recorded. After the first generation's `init(config)` each is recorded.
    """
    return _in_state(state_name, state_lane_id, labels)


@contextlib.contextmanager
def _in_state(state_name: Any, state_lane_id: Any, labels: Mapping[str, Any]) -> Iterator[None]:
    monitor = active()
    if monitor is None:
        yield
        return
    lane = _values.text(os.getpid() if state_lane_id is None else state_lane_id)
    state = _values.text(state_name)
    fixed = {"rl.kind": "state", _SEGMENT: "state_interval", "state_name": state, "state_lane_id": lane}
    attributes = {**fixed, **(_values.own(monitor.labelled(labels)) or {}), **fixed}
    lanes = monitor.lanes
    held = lanes.enter(lane, state, lambda: monitor.span(state, attributes, _now()))
    try:
        yield
    finally:
        if held is not None:
            lanes.leave(held, _now)


@forgiving()
def trace_op(
    name: Optional[str] = None,
    *,
    extra_labels: Optional[Callable[[Any], Mapping[str, Any]]] = None,
    **static_labels: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a span for each call of a function, plain or async. `extra_labels`: labels from its first argument."""
    if callable(name):
        return trace_op()(name)
    monitor = active()
    if monitor is not None:
        monitor.labelled(static_labels)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        op = _Op(_values.text(name or getattr(function, "__qualname__", repr(function))), static_labels, extra_labels)
        wrap = _coroutine if inspect.iscoroutinefunction(function) else _plain
        return disguised(wrap(op, function), function)

    return decorate


class _Op:
    """What the spans of a decorated function have in common."""

    def __init__(self, name: str, labels: Mapping[str, Any], extra: Optional[Callable[[Any], Mapping[str, Any]]]) -> None:
        self._name = name
        self._labels = dict(labels)
        self._extra = extra

    def begin(self, monitor: Monitor, args: Any) -> Optional[Span]:
        labels = monitor.labelled(self._labels)
        if self._extra is not None and args:
            labels = self._with_extra(monitor, self._extra, args[0], labels)
        return monitor.span(self._name, {**(_values.own(labels) or {}), "rl.kind": "op", _SEGMENT: "duration"}, _now())

    def _with_extra(self, monitor: Monitor, extra: Callable[[Any], Mapping[str, Any]], first: Any, labels: Dict[str, Any]) -> Dict[str, Any]:
        try:
            more = extra(first)
        except Exception as error:
            return self._without(error, labels)
        try:
            return monitor.labelled({**labels, **more})
        except BaseException as error:
            return self._without(error, labels)

    def _without(self, error: BaseException, labels: Dict[str, Any]) -> Dict[str, Any]:
        warn("extra_labels of %s: %s; only the fixed labels are kept" % (self._name, _values.error_text(error)), RuntimeWarning)
        return labels


def _plain(op: _Op, function: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(*args: Any, **more: Any) -> Any:
        monitor = active()
        span = None if monitor is None else op.begin(monitor, args)
        if span is None:
            return function(*args, **more)
        try:
            return function(*args, **more)
        except BaseException as error:
            span._failed(error)
            raise
        finally:
            span.end(_now())

    return wrapper


def _coroutine(op: _Op, function: Callable[..., Any]) -> Callable[..., Any]:
    async def wrapper(*args: Any, **more: Any) -> Any:
        monitor = active()
        span = None if monitor is None else op.begin(monitor, args)
        if span is None:
            return await function(*args, **more)
        try:
            return await function(*args, **more)
        except BaseException as error:
            span._failed(error)
            raise
        finally:
            span.end(_now())

    return wrapper


@forgiving(None, into="attributes")
def trace_span(*, name: str, start_time_ns: int, end_time_ns: int, attributes: Mapping[str, Any]) -> None:
    """A span that has already ended."""
    monitor = active()
    if monitor is not None:
        given = monitor.labelled(_values.own(attributes) or {})
        # Of a trajectory it is a phase of that session; else nobody should take it for a session of its own.
        kind = {} if all(given.get(key) for key in _SESSION) else {"rl.kind": "op"}
        finished_span(monitor, name, start_time_ns, end_time_ns, {**kind, **given})


def finished_span(monitor: Monitor, name: str, start_ns: Any, end_ns: Any, attributes: Mapping[str, Any]) -> None:
    start, end = _values.whole(start_ns), _values.whole(end_ns)
    if start is None or end is None:
        return monitor.refuse_span("start_time_ns, end_time_ns", (start_ns, end_ns), "nanoseconds since 1970")
    if not (0 < start <= _LATEST_NS and end <= _LATEST_NS):
        return monitor.refuse_span("start_time_ns, end_time_ns", (start, end), "nanoseconds since 1970")
    span = monitor.span(name, attributes, start)
    if span is not None:
        # An end of 0 would mean: still open. The server repairs an end before the start.
        span.end(max(1, end))
