"""XTuner's later calls, which name a span and no sample: they are about the current span. A sample is said as attribute `xtuner.rollout_id`."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Mapping, MutableMapping, Optional

from opentelemetry.trace.propagation import _SPAN_KEY

from ... import _values
from ..._noop import NO_SPAN
from ..._span import Span, _get_current, is_cancellation
from .._recording import short
from . import _runtime

_ROLLOUT = "xtuner.rollout_id"


class _Done:
    """The result of something that is over: may be awaited, need not be."""

    def __await__(self) -> Iterator[None]:
        return iter(())


_DONE = _Done()


def _here() -> Optional[Span]:
    span = _get_current().get(_SPAN_KEY)
    return span if isinstance(span, Span) else None


def _mapping(attributes: Any) -> Dict[str, Any]:
    try:
        return dict(attributes) if isinstance(attributes, Mapping) else {}
    except BaseException:
        return {}


def event_here(name: str, attributes: Any) -> _Done:
    span = _here()
    if span is not None:
        span.add_event(short(name), _mapping(attributes))
    return _DONE


def set_trace_attributes(attributes: Mapping[str, Any]) -> None:
    """Says more about the current span."""
    span = _here()
    if span is not None:
        span.set_attributes(_mapping(attributes))


def inject_trace_context(carrier: Optional[MutableMapping[str, str]] = None) -> MutableMapping[str, str]:
    """Headers for another process, whose `trace_span(…, parent_carrier=headers)` continues the current span."""
    return _runtime.named_client().inject(carrier)


class NamedBlock:
    """A span below the current one, or below the one that a carrier names."""

    def __init__(self, name: str, attributes: Any, carrier: Any) -> None:
        self._name = short(name) or "unknown"
        self._attributes = _mapping(attributes)
        self._carrier = carrier
        self._remote: Any = None
        self._span: Any = NO_SPAN

    def __enter__(self) -> Any:
        client = _runtime.named_client()
        if client._recorder is None:
            return NO_SPAN
        if _values.is_a(self._carrier, Mapping):
            self._remote = client.extract(self._carrier)
            self._remote.__enter__()
        rollout = self._attributes.get(_ROLLOUT)
        if rollout is None:
            span = client.phase(self._name, self._attributes)
        else:
            span = client.phase(self._name, {**self._attributes, _ROLLOUT: short(rollout), "rl.kind": "phase"})
            span.in_session = True
            span.coordinates = {**(span.coordinates or {}), "rl.session.id": short(rollout)}
        self._span = span
        return span.__enter__()

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        span, remote = self._span, self._remote
        self._span, self._remote = NO_SPAN, None
        if error is not None and not is_cancellation(error):
            span.set_attributes({"error": True})
        span.__exit__(kind, error, traceback)
        if remote is not None:
            remote.__exit__()

    async def __aenter__(self) -> Any:
        return self.__enter__()

    async def __aexit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        self.__exit__(kind, error, traceback)
