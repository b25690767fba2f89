"""`@rs.trace`: a phase for each call.

The wrapper is of the same kind as the function (plain, async, generator, async generator), keeps its signature and
attributes, and has no `__wrapped__`: Ray unwraps functions before it reads the marks of `@ray.method`, and would miss those
that were put on the wrapper.
"""

from __future__ import annotations

import functools
import inspect
import logging
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional

from opentelemetry.context import attach
from opentelemetry.trace import set_span_in_context

from . import _values
from ._span import _detach

if TYPE_CHECKING:
    from ._client import Rollscope

log = logging.getLogger("rollscope")


def traced(client: "Rollscope", function: Any, name: Optional[str], attributes: Any, worker: Optional[str] = None) -> Any:
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(traced(client, function.__func__, name, attributes, worker))
    return wrapped(_Call(client, name or str(getattr(function, "__qualname__", None) or repr(function)), attributes, worker), function)


def wrapped(call: Any, function: Any) -> Any:
    """The function with a span around each call: `call.begin(args, more)` begins it, if `call.client` records."""
    if inspect.isasyncgenfunction(function):
        wrapper = _async_generator(call, function)
    elif inspect.iscoroutinefunction(function):
        wrapper = _coroutine(call, function)
    elif inspect.isgeneratorfunction(function):
        wrapper = _generator(call, function)
    else:
        wrapper = _plain(call, function)
    return disguised(wrapper, function)


def disguised(wrapper: Any, function: Any) -> Any:
    functools.update_wrapper(wrapper, function)
    del wrapper.__wrapped__
    try:
        wrapper.__signature__ = inspect.signature(function)
    except (TypeError, ValueError):
        pass
    return wrapper


class _Call:
    """Begins the phase of a call; a callback that fails is reported once and forgotten."""

    def __init__(self, client: "Rollscope", name: str, attributes: Any, worker: Optional[str]) -> None:
        self.client = client
        self._name = name
        self._worker = worker
        self._fixed: Optional[Mapping[str, Any]] = None if callable(attributes) else attributes
        self._callback: Optional[Callable[..., Any]] = attributes if callable(attributes) else None
        self._reported = False

    def begin(self, args: Any, more: Any) -> Any:
        attributes = self._fixed
        if self._callback is not None:
            try:
                attributes = self._callback(*args, **more)
            except Exception as error:
                self._report(error)
            try:
                attributes = dict(attributes or {})
            except BaseException as error:
                attributes = None
                self._report(error)
        return self.client.phase(self._name, attributes, worker=self._worker)

    def _report(self, error: BaseException) -> None:
        if not self._reported:
            self._reported = True
            log.warning("rollscope: attributes of %s: %s; the call goes on without them", self._name, _values.error_text(error))


def _plain(call: _Call, function: Any) -> Any:
    client = call.client

    def wrapper(*args: Any, **more: Any) -> Any:
        if client._recorder is None:
            return function(*args, **more)
        with call.begin(args, more):
            return function(*args, **more)

    return wrapper


def _coroutine(call: _Call, function: Any) -> Any:
    client = call.client

    async def wrapper(*args: Any, **more: Any) -> Any:
        if client._recorder is None:
            return await function(*args, **more)
        with call.begin(args, more):
            return await function(*args, **more)

    return wrapper


class _Steps:
    """Makes a generator's phase current while its body runs, and not while its consumer does."""

    def __init__(self, span: Any) -> None:
        self._span = span
        self._token: Any = None

    def __enter__(self) -> None:
        self._token = attach(set_span_in_context(self._span))

    def __exit__(self, *error: Any) -> None:
        _detach(self._token)


def _generator(call: _Call, function: Any) -> Any:
    client = call.client

    def wrapper(*args: Any, **more: Any) -> Any:
        if client._recorder is None:
            return (yield from function(*args, **more))
        span = call.begin(args, more)
        inside = _Steps(span)
        try:
            with inside:
                body = function(*args, **more)
                item = next(body)
            while True:
                try:
                    sent = yield item
                except GeneratorExit:
                    with inside:
                        body.close()
                    raise
                except BaseException as error:
                    with inside:
                        item = body.throw(error)
                else:
                    with inside:
                        item = body.send(sent)
        except StopIteration as stop:
            span.end()
            return stop.value
        except BaseException as error:
            span._failed(error)
            raise
        finally:
            span.end()

    return wrapper


def _async_generator(call: _Call, function: Any) -> Any:
    client = call.client

    async def wrapper(*args: Any, **more: Any) -> Any:
        if client._recorder is None:
            body = function(*args, **more)
            span, inside = None, None
        else:
            span = call.begin(args, more)
            inside = _Steps(span)
            body = function(*args, **more)
        try:
            item = await _step(inside, body.__anext__)
            while True:
                try:
                    sent = yield item
                except GeneratorExit:
                    await _step(inside, body.aclose)
                    raise
                except BaseException as error:
                    item = await _step(inside, body.athrow, error)
                else:
                    item = await _step(inside, body.asend, sent)
        except StopAsyncIteration:
            return
        except BaseException as error:
            if span is not None:
                span._failed(error)
            raise
        finally:
            if span is not None:
                span.end()

    return wrapper


async def _step(inside: Optional[_Steps], advance: Callable[..., Any], *values: Any) -> Any:
    if inside is None:
        return await advance(*values)
    with inside:
        return await advance(*values)
