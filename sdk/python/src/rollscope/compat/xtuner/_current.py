"""XTuner's later calls, which name a span and no sample: they are about the current span. A sample is said as attribute `xtuner.rollout_id`."""

from __future__ import annotations

import contextvars
import json
from typing import Any, Dict, Iterator, Mapping, MutableMapping, Optional, Tuple

from opentelemetry import baggage
from opentelemetry.context import Context
from opentelemetry.trace.propagation import _SPAN_KEY

from ... import _propagation, _values
from ..._noop import NO_SPAN
from ..._span import Span, _detach, _get_current, is_cancellation
from .._recording import say_once, short
from .._unknown import forgiving
from . import _runtime

_ROLLOUT = "xtuner.rollout_id"
#: Names of the spans from the outermost one to this one: an attribute, and in a carrier a baggage entry with a JSON list.
PATH = "xtuner.span_name_path"
LONGEST_PATH = 64
#: Servers refuse long headers.
_LONGEST_BAGGAGE = 2048

_path: "contextvars.ContextVar[Tuple[str, ...]]" = contextvars.ContextVar("rollscope_xtuner_path", default=())


class _Done:
    """The result of something that is over: may be awaited, need not be."""

    def __await__(self) -> Iterator[None]:
        return iter(())


_DONE = _Done()


def _here() -> Optional[Span]:
    span = _get_current().get(_SPAN_KEY)
    return span if isinstance(span, Span) else None


def mapping(call: str, attributes: Any) -> Dict[str, Any]:
    if attributes is None:
        return {}
    try:
        if isinstance(attributes, Mapping):
            return dict(attributes)
    except BaseException:
        pass
    say_once("attributes of " + call, "%s (expected: a mapping); left out", _values.text(attributes))
    return {}


def name_of(name: Any) -> str:
    return short(name).strip() or "unknown"


def event_here(name: str, attributes: Any) -> _Done:
    span = _here()
    if span is not None:
        span.add_event(name_of(name), mapping("trace_event", attributes))
    return _DONE


@forgiving()
def set_trace_attributes(attributes: Optional[Mapping[str, Any]]) -> None:
    """Says more about the current span."""
    span = _here()
    if span is not None:
        span.set_attributes(mapping("set_trace_attributes", attributes))


@forgiving()
def inject_trace_context(carrier: Optional[MutableMapping[str, str]] = None) -> MutableMapping[str, str]:
    """Headers for another process, whose `trace_span(…, parent_carrier=headers)` continues the current span."""
    carrier = {} if carrier is None else carrier
    if _runtime.named_client()._recorder is None:
        return carrier
    try:
        context, path = _get_current(), _fitting(_path.get())
        return _propagation.inject(carrier, baggage.set_baggage(PATH, path, context) if path else context)
    except BaseException as error:  # somebody's own mapping
        say_once("inject_trace_context", "%s", _values.error_text(error))
        return carrier


def _fitting(path: Tuple[str, ...]) -> Optional[str]:
    """As JSON, without the outermost names if it would be too long; None if it is empty."""
    while path:
        said = json.dumps(path, separators=(",", ":"))
        if len(said) <= _LONGEST_BAGGAGE:
            return said
        path = path[1 + len(path) // 8 :]
    return None


def carried_path(context: Context) -> Tuple[str, ...]:
    """What a carrier says; empty if it says nothing that could be read."""
    try:
        said = json.loads(str(baggage.get_baggage(PATH, context) or "[]"))
    except (ValueError, RecursionError):
        return ()
    if not isinstance(said, list):
        return ()
    return tuple(short(name) for name in said[-LONGEST_PATH:] if isinstance(name, str) and name.strip())


def span_here(name: str, attributes: Mapping[str, Any], above: Optional[Tuple[str, ...]] = None) -> Span:
    """Below the current span; of the sample that it names, and of no session otherwise unless it is in one."""
    client = _runtime.named_client()
    above = _path.get() if above is None else above
    attributes = {PATH: (*above, name)[-LONGEST_PATH:], **attributes}
    rollout = attributes.get(_ROLLOUT)
    if rollout is None:
        return client.phase(name, attributes)
    span = client.phase(name, {**attributes, _ROLLOUT: short(rollout), "rl.kind": "phase"})
    span.in_session = True
    span.coordinates = {**(span.coordinates or {}), "rl.session.id": short(rollout)}
    return span


class NamedBlock:
    """A span below the current one, or below the one that a carrier names: `with`, `async with`, or around a call."""

    def __init__(self, name: Any, attributes: Any, carrier: Any = None) -> None:
        self._name = name_of(name)
        self._attributes = mapping("trace_span", attributes)
        self._carrier = carrier
        self._remote: Any = None
        self._span: Any = NO_SPAN
        self._token: Any = None

    def enter(self, start_ns: int = 0) -> Any:
        """The span, which began now or then."""
        client = _runtime.named_client()
        if client._recorder is None:
            return NO_SPAN
        path = _path.get()
        if _values.is_a(self._carrier, Mapping):
            self._remote = client.extract(self._carrier)
            self._remote.__enter__()
            path = carried_path(self._remote.context) or path
        self._token = _path.set((*path, self._name)[-LONGEST_PATH:])
        self._span = span_here(self._name, self._attributes, path)
        if start_ns:
            self._span.start_ns = start_ns
        return self._span.__enter__()

    def leave(self) -> None:
        remote, token = self._remote, self._token
        self._remote, self._token = None, None
        if token is None:
            return
        _detach(self._span._token)
        if remote is not None:
            remote.__exit__()
        try:
            _path.reset(token)
        except ValueError:
            pass  # ended in another context than it was begun in

    def end(self, error: Optional[BaseException] = None) -> None:
        span, self._span = self._span, NO_SPAN
        if error is not None:
            span._failed(error)
            if not is_cancellation(error):
                span.set_attributes({"error": True})
        span.end()

    def __enter__(self) -> Any:
        return self.enter()

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        self.leave()
        self.end(error)

    async def __aenter__(self) -> Any:
        return self.enter()

    async def __aexit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        self.__exit__(kind, error, traceback)
