"""What a caller may give as an attribute, and what becomes of it."""

from __future__ import annotations

import functools
import hashlib
import numbers
import unicodedata
from typing import Any, Dict, List, Mapping, Optional, Sequence

MAX_TEXT = 4096
MAX_ATTRIBUTES = 128
MAX_LIST = 1024
MAX_CONTENT = 1 << 16
ERROR_TEXT = 500
#: Servers refuse spans whose name or ids have more than 1,024 bytes.
LONGEST_NAME = 256
#: The name of a span that has none, as OpenTelemetry's specification wants it. Not the constant that a caller may write.
UNNAMED = "".join(("un", "known"))
#: The attribute that says what was cut; see `Cut`.
CUT = "rollscope.cut"
_LONGEST_CUT = 200

INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
REWARD = "rl.reward"

Attributes = Dict[str, Any]

_PLAIN = frozenset((str, int, float, bool))

#: Control, format (bidirectional, zero width), surrogate, private and unassigned characters, and separators of lines.
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))

#: What a span says of its end has room, however much was said before.
_NEEDED = frozenset(("rl.status", "rl.reason", "error.type", "error.message", REWARD, INPUT_TOKENS, OUTPUT_TOKENS, CUT))

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


#: Attributes by which a server files a span; some are words of other systems.
IDENTITY_KEYS = frozenset(
    "rl.run.id rl.run.name run.id rl.project project experiment_name rl.session.id session sample traj rl.task.id rl.task.name rl.batch.id "
    "rl.train_step rl.model_step rl.future_step global_steps train.step rl.kind rl.lane state_lane_id monitor.trace_segment rl.stage rl.state "
    "stage.name state_name rl.attempt rl.worker.role rl.worker.rank rl.status rl.system service.name service.instance.id host.name "
    "rollscope.span.name xtuner.rollout_id xtuner.group_id xtuner.task_name xtuner.producer_future_step xtuner.stage xtuner.status".split()
)


class Cut:
    """What was more than the limits of a span allow: how many attributes, and the first of their names."""

    __slots__ = ("count", "_names")

    def __init__(self, count: int, names: str) -> None:
        self.count = count
        self._names = names[: _LONGEST_CUT + 1]

    def plus(self, later: object) -> "Cut":
        return Cut(self.count + later.count, "%s, %s" % (self._names, later._names)) if isinstance(later, Cut) else self

    def __str__(self) -> str:
        names = self._names
        return "%d: %s" % (self.count, names if len(names) <= _LONGEST_CUT else names[: _LONGEST_CUT - 1] + "\u2026")


def own(attributes: Optional[Mapping[str, Any]]) -> Optional[Attributes]:
    """A copy that the caller cannot change any more; odd values are text. Runs on the caller's thread: cheap if nothing is odd."""
    if attributes is None:
        return None
    try:
        copy = dict(attributes)
    except BaseException:  # a mapping that cannot be read must not hurt the caller
        _misuse().warn("attributes", attributes, "names with their values, as in {'n': 3}")
        return {"rollscope.unreadable": _type_name(attributes)}
    return checked(copy)


def checked(copy: Attributes) -> Attributes:
    """A dictionary that nobody else has, such as the keywords of a call."""
    try:
        for key, value in copy.items():
            kind = value.__class__
            if kind is str:
                if len(value) > MAX_TEXT or key.__class__ is not str:
                    return _cleaned(copy)
            elif kind not in _PLAIN or key.__class__ is not str:
                return _cleaned(copy)
    except BaseException:
        return _cleaned(copy)
    return copy if len(copy) <= MAX_ATTRIBUTES else limited(copy)


def merged(attributes: Optional[Mapping[str, Any]], more: Mapping[str, Any]) -> Mapping[str, Any]:
    """Both ways of giving attributes in one."""
    if attributes is None:
        return more
    if not more:
        return attributes
    return {**(own(attributes) or {}), **more}


def limited(attributes: Attributes) -> Attributes:
    """The first ones, and those that say what became of the span; marked if some were left out."""
    kept: Attributes = {}
    left_out: List[str] = []
    for key, value in attributes.items():
        if len(kept) < MAX_ATTRIBUTES or key in _NEEDED:
            kept[key] = value
        else:
            left_out.append(key)
    return marked(kept, left_out) if left_out else kept


def marked(attributes: Attributes, names: List[str]) -> Attributes:
    """The same, with a mark that these were cut."""
    cut, earlier = Cut(len(names), ", ".join(name[:_LONGEST_CUT] for name in names[:_LONGEST_CUT])), attributes.get(CUT)
    attributes[CUT] = earlier.plus(cut) if type(earlier) is Cut else cut
    return attributes


def updated(attributes: Attributes, new: Attributes) -> Attributes:
    """With what was set later. In one step, because other threads may set some, too; the sender copies before it reads."""
    if CUT in new and type(attributes.get(CUT)) is Cut:
        new[CUT] = attributes[CUT].plus(new[CUT])
    attributes.update(new)
    return attributes if len(attributes) <= MAX_ATTRIBUTES else limited(attributes)


def _cleaned(attributes: Mapping[Any, Any]) -> Attributes:
    clean: Attributes = {}
    cut: List[str] = []
    for key, value in attributes.items():
        name = key if type(key) is str else text(key)
        if name in CONTENT_KEYS:  # cut to the length that init(content=…) asks for: no mark
            value = scalar_or_list(value, MAX_CONTENT)
        elif type(value) is not Cut:
            value = _shortened(scalar_or_list(value, MAX_TEXT + 1), name, cut)
        if value is not None:
            clean[name] = value
    if cut:
        marked(clean, cut)
    return clean if len(clean) <= MAX_ATTRIBUTES else limited(clean)


def _shortened(value: Any, name: str, cut: List[str]) -> Any:
    """A text, or a list with its texts, of which there may be one more than fits: so it is seen that there was more."""
    if value.__class__ is str and len(value) > MAX_TEXT:
        cut.append(name)
        return value[:MAX_TEXT]
    if value.__class__ is list:
        if len(value) > MAX_LIST or any(each.__class__ is str and len(each) > MAX_TEXT for each in value):
            cut.append(name)
            return [each[:MAX_TEXT] if each.__class__ is str else each for each in value[:MAX_LIST]]
    return value


def scalar_or_list(value: Any, longest: int) -> Any:
    """The value as OpenTelemetry knows values; None if there is nothing to say."""
    try:
        if value.__class__ is str:
            return value[:longest]
        if value is None or value.__class__ in _PLAIN:
            return value
        if isinstance(value, (list, tuple)):
            return _plain_list(value[: MAX_LIST + 1])
        return _number_or_text(value, longest)
    except BaseException:
        return _type_name(value)


def _number_or_text(value: Any, longest: int) -> Any:
    if isinstance(value, str):
        return str.__str__(value)[:longest]
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    return text(value, longest)


def _plain_list(values: Any) -> Any:
    kinds = {value.__class__ for value in values}
    if kinds == {str}:
        return [value[: MAX_TEXT + 1] for value in values]
    if len(kinds) <= 1 and kinds <= _PLAIN:
        return list(values)
    return [text(value, MAX_TEXT + 1) for value in values]


def text(value: Any, longest: int = MAX_TEXT) -> str:
    try:
        said = str(value)
        return (said if type(said) is str else str.__str__(said))[:longest]
    except BaseException:  # somebody's __str__ may even ask the process to end, and must not
        return _type_name(value)


def readable(said: str, longest: int = ERROR_TEXT) -> str:
    """What another program said, for a log or a terminal: cut, and without characters that steer or that cannot be seen."""
    return "".join("\ufffd" if unicodedata.category(c) in _UNSEEN else c for c in said[:longest])


def name(value: Any) -> str:
    """Of a span: a text, whatever was given."""
    return (value[:LONGEST_NAME] if type(value) is str else text(value, LONGEST_NAME)) or UNNAMED


def name_of(span: Any) -> str:
    """The name of a span that has ended, as it is sent; the span is marked if that is cut."""
    given = span.name
    if (len(given) if type(given) is str else len(text(given, LONGEST_NAME + 1))) > LONGEST_NAME:
        span.name = name(given)
        span.attributes = marked(span.attributes or {}, ["name"])
    return name(span.name)


def cut_of(spans: Sequence[Any]) -> int:
    """How many attributes of these spans and of their events were cut."""
    cut = [span.attributes[CUT] for span in spans if span.attributes and CUT in span.attributes]
    cut += [own[CUT] for span in spans if span.events for _, _, own in span.events if own and CUT in own]
    return sum(each.count for each in cut if type(each) is Cut)


def fitting(key: str, value: str) -> str:
    """A text that is longer than a name: cut if it says which one something is."""
    return identity(value) if key in IDENTITY_KEYS else value


def identity(given: Any) -> str:
    """An id, cut if it is longer than a name, but still another text for another one."""
    value = text(given, MAX_CONTENT)
    if len(value) <= LONGEST_NAME:
        return value
    digest = hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()[:16]
    return "%s#%s" % (value[: LONGEST_NAME - 17], digest)


@functools.lru_cache(maxsize=4096)
def _worker(label: str) -> Optional[Attributes]:
    role, colon, rank = label.strip().rpartition(":")
    if not colon:
        role, rank = rank, ""
    is_rank = rank.isascii() and rank.isdigit() and len(rank) < 19
    if not role or len(role) > LONGEST_NAME or (colon and not is_rank):
        return None
    return {"rl.worker.role": role, "rl.worker.rank": int(rank)} if colon else {"rl.worker.role": role}


def worker(label: Any) -> Attributes:
    """Attributes of the worker that did something: `engine:1`, or `engine` alone."""
    found = _worker(label) if type(label) is str and len(label) <= 2 * LONGEST_NAME else None
    if found is None:
        _misuse().warn("worker", label, "role or role:rank, as in 'engine:1'")
    return found or {}


def counts(given: Mapping[str, Any]) -> Attributes:
    """Of these numbers of things those that are there; one that is no whole number is left out, with a warning."""
    found: Attributes = {}
    for key, value in given.items():
        if value is not None:
            count = whole(value)
            if count is None:
                _misuse().warn(key.rpartition(".")[2], value, "a whole number")
            else:
                found[key] = count
    return found


def number(given: Any, argument: str, wanted: str) -> Optional[float]:
    """The number that was given for an argument, or None and a warning."""
    try:
        return float(given)
    except BaseException:
        _misuse().warn(argument, given, wanted)
        return None


def seconds(given: Any) -> float:
    """How long to wait at most; what is no number is 5 s."""
    found = number(given, "timeout_s", "seconds")
    return 5.0 if found is None else min(max(0.0, found), 3600.0)


def whole(value: Any) -> Optional[int]:
    """The number that a value stands for, or None."""
    try:
        return None if value is None else int(value)
    except BaseException:
        return None


def _misuse() -> Any:
    """Imported late, because it needs the texts of this module."""
    from . import _misuse as module

    return module


def is_a(value: object, kind: Any) -> bool:
    """`isinstance` by the type alone: a value may lie about its `__class__`, or raise when it is asked."""
    return issubclass(type(value), kind)


def _type_name(value: Any) -> str:
    return "<%s>" % _name_of(type(value), "__name__")


def error_type(error: BaseException) -> str:
    kind = type(error)
    module, name = _name_of(kind, "__module__"), _name_of(kind, "__qualname__")
    return name if module == "builtins" else "%s.%s" % (module, name)


def _name_of(kind: type, which: str) -> str:
    """`__name__`, `__qualname__` or `__module__`, which a metaclass may have made anything."""
    try:
        return str(getattr(kind, which))[:LONGEST_NAME]
    except BaseException:
        return "object"


def error_message(error: BaseException) -> str:
    message = text(error)
    return message if len(message) <= ERROR_TEXT else message[: ERROR_TEXT - 3] + "..."


def error_text(error: BaseException) -> str:
    """Type and message, as a reason."""
    message = error_message(error)
    return "%s: %s" % (error_type(error), message) if message else error_type(error)
