"""`trace_function`, of both generations."""

from __future__ import annotations

import inspect
import sys
from types import FrameType
from typing import Any, Callable, Dict, Mapping, Optional, Union

from ... import _values
from ..._decorate import disguised, wrapped
from ..._span import Span
from .._recording import Live, say_once
from .._unknown import forgiving
from . import _runtime
from ._calls import Call, begin
from ._current import NamedBlock, mapping, name_of, span_here
from ._samples import facts, is_rollout, resolve, samples_in
from ._spans import Group
from ._store import recorder_here


@forgiving()
def trace_function(
    name: Any = None,
    attributes: Optional[Mapping[str, Any]] = None,
    *,
    target: Any = None,
    target_getter: Optional[Callable[..., Any]] = None,
    trace_kwargs_getter: Optional[Callable[..., Optional[Dict[str, Any]]]] = None,
    **trace_kwargs: Any,
) -> Any:
    """Decorator: each call is a span of the samples it is about, or of the current context if it is about none.

    Whose: `target_getter(*args, **kwargs)`, else `target` (the name of an argument, a sample, a list, or a function of the arguments), else
    the argument `rollout_state`, else the first sample or list of samples among the arguments. If samples are returned, the span ends with them as they are then.
    `name` may be a function of the arguments too. A getter that throws is reported once and never hurts the call.

    Main's forms `@trace_function`, `@trace_function()`, `@trace_function("phase.load", {…})`: without a name it is the function's own.
    """
    about = _About(name, attributes, target, target_getter, trace_kwargs_getter, trace_kwargs)
    if _values.is_a(name, (staticmethod, classmethod)) or (callable(name) and attributes is None and not about.is_of_1891):
        return _alone(name, sys._getframe(2))  # beyond `forgiving`
    if callable(name):
        about.is_of_1891 = True
    elif name is not None and not (_values.is_a(name, str) and name.strip()):
        say_once("trace_function", "name: %s (expected: a text, or a function that returns one); the function's own is used", _values.text(name))
        about.name = None
    return about.decorate


def _alone(function: Any, caller: FrameType) -> Any:
    """`@trace_function` without parentheses; or 1891's `trace_function(name_getter)`, whose result is called with the function to be traced.

    A function that is just being defined has no name yet in the code that decorates it; a getter is passed by its name, or is a lambda.
    """
    if inspect.isclass(function):
        say_once("trace_function", "%s is a class (expected: a function); left as it is", function.__name__)
        return function
    traced = _About(None, None, None, None, None, {}).decorate(function)
    is_plain = not (inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function))
    if isinstance(function, (staticmethod, classmethod)) or not is_plain or not _has_a_name(function, caller):
        return traced

    def either(*args: Any, **more: Any) -> Any:
        if len(args) == 1 and not more and (inspect.isfunction(args[0]) or isinstance(args[0], (staticmethod, classmethod))):
            about = _About(function, None, None, None, None, {})
            about.is_of_1891 = True
            return about.decorate(args[0])
        return traced(*args, **more)

    return disguised(either, function)


def _has_a_name(function: Any, caller: FrameType) -> bool:
    if not inspect.isfunction(function) or function.__name__ == "<lambda>" or function.__module__ != caller.f_globals.get("__name__"):
        return True
    return any(value is function for scope in (caller.f_locals, caller.f_globals) for value in list(scope.values()))


class _About:
    """Finds out what a call is about. `client` and `begin` are what the SDK's wrappers of generators ask for."""

    def __init__(self, name: Any, attributes: Any, target: Any, target_getter: Any, said_getter: Any, said: Dict[str, Any]) -> None:
        self.name = name
        self._attributes = mapping("trace_function", attributes)
        self._target = target
        self._target_getter = target_getter
        self._said_getter = said_getter
        self._said = said
        self._signature: Optional[inspect.Signature] = None
        self._is_targeted = target is not None or target_getter is not None
        #: Said in 1891's words: then a call without samples is one whose samples may be returned.
        self.is_of_1891 = self._is_targeted or said_getter is not None or bool(said) or (_values.is_a(name, str) and name.startswith("xtuner."))

    @property
    def client(self) -> Live:
        return _LIVE

    def decorate(self, function: Any) -> Any:
        if isinstance(function, (staticmethod, classmethod)):
            return type(function)(self.decorate(function.__func__))
        name = self.name
        if name is None:
            name = "%s.%s" % (getattr(function, "__module__", None), getattr(function, "__qualname__", type(function).__name__))
        about = _About(name, self._attributes, self._target, self._target_getter, self._said_getter, self._said)
        about.is_of_1891 = self.is_of_1891
        try:
            about._signature = inspect.signature(function)
        except (TypeError, ValueError):
            pass
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            return wrapped(about, function)
        return disguised(_coroutine(about, function) if inspect.iscoroutinefunction(function) else _plain(about, function), function)

    def begin(self, args: Any, more: Any) -> Union[Call, Span]:
        """Of a generator, which runs in the contexts of others."""
        call = self.call(args, more)
        if call is None:
            return Group(_runtime.client(), "unknown", None, {})
        return call.of_generator() if isinstance(call, _WithoutSample) else call

    def call(self, args: Any, more: Any) -> Union[Call, "_WithoutSample", None]:
        try:
            return self._call(args, more)
        except Exception as error:
            say_once("call of " + _values.text(self.name), "not recorded: %s", _values.error_text(error))
            return None

    def _call(self, args: Any, more: Any) -> Union[Call, "_WithoutSample", None]:
        name = self.name
        if callable(name):
            asked = self._ask("name", name, args, more)
            name = getattr(name, "__name__", "unknown") if asked is None else asked
        said = self._said
        if self._said_getter is not None:
            said = _merged(said, self._ask("trace_kwargs_getter", self._said_getter, args, more))
        call = begin(name, self._find_target(args, more), said)
        if isinstance(call, Group):
            call.add(self._attributes)
            if call.is_empty and not self._is_targeted and self._can_run(args, more):
                return _WithoutSample(call, name, self._attributes, said, self.is_of_1891)
        return call

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
        if self._concerns(arguments.get("rollout_state")):
            return arguments["rollout_state"]
        return next((value for key, value in arguments.items() if key not in ("self", "cls") and self._concerns(value)), None)

    def _concerns(self, value: Any) -> bool:
        samples = samples_in(value)
        return bool(samples) and (self.is_of_1891 or not is_rollout(samples[0]))

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

    def _can_run(self, args: Any, more: Any) -> bool:
        """Or Python raises a TypeError before the function begins."""
        try:
            if self._signature is not None:
                self._signature.bind(*args, **more)
            return True
        except TypeError:
            return False

    def _ask(self, what: str, getter: Any, args: Any, more: Any) -> Any:
        try:
            return getter(*args, **more)
        except Exception as error:
            say_once("%s of %s" % (what, _values.text(self.name)), "%s; the call goes on without it", _values.error_text(error))
            return None


def _is_on() -> bool:
    return recorder_here() is not None or _client()._recorder is not None


class _Recording(Live):
    """For generators: of a recorder that is set in this context, too."""

    @property
    def _recorder(self) -> Any:
        return recorder_here() or super()._recorder


_client = _runtime.client
_LIVE = _Recording(_client)


class _WithoutSample:
    """A call that is about no sample when it begins: a span of the current context. Samples that it returns have the call as well.

    In 1891's words it most likely returns some, so there is a span without a sample only if it does not.
    """

    def __init__(self, group: Group, name: Any, attributes: Mapping[str, Any], said: Mapping[str, Any], waits: bool) -> None:
        self._group = group
        self._name = name_of(name)
        self._attributes = {**facts(resolve(None, said), said), **attributes}
        self._block = None if waits else NamedBlock(self._name, self._attributes)

    def of_generator(self) -> Span:
        return span_here(self._name, self._attributes)

    def enter(self) -> None:
        if self._block is not None:
            self._block.enter()

    def leave(self) -> None:
        if self._block is not None:
            self._block.leave()

    def end(self, returned: Any = None, error: Optional[BaseException] = None) -> None:
        samples = samples_in(returned)
        is_ours = bool(samples) and (self._block is None or not is_rollout(samples[0]))
        self._group.end(returned=samples if is_ours else None)
        if self._block is None and self._group.is_empty:
            self._block = NamedBlock(self._name, self._attributes)
            self._block.enter(self._group.start_ns)
            self._block.leave()
        if self._block is not None:
            self._block.end(error)


def _merged(said: Dict[str, Any], asked: Any) -> Dict[str, Any]:
    try:
        return {**said, **asked} if isinstance(asked, Mapping) else said
    except BaseException:
        return said


def _plain(about: _About, function: Any) -> Any:
    def wrapper(*args: Any, **more: Any) -> Any:
        if not _is_on():
            return function(*args, **more)
        call = about.call(args, more)
        if call is None:
            return function(*args, **more)
        call.enter()
        try:
            result = function(*args, **more)
        except BaseException as error:
            call.leave()
            call.end(error=error)
            raise
        call.leave()
        call.end(returned=result)
        return result

    return wrapper


def _coroutine(about: _About, function: Any) -> Any:
    async def wrapper(*args: Any, **more: Any) -> Any:
        if not _is_on():
            return await function(*args, **more)
        call = about.call(args, more)
        if call is None:
            return await function(*args, **more)
        call.enter()
        try:
            result = await function(*args, **more)
        except BaseException as error:
            call.leave()
            call.end(error=error)
            raise
        call.leave()
        call.end(returned=result)
        return result

    return wrapper
