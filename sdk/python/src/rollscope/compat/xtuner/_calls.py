"""`trace_event` and `trace_span`: those of pull request 1891, which name a sample first, and those of main, which name a span."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Union

from ... import _values
from .._recording import say_once
from .._unknown import forgiving
from . import _runtime
from ._current import NamedBlock, event_here
from ._spans import Group, happened
from ._store import StoredCall, record_all, recorder_here

_NOT_SAID: Any = object()
Call = Union[Group, StoredCall]


def begin(name: Any, target: Any, said: Mapping[str, Any]) -> Optional[Call]:
    """A call or a block about samples; None if nothing is recorded."""
    recorder = recorder_here()
    if recorder is not None:
        return StoredCall(recorder, name, target, said)
    client = _runtime.client()
    return None if client._recorder is None else Group(client, name, target, said)


@forgiving()
def trace_event(target: Any = _NOT_SAID, name: Any = None, attributes: Any = _NOT_SAID, **said: Any) -> Any:
    """`await trace_event(sample, "custom.prepare")`: something happened to a sample, or to each of a list.

    Main's form `trace_event("cache.miss", {"key": "a"})` is an event of the current span.
    """
    if _names_a_span(target):
        name, attributes = _of_main(target, name, attributes)
        _left_out("trace_event", said)
        return event_here(name, attributes)
    return _event(target, name, said if attributes is _NOT_SAID else {**said, "attributes": attributes})


async def _event(target: Any, name: Any, said: Mapping[str, Any]) -> Any:
    recorder = recorder_here()
    if recorder is not None:
        return record_all(recorder, target, _values.text(name), said)
    happened(_runtime.client(), target, name, said)


@forgiving()
def trace_span(target: Any = _NOT_SAID, name: Any = None, *, attributes: Any = _NOT_SAID, parent_carrier: Any = None, **said: Any) -> Any:
    """`async with trace_span(sample, "custom.work"): …`; plain `with` does too.

    Main's form `with trace_span("cache.read", attributes={…}, parent_carrier={…}): …` is a span of the current context.
    """
    if _names_a_span(target):
        name, attributes = _of_main(target, name, attributes)
        _left_out("trace_span", said)
        return NamedBlock(name, attributes, parent_carrier)
    return _Block(target, name, said if attributes is _NOT_SAID else {**said, "attributes": attributes})


def _names_a_span(target: Any) -> bool:
    return target is _NOT_SAID or _values.is_a(target, str)


def _of_main(target: Any, name: Any, attributes: Any) -> Any:
    """Name and attributes, by place or by name."""
    if target is _NOT_SAID:
        return name, None if attributes is _NOT_SAID else attributes
    return target, name if attributes is _NOT_SAID else attributes


def _left_out(call: str, said: Mapping[str, Any]) -> None:
    for name in said:
        say_once("%s(%s=…)" % (call, name), "no such argument; left out")


class _Block:
    """A span for each sample while the block runs."""

    def __init__(self, target: Any, name: Any, said: Mapping[str, Any]) -> None:
        self._what = (name, target, said)
        self._call: Optional[Call] = None

    def __enter__(self) -> None:
        self._call = begin(*self._what)
        if self._call is not None:
            self._call.enter()

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        call, self._call = self._call, None
        if call is not None:
            call.leave()
            call.end(error=error)

    async def __aenter__(self) -> None:
        self.__enter__()

    async def __aexit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        self.__exit__(kind, error, traceback)
