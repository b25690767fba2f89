"""The words of AReaL's tracer."""

from __future__ import annotations

from enum import Enum, EnumMeta
from typing import Any, Optional, Tuple, Union

from ... import _values
from .._recording import short
from .._unknown import NOTHING, unknown


class PerfTraceCategory(str, Enum):
    COMPUTE = "compute"
    COMM = "comm"
    IO = "io"
    SYNC = "sync"
    SCHEDULER = "scheduler"
    INSTR = "instr"
    MISC = "misc"


Category = PerfTraceCategory
CategoryLike = Union[PerfTraceCategory, str, None]

_OTHER_NAMES = {"communication": "comm", "synchronization": "sync", "scheduling": "scheduler", "instrumentation": "instr"}
_CATEGORIES = {category.value for category in PerfTraceCategory}


class _Events(EnumMeta):
    def __getattr__(cls, name: str) -> Any:
        known = cls.__dict__.get("_member_map_", {})
        return known[name] if name in known else unknown("SessionTraceEvent", name)


class SessionTraceEvent(str, Enum, metaclass=_Events):
    """Those of all generations."""

    FINALIZED = "finalized"
    ENQUEUED = "enqueued"
    EXECUTION_START = "execution_start"
    EXECUTION_END = "execution_end"
    CONSUMED = "consumed"
    DROPPED = "dropped"
    GENERATE_START = "generate_start"
    GENERATE_END = "generate_end"
    REWARD_START = "reward_start"
    REWARD_END = "reward_end"
    TOOLCALL_START = "toolcall_start"
    TOOLCALL_END = "toolcall_end"


def category_of(category: Any) -> str:
    """One of the seven if it is meant, else what was said."""
    if _values.is_a(category, Enum):
        category = category.value
    if not _values.is_a(category, str) or not category.strip():
        return PerfTraceCategory.MISC.value
    word = category.strip().lower()
    word = _OTHER_NAMES.get(word, word)
    return word if word in _CATEGORIES else str.__str__(category)


def word_of(event: Any) -> str:
    """Of an event or its name; empty if it was unknown when it was asked for."""
    return "" if event is NOTHING else short(event.value if _values.is_a(event, Enum) else event)


def phase_of(word: str) -> Optional[Tuple[str, bool]]:
    """Of `generate_start` and the like: the phase, whatever its name, and whether it starts."""
    phase, _, what = word.rpartition("_")
    return (phase, what == "start") if phase and what in ("start", "end") else None
