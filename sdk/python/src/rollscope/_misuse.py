"""A call that does not fit costs one warning and never an exception: it goes on with what does fit."""

from __future__ import annotations

import functools
import inspect
import logging
import os
import sys
from typing import Any, Callable, Dict, Mapping, Optional, Set, Tuple, TypeVar

from . import _values

log = logging.getLogger("rollscope")

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
#: Frames that stand between a public call and its caller.
_BETWEEN = frozenset(("call", "wrapper", "begin"))
_MOST_WARNINGS = 1000
_warned: Set[Tuple[str, str]] = set()
#: How many arguments did not fit, in this process.
count = 0


def warn(argument: str, value: object, wanted: str, call: Optional[str] = None, is_kept: bool = False) -> None:
    """Once for each argument of each call. `call`: its name, else the public function that was called. is_kept: as an attribute."""
    global count
    count += 1
    try:
        name, line = _caller()
        key = (call or name, argument)
        if key not in _warned and len(_warned) < _MOST_WARNINGS:
            _warned.add(key)
            said = map(_values.readable, (*key, _values.text(value, 100), wanted, line))
            then = "kept as an attribute" if is_kept else "the call goes on without it"
            log.warning("rollscope: %s: %s: %s (expected: %s) at %s; " + then, *said)
    except BaseException as error:  # somebody's handler of logs
        log.debug("rollscope: %s", _values.error_type(error))


def _caller() -> Tuple[str, str]:
    """The outermost of our functions that is on the stack, and the line that called it."""
    frame, name = sys._getframe(2), "call"
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        if frame.f_code.co_name not in _BETWEEN:
            name = frame.f_code.co_name
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return name, "?"
    return name, "%s:%d" % (os.path.basename(frame.f_code.co_filename), frame.f_lineno)


def warn_of_end(odd: Tuple[Any, ...], more: Mapping[str, Any]) -> None:
    """Arguments of a span's `end` that it does not have."""
    for value in odd[:1]:
        warn("argument 2", value, "one time, in nanoseconds", "end")
    for name, value in more.items():
        warn(name, value, "end_time", "end")


def lenient(function: F) -> F:
    """The function, which never raises because of arguments that it does not have; type checkers see the function itself."""

    @functools.wraps(function)
    def call(*args: Any, **more: Any) -> Any:
        try:
            return function(*args, **more)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:  # not of this call, but of code below it
                raise
        args, more = _fitting(function, args, more)
        return function(*args, **more)

    return call  # type: ignore[return-value]


def lenient_methods(*names: str) -> Callable[[C], C]:
    """A class, of which these methods are lenient."""

    def decorate(kind: C) -> C:
        for name in names:
            setattr(kind, name, lenient(kind.__dict__[name]))
        return kind

    return decorate


def _fitting(function: Any, args: Tuple[Any, ...], more: Mapping[str, Any]) -> Tuple[Tuple[Any, ...], Dict[str, Any]]:
    """What of the arguments a function takes. Names that it does not know become attributes, if it takes any."""
    call = function.__name__
    parameters = inspect.signature(function).parameters
    by_position = [p.name for p in parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    for value in args[len(by_position) :]:
        warn("argument %d" % len(by_position), value, "at most %d arguments without a name" % (len(by_position) - 1), call)
    given: Dict[str, Any] = dict(zip(by_position, args))
    unknown: Dict[str, Any] = {}
    takes_more = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    for name, value in more.items():
        if name in given or not (name in parameters or takes_more):
            unknown[name] = value
        else:
            given[name] = value
    for name, value in unknown.items():
        warn(name, value, "an argument of %s that is not given yet" % call, call, is_kept="attributes" in parameters)
    if unknown and "attributes" in parameters:
        given["attributes"] = _values.merged(given.get("attributes"), unknown)
    for p in parameters.values():
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name not in given:
            warn(p.name, "nothing", "a value", call)
            given[p.name] = _values.UNNAMED
    positional = []
    for name in by_position:
        if name not in given:
            break
        positional.append(given.pop(name))
    return tuple(positional), given
