"""What a compat module does with a call or an argument that it does not know: one warning with its name, and nothing is raised."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, Generator, Iterator, Mapping, Optional, Tuple, TypeVar

from opentelemetry.trace import INVALID_SPAN_CONTEXT

from .._noop import NoSpan
from ._recording import say_once

F = TypeVar("F", bound=Callable[..., Any])


class Unknown(NoSpan):
    """Has every shape that a call may be used in: a decorator with or without arguments, `with`, `async with`, `await`, a task, a loop."""

    def __call__(self, *args: Any, **more: Any) -> Any:
        if len(args) == 1 and not more and (callable(args[0]) or isinstance(args[0], (staticmethod, classmethod))):
            return args[0]
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __aiter__(self) -> "Unknown":
        return self

    async def __anext__(self) -> Any:
        raise StopAsyncIteration

    def __await__(self) -> Generator[Any, None, "Unknown"]:
        return self
        yield

    # With these three it is a coroutine to asyncio.

    def send(self, value: Any) -> Any:
        raise StopIteration(self)

    def throw(self, error: Any, *more: Any) -> Any:
        raise error

    def close(self) -> None:
        """There is nothing to close."""


NOTHING: Any = Unknown(INVALID_SPAN_CONTEXT)


def unknown(owner: str, name: str) -> Any:
    """For `__getattr__` of a module or class. Names with an underscore are Python's own questions, and stay unknown to it."""
    if name.startswith("_"):
        raise AttributeError("%s has no attribute %r" % (owner, name))
    say_once("%s.%s" % (owner, name), "no such name in Rollscope; it does nothing")
    return NOTHING


def forgiving(otherwise: Any = NOTHING, *, into: Optional[str] = None) -> Callable[[F], F]:
    """Decorator for a public call, below `unhurt`: keywords that it does not know are left out.

    into: the parameter, a mapping, that takes these keywords as attributes.
    otherwise: what a call returns that has too few arguments, or too many without a name.
    """

    def decorate(function: F) -> F:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: Any, **more: Any) -> Any:
            try:
                return function(*args, **more)
            except TypeError:
                if _fits(signature, args, more):
                    raise  # from inside of the function
            known = _known(function.__qualname__, signature, more, into)
            try:
                signature.bind(*args, **known)
            except TypeError as error:
                say_once(function.__qualname__, "%s (expected: %s%s); it does nothing", error, function.__name__, signature)
                return otherwise
            return function(*args, **known)

        return call  # type: ignore[return-value]

    return decorate


def _fits(signature: inspect.Signature, args: Tuple[Any, ...], more: Mapping[str, Any]) -> bool:
    try:
        signature.bind(*args, **more)
        return True
    except TypeError:
        return False


def _known(call: str, signature: inspect.Signature, more: Mapping[str, Any], into: Optional[str]) -> Dict[str, Any]:
    known = {name: value for name, value in more.items() if name in signature.parameters}
    others = {name: value for name, value in more.items() if name not in known}
    for name in others:
        say_once("%s(%s=…)" % (call, name), "no such argument; %s", "left out" if into is None else "kept as an attribute")
    if into is not None and others:
        given = known.get(into)
        known[into] = {**(given if isinstance(given, Mapping) else {}), **others}
    return known
