"""The words of AReaL's tracer."""

from __future__ import annotations

from enum import Enum
from typing import Any, Optional, Tuple


class PerfTraceCategory(str, Enum):
    COMPUTE = "compute"
    COMM = "comm"
    IO = "io"
    SYNC = "sync"
    SCHEDULER = "scheduler"
    INSTR = "instr"
    MISC = "misc"


Category = PerfTraceCategory

_OTHER_NAMES = {"communication": "comm", "synchronization": "sync", "scheduling": "scheduler", "instrumentation": "instr"}
_CATEGORIES = {category.value for category in PerfTraceCategory}


class SessionTraceEvent(str, Enum):
    FINALIZED = "finalized"
    GENERATE_START = "generate_start"
    GENERATE_END = "generate_end"
    REWARD_START = "reward_start"
    REWARD_END = "reward_end"
    TOOLCALL_START = "toolcall_start"
    TOOLCALL_END = "toolcall_end"


def category_of(category: Any) -> str:
    """One of the seven if it is meant, else what was said."""
    if isinstance(category, Enum):
        category = category.value
    if not isinstance(category, str) or not category.strip():
        return PerfTraceCategory.MISC.value
    word = category.strip().lower()
    word = _OTHER_NAMES.get(word, word)
    return word if word in _CATEGORIES else category


def phase_of(event: Any) -> Optional[Tuple[str, bool]]:
    """Of `generate_start` and the like: the phase, whatever its name, and whether it starts."""
    word = event.value if isinstance(event, Enum) else event
    if not isinstance(word, str):
        return None
    phase, _, what = word.rpartition("_")
    return (phase, what == "start") if phase and what in ("start", "end") else None
