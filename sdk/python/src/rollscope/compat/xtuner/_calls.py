"""`trace_event`, `trace_span` and `trace_function`."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, Mapping, Optional

from ... import _values
from ..._checks import expected
from ..._client import Rollscope
from ..._decorate import disguised, wrapped
from .._recording import Live, say_once
from . import _runtime
from ._current import NamedBlock, event_here
from ._samples import samples_in
from ._spans import Group, happened


def trace_event(target: Any, name: Any = None, /, **said: Any) -> Any:
    """`await trace_event(sample, "custom.prepare")`: something happened to a sample, or to each of a list.

    XTuner's later form `trace_event("cache.miss", {"key": "a"})` is an event of the current span.
    """
    if _values.is_a(target, str):
        return event_here(target, said.get("attributes") if name is None else name)
    return _event(target, name, said)


async def _event(target: Any, name: Any, said: Mapping[str, Any]) -> None:
    happened(_runtime.client(), target, name, said)


def trace_span(target: Any, name: Any = None, /, **said: Any) -> Any:
    """`async with trace_span(sample, "custom.work"): …`; plain `with` does too.

    XTuner's later form `with trace_span("cache.read", attributes={…}, parent_carrier={…}): …` is a span of the current context.
    """
    if _values.is_a(target, str):
        return NamedBlock(target, said.get("attributes") if name is None else name, said.get("parent_carrier"))
    return _Block(target, name, said)


class _Block:
    """A span for each sample while the block runs."""

    def __init__(self, target: Any, name: Any, said: Mapping[str, Any]) -> None:
        self._what = (name, target, said)
        self._group: Optional[Group] = None

    def __enter__(self) -> None:
        client = _runtime.client()
        if client._recorder is not None:
            self._group = Group(client, *self._what)
            self._group.enter()

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        group, self._group = self._group, None
        if group is not None:
            group.leave()
            group.end(error=error)

    async def __aenter__(self) -> None:
        self.__enter__()

    async def __aexit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        self.__exit__(kind, error, traceback)


def trace_function(
    name: Any,
    *,
    target: Any = None,
    target_getter: Optional[Callable[..., Any]] = None,
    trace_kwargs_getter: Optional[Callable[..., Optional[Dict[str, Any]]]] = None,
    **trace_kwargs: Any,
) -> Callable[[Any], Any]:
    """Decorator: each call is a span of the samples it is about.

    Whose: `target_getter(*args, **kwargs)`, else `target` (the name of an argument, a sample, a list, or a function of the arguments), else
    the argument `rollout_state`, else the first sample or list of samples among the arguments. If samples are returned, the span ends with them as they are then.
    `name` may be a function of the arguments too. A getter that throws is reported once and never hurts the call.
    """
    if not (isinstance(name, str) and name) and not callable(name):
        raise expected("name", name, "a text, or a function that returns one")
    about = _About(name, target, target_getter, trace_kwargs_getter, trace_kwargs)
    return about.decorate


class _About:
    """Finds out what a call is about. `client` and `begin` are what the SDK's wrappers of generators ask for."""

    def __init__(self, name: Any, target: Any, target_getter: Any, said_getter: Any, said: Dict[str, Any]) -> None:
        self._name = name
        self._target = target
        self._target_getter = target_getter
        self._said_getter = said_getter
        self._said = said
        self._signature: Optional[inspect.Signature] = None

    client = Live(_runtime.client)

    def decorate(self, function: Any) -> Any:
        if isinstance(function, (staticmethod, classmethod)):
            return type(function)(self.decorate(function.__func__))
        about = _About(self._name, self._target, self._target_getter, self._said_getter, self._said)
        try:
            about._signature = inspect.signature(function)
        except (TypeError, ValueError):
            pass
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            return wrapped(about, function)
        return disguised(_coroutine(about, function) if inspect.iscoroutinefunction(function) else _plain(about, function), function)

    def begin(self, args: Any, more: Any) -> Group:
        client = _runtime.client()
        try:
            return self._group(client, args, more)
        except Exception as error:
            say_once("call of " + _values.text(self._name), "not recorded: %s", _values.error_text(error))
            return Group(client, "unknown", None, {})

    def _group(self, client: Rollscope, args: Any, more: Any) -> Group:
        name = self._name
        if callable(name):
            asked = self._ask("name", name, args, more)
            name = getattr(name, "__name__", "unknown") if asked is None else asked
        said = self._said
        if self._said_getter is not None:
            asked = self._ask("trace_kwargs_getter", self._said_getter, args, more)
            said = _merged(said, asked)
        return Group(client, name, self._find_target(args, more), said)

    def _find_target(self, args: Any, more: Any) -> Any:
        if self._target_getter is not None:
            return self._ask("target_getter", self._target_getter, args, more)
        if callable(self._target):
            return self._ask("target", self._target, args, more)
        if self._target is not None and not _values.is_a(self._target, str):
            return self._target
        arguments = self._arguments(args, more)
        if _values.is_a(self._target, str):
            return arguments.get(self._target)
        if samples_in(arguments.get("rollout_state")):
            return arguments["rollout_state"]
        return next((value for key, value in arguments.items() if key not in ("self", "cls") and samples_in(value)), None)

    def _arguments(self, args: Any, more: Any) -> Mapping[str, Any]:
        if self._signature is None:  # of something written in C
            return {**{str(at): value for at, value in enumerate(args)}, **more}
        try:
            bound = self._signature.bind_partial(*args, **more)
            bound.apply_defaults()
            return dict(bound.arguments)
        except TypeError:
            # The call itself will say what is wrong with it.
            return dict(more)

    def _ask(self, what: str, getter: Any, args: Any, more: Any) -> Any:
        try:
            return getter(*args, **more)
        except Exception as error:
            say_once("%s of %s" % (what, _values.text(self._name)), "%s; the call goes on without it", _values.error_text(error))
            return None


def _merged(said: Dict[str, Any], asked: Any) -> Dict[str, Any]:
    try:
        return {**said, **asked} if isinstance(asked, Mapping) else said
    except BaseException:
        return said


def _plain(about: _About, function: Any) -> Any:
    def wrapper(*args: Any, **more: Any) -> Any:
        if _runtime.client()._recorder is None:
            return function(*args, **more)
        group = about.begin(args, more)
        group.enter()
        try:
            result = function(*args, **more)
        except BaseException as error:
            group.leave()
            group.end(error=error)
            raise
        group.leave()
        group.end(returned=result)
        return result

    return wrapper


def _coroutine(about: _About, function: Any) -> Any:
    async def wrapper(*args: Any, **more: Any) -> Any:
        if _runtime.client()._recorder is None:
            return await function(*args, **more)
        group = about.begin(args, more)
        group.enter()
        try:
            result = await function(*args, **more)
        except BaseException as error:
            group.leave()
            group.end(error=error)
            raise
        group.leave()
        group.end(returned=result)
        return result

    return wrapper
