"""Spans: what a caller holds while work is going on.

A span is its own record: the recorder keeps it while it is open and passes it to the sender when it has ended,
so that the caller's thread pays for a few assignments and nothing else.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
from _thread import get_ident as _get_ident
from contextvars import ContextVar
from time import time_ns
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Tuple, Type, TypeVar

from opentelemetry import context as otel_context
from opentelemetry import trace as otel_trace
from opentelemetry.context import Context
from opentelemetry.trace import SpanContext, Status, StatusCode, TraceFlags
from opentelemetry.trace.propagation import _SPAN_KEY

from . import _ids, _misuse, _values

if TYPE_CHECKING:
    from types import TracebackType

    from ._recorder import Recorder

_SAMPLED = TraceFlags(TraceFlags.SAMPLED)
#: Somebody wanted it to stop: the loop, a future, the consumer of a generator, a person at the keyboard, or the program itself.
_CANCELLED = (asyncio.CancelledError, concurrent.futures.CancelledError, GeneratorExit, KeyboardInterrupt, SystemExit)

#: Where our newest span is in a context, also if another library's is the current one.
OUR_KEY = otel_context.create_key("rollscope-span")
#: OpenTelemetry's own variable, where it is one as usual: each of its functions is two calls for one of ours.
_variable = getattr(otel_context._RUNTIME_CONTEXT, "_current_context", None)
_is_plain = type(otel_context._RUNTIME_CONTEXT).__name__ == "ContextVarsRuntimeContext" and type(_variable) is ContextVar
_get_current: Callable[[], Context] = _variable.get if _is_plain else otel_context.get_current  # type: ignore[union-attr]
_attach: Callable[[Context], Any] = _variable.set if _is_plain else otel_context.attach  # type: ignore[union-attr]
#: Not context.detach(): it logs a stack when a generator is closed in another context than it was begun in.
_reset: Callable[[Any], None] = _variable.reset if _is_plain else otel_context._RUNTIME_CONTEXT.detach  # type: ignore[union-attr]


def _detach(token: object) -> bool:
    """False if it was attached in another context."""
    try:
        _reset(token)
        return True
    except ValueError:
        return False


def _time(given: Any) -> int:
    """The caller's nanoseconds, or now if there are none that could be sent."""
    time = _values.whole(given) or 0
    return time if 0 < time < 1 << 63 else time_ns()


def is_cancellation(error: BaseException) -> bool:
    return _values.is_a(error, _CANCELLED)


_S = TypeVar("_S", bound="Span")


#: Those that are not on the hot path.
_OTHERS = ("event", "fail", "tokens", "update_name", "set_status", "add_event", "add_link", "set_attribute", "set_attributes", "record_exception")


@_misuse.lenient_methods(*_OTHERS)
class Span(otel_trace.Span):
    """A piece of work. Begins when it is made, and ends when its `with` block does, or with `end()`; from any thread."""

    # Defaults of what most spans never have live in the class: an instance holds what differs.
    end_ns = 0
    announced = False
    events: Optional[List[Tuple[int, str, Optional[Dict[str, Any]]]]] = None
    links: Optional[List[Tuple[SpanContext, Optional[Dict[str, Any]]]]] = None
    otel_kind = 1
    status_code = 0
    status_message = ""
    trace_state: Any = None
    #: Whether its stack was recorded.
    has_stack = False
    _token: Any = None
    _context: Optional[SpanContext] = None

    def __init__(
        self,
        recorder: "Recorder",
        name: str,
        trace_id: int,
        parent_id: int,
        in_session: bool,
        coordinates: Optional[Mapping[str, Any]],
        attributes: Optional[Dict[str, Any]],
        start_ns: int = 0,
    ) -> None:
        self._recorder = recorder
        self.name = name
        self.trace_id = trace_id
        self.span_id = span_id = _ids._bits(64) or 1
        self.parent_id = parent_id
        self.in_session = in_session
        self.coordinates = coordinates
        self.attributes = attributes
        self.start_ns = start_ns or time_ns()
        self.thread = _get_ident()
        if len(recorder.open) < recorder.limit:
            recorder.open[span_id] = self
        else:
            recorder.dropped_starts += 1

    # ── the way most people use it ──

    def set(self, /, attributes: Optional[Mapping[str, Any]] = None, *odd: Any, **more: Any) -> "Span":
        """Adds attributes, at any time before the end."""
        if attributes is not None:
            self._add(attributes)
        if more:
            self._add(more)
        if odd:
            _misuse.warn("argument 2", odd[0], "attributes by their names")
        return self

    def tokens(self, input: Optional[int] = None, output: Optional[int] = None) -> None:
        """How many tokens the model read and wrote. Of a call they are set on its phase; a session's are the sum of its calls, unless it says its own."""
        self._add_facts(_values.counts({_values.INPUT_TOKENS: input, _values.OUTPUT_TOKENS: output}))

    def child(self, name: str = _values.UNNAMED, /, attributes: Optional[Mapping[str, Any]] = None, *odd: Any, worker: Optional[str] = None, **more: Any) -> "Span":
        """A piece of work below this one: from any thread, whatever is current there, and also when this one has ended."""
        return self._recorder.client._child(self, name, attributes, odd, worker, more)

    def event(self, name: str, /, attributes: Optional[Mapping[str, Any]] = None, **more: Any) -> None:
        """Something happened at this instant."""
        self.add_event(name, _values.merged(attributes, more))

    def fail(self, error: object) -> None:
        """Ends in error though nothing was raised: an HTTP answer of 500, an empty completion."""
        if self.end_ns:
            return self._too_late()
        if _values.is_a(error, BaseException):
            self.record_exception(error)  # type: ignore[arg-type]
        else:
            self.status_message = _values.text(error)[: _values.ERROR_TEXT]
            self._add({"error.type": "error", "error.message": self.status_message})
        self.status_code = 2

    def __enter__(self: _S) -> _S:
        self.thread = _get_ident()
        self._token = _attach(Context({**_get_current(), _SPAN_KEY: self, OUR_KEY: self}))
        return self

    def __exit__(
        self,
        error_type: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional["TracebackType"],
    ) -> None:
        if self._token is not None:
            try:
                _reset(self._token)
            except ValueError:  # it was attached in another context
                pass
            self._token = None
        if error is not None:
            self._failed(error)
        self._end()

    async def __aenter__(self: _S) -> _S:
        return self.__enter__()

    async def __aexit__(
        self,
        error_type: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional["TracebackType"],
    ) -> None:
        self.__exit__(error_type, error, traceback)

    def _failed(self, error: BaseException) -> None:
        if not self.end_ns:
            self.record_exception(error)
            self.status_code = 2

    def _add_facts(self, facts: Dict[str, Any]) -> None:
        self._add(facts)

    def _too_late(self) -> None:
        _misuse.warn("span", "%s has ended" % _values.name(self.name), "one that is open")

    def __reduce__(self) -> Any:
        """Elsewhere, and as a copy, it is a span that has ended here: it takes children and verdicts, and nothing else."""
        kind = Span if type(self).__name__ == "State" else type(self)
        return _elsewhere, (kind, self.name, self.trace_id, self.span_id, self.in_session, self.coordinates)

    # ── OpenTelemetry's names ──

    def end(self, /, end_time: Optional[int] = None, *odd: Any, **more: Any) -> None:
        if odd or more:
            _misuse.warn_of_end(odd, more)
        self._end(end_time)

    def _end(self, end_time: Optional[int] = None) -> None:
        if self.end_ns:
            return
        self.end_ns = time_ns() if end_time is None else _time(end_time)
        recorder = self._recorder
        recorder.open.pop(self.span_id, None)
        ended = recorder.ended
        waiting = len(ended)
        if waiting < recorder.limit:
            ended.append(self)
            if waiting == recorder.wake_at:
                recorder.wake()
        else:
            recorder.dropped_spans += 1

    def get_span_context(self) -> SpanContext:
        if self._context is None:
            self._context = SpanContext(self.trace_id, self.span_id, False, _SAMPLED, self.trace_state)
        return self._context

    def set_attribute(self, key: str, value: Any) -> None:
        self._add({key: value})

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        self._add(attributes)

    def _add(self, attributes: Mapping[str, Any]) -> None:
        if self.end_ns:
            return self._too_late()
        own = _values.own(attributes)
        if own:
            self.attributes = own if self.attributes is None else _values.updated(self.attributes, own)

    def add_event(self, name: str, attributes: Optional[Mapping[str, Any]] = None, timestamp: Optional[int] = None) -> None:
        if self.end_ns:
            return self._too_late()
        if self.events is None:
            self.events = []
        if len(self.events) < _values.MAX_ATTRIBUTES:
            self.events.append((_time(timestamp), _values.text(name), _values.own(attributes)))
        else:
            self._cut("events")

    def add_link(self, context: SpanContext, attributes: Optional[Mapping[str, Any]] = None) -> None:
        if not self.end_ns and _values.is_a(context, SpanContext) and context.is_valid:
            if len(self.links or ()) < _values.MAX_ATTRIBUTES:
                self.links = [*(self.links or ()), (context, _values.own(attributes))]
            else:
                self._cut("links")

    def _cut(self, what: str) -> None:
        self.attributes = _values.marked({} if self.attributes is None else self.attributes, [what])

    def update_name(self, name: str) -> None:
        if not self.end_ns:
            self.name = _values.text(name)

    def is_recording(self) -> bool:
        return not self.end_ns

    def set_status(self, status: Any, description: Optional[str] = None) -> None:
        if _values.is_a(status, Status):
            status, description = status.status_code, status.description
        if self.end_ns or not _values.is_a(status, StatusCode) or status is StatusCode.UNSET or self.status_code == 1:
            return
        self.status_code = status.value
        self.status_message = _values.text(description) if status is StatusCode.ERROR and description is not None else ""

    def record_exception(
        self,
        exception: BaseException,
        attributes: Optional[Mapping[str, Any]] = None,
        timestamp: Optional[int] = None,
        escaped: bool = False,
    ) -> None:
        if self.end_ns:
            return
        kind = _values.error_type(exception)
        message = said = _values.error_message(exception)
        if is_cancellation(exception) and (not message or "Cancelled" not in kind):
            message = "cancelled"  # the word that a server knows for types it does not
        self.status_message = message or kind
        self._add({"error.type": kind, "error.message": message})
        self.add_event("exception", _values.merged(attributes, {"exception.type": kind, "exception.message": said}), timestamp)


def _elsewhere(kind: Type[_S], name: str, trace_id: int, span_id: int, in_session: bool, coordinates: Optional[Mapping[str, Any]]) -> Any:
    """A span that was pickled or copied, in the process that unpickles it."""
    from . import get
    from ._noop import NO_SPAN

    recorder = get()._recorder
    if recorder is None:
        return NO_SPAN
    span = kind.__new__(kind)
    span._recorder, span.name, span.trace_id, span.span_id = recorder, name, trace_id, span_id
    span.parent_id, span.in_session, span.coordinates, span.attributes = 0, in_session, coordinates, None
    span.start_ns = span.end_ns = time_ns()
    return span
