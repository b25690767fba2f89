"""Context from one process to another: W3C traceparent, tracestate and baggage."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, MutableMapping, Optional

from opentelemetry import baggage, trace
from opentelemetry import context as otel_context
from opentelemetry.baggage.propagation import W3CBaggagePropagator
from opentelemetry.context import Context
from opentelemetry.trace.propagation import _SPAN_KEY
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from . import _misuse, _values
from ._span import OUR_KEY, Span, _detach

_TRACE = TraceContextTextMapPropagator()
_BAGGAGE = W3CBaggagePropagator()

#: What a child process must know of where it belongs; travels as baggage.
CARRIED = ("rl.session.id", "rl.task.id", "rl.task.name", "rl.batch.id", "rl.train_step", "rl.model_step", "rl.future_step")
_NUMBERS = ("rl.train_step", "rl.model_step", "rl.future_step")


def inject(carrier: Optional[MutableMapping[str, str]] = None, context: Optional[Context] = None) -> MutableMapping[str, str]:
    carrier = {} if carrier is None else carrier
    context = otel_context.get_current() if context is None else context
    for key, value in coordinates(context).items():
        context = baggage.set_baggage(key, str(value), context)
    _TRACE.inject(carrier, context)
    _BAGGAGE.inject(carrier, context)
    return carrier


def extract(carrier: Mapping[str, Any], onto: Optional[Context] = None) -> Context:
    """The context that a carrier holds, on top of the current one. Names are found in any case: HTTP and environments differ."""
    onto = otel_context.get_current() if onto is None else onto
    try:
        found = {str(key).lower(): value for key, value in carrier.items() if str(key).lower() in ("traceparent", "tracestate", "baggage")}
        context = _TRACE.extract(found, onto)
        return _BAGGAGE.extract(found, context)
    except BaseException:  # whatever somebody sent as headers must not hurt the call
        if not _values.is_a(carrier, Mapping):
            _misuse.warn("carrier", carrier, "headers, as in {'traceparent': …}")
        return onto


def coordinates(context: Context) -> Dict[str, Any]:
    """Where the current span of a context belongs: as our span around it says, else as its baggage does."""
    found: Dict[str, Any] = {}
    current, ours = context.get(_SPAN_KEY), context.get(OUR_KEY)
    if isinstance(current, Span):
        ours = current
    if isinstance(ours, Span) and isinstance(current, trace.Span) and current.get_span_context().trace_id == ours.trace_id:
        return {key: value for key, value in (ours.coordinates or {}).items() if key in CARRIED}
    for key in CARRIED:
        value = baggage.get_baggage(key, context)
        if value is None:
            continue
        if key in _NUMBERS:
            try:
                found[key] = int(str(value))
            except ValueError:
                continue
        else:
            found[key] = str(value)
    return found


class Extracted:
    """A context from elsewhere, current for the length of a `with` block; of several at once, too, in tasks or threads."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._tokens: List[Any] = []

    def __enter__(self) -> "Extracted":
        self._tokens.append(otel_context.attach(self.context))
        return self

    def __exit__(self, *error: Any) -> None:
        for token in reversed(list(self._tokens)):
            if _detach(token):  # the others are of other tasks
                self._tokens.remove(token)
                return

    async def __aenter__(self) -> "Extracted":
        return self.__enter__()

    async def __aexit__(self, *error: Any) -> None:
        self.__exit__()
