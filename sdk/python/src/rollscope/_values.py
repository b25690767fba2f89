"""What a caller may give as an attribute, and what becomes of it."""

from __future__ import annotations

import numbers
from typing import Any, Dict, Mapping, Optional

MAX_TEXT = 4096
MAX_ATTRIBUTES = 128
MAX_LIST = 1024
ERROR_TEXT = 500

Attributes = Dict[str, Any]

_PLAIN = frozenset((str, int, float, bool))

#: Attributes that hold what the model was told or what it said. Left out unless content was asked for.
CONTENT_KEYS = frozenset(
    (
        "prompt",
        "completion",
        "response",
        "messages",
        "gen_ai.prompt",
        "gen_ai.completion",
        "gen_ai.input.messages",
        "gen_ai.output.messages",
        "gen_ai.system_instructions",
        "gen_ai.tool.call.arguments",
        "gen_ai.tool.call.result",
    )
)


def own(attributes: Optional[Mapping[str, Any]]) -> Optional[Attributes]:
    """A copy that the caller cannot change any more; odd values are text. Runs on the caller's thread: cheap if nothing is odd."""
    if not attributes:
        return None
    try:
        copy = dict(attributes)
        for key, value in copy.items():
            if value.__class__ not in _PLAIN or key.__class__ is not str:
                return _cleaned(copy)
        return copy
    except Exception:  # a mapping that cannot be read must not hurt the caller
        return {"rollscope.unreadable": _type_name(attributes)}


def _cleaned(attributes: Mapping[Any, Any]) -> Attributes:
    clean: Attributes = {}
    for key, value in attributes.items():
        value = scalar_or_list(value)
        if value is not None:
            clean[key if key.__class__ is str else text(key)] = value
    return clean


def scalar_or_list(value: Any) -> Any:
    """The value as OpenTelemetry knows values; None if there is nothing to say."""
    if value is None or value.__class__ in _PLAIN:
        return value
    try:
        if isinstance(value, (list, tuple)):
            return _plain_list(value)
        return _number_or_text(value)
    except Exception:
        return _type_name(value)


def _number_or_text(value: Any) -> Any:
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    return text(value)


def _plain_list(values: Any) -> Any:
    kinds = {value.__class__ for value in values}
    if len(kinds) <= 1 and kinds <= _PLAIN:
        return list(values[:MAX_LIST])
    return [text(value) for value in values[:MAX_LIST]]


def text(value: Any) -> str:
    try:
        return str(value)[:MAX_TEXT]
    except Exception:
        return _type_name(value)


def _type_name(value: Any) -> str:
    return "<%s>" % type(value).__name__


def error_type(error: BaseException) -> str:
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else "%s.%s" % (kind.__module__, kind.__qualname__)


def error_message(error: BaseException) -> str:
    message = text(error)
    return message if len(message) <= ERROR_TEXT else message[: ERROR_TEXT - 3] + "..."


def error_text(error: BaseException) -> str:
    """Type and message, as a reason."""
    message = error_message(error)
    return "%s: %s" % (error_type(error), message) if message else error_type(error)
