"""Where the work of an open span stands: the stack of its thread or of its asyncio task, when the server asks (contracts.md 3.20).

A span costs nothing but the number of its thread for this. Which task has it open is found when it matters: the one in whose
context it is the current span. What such a task awaits is followed: its coroutines, other tasks, and work in an executor's thread.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
import time
import weakref
from collections import deque
from types import CodeType, FrameType
from typing import Any, Deque, Dict, Iterable, Iterator, List, NamedTuple, Optional

from opentelemetry.trace.propagation import _SPAN_KEY

from . import _values
from ._recorder import LogRecord
from ._span import OUR_KEY, Span

MAX_FRAMES = 64
MAX_TEXT = 8000
#: Of one frame; of a longer path its end is kept.
MAX_PATH = 200
MOST_A_MINUTE = 6
_MINUTE_S = 60.0
#: One task awaits another, which awaits another.
_MAX_TASKS = 8
#: Deeper stacks than this are cut where they began.
_MAX_DEPTH = 1000

_OWN_FOLDER = __file__.rpartition("_stacks")[0]
#: Functions of asyncio that wait for tasks without saying for which.
_GATHERING = frozenset(("wait_for", "_wait", "_aexit", "__aexit__"))


class Stacks:
    """Answers the server's questions: once for a span, and so often a minute."""

    def __init__(self, clock: Any = time.monotonic) -> None:
        self._clock = clock
        self._answered: Deque[float] = deque()

    def records(self, open_spans: Dict[int, Span], wanted: str) -> List[LogRecord]:
        """Of the spans whose ids these are and that are open, and of which no stack was recorded."""
        found: List[LogRecord] = []
        for text in wanted[:1000].split(","):
            span = open_spans.get(_span_id(text))
            if span is None or span.has_stack or not self._may_answer():
                continue
            span.has_stack = True
            frames = _cut(_lines(span))
            if frames:
                attributes = {"rollscope.stack.frames": frames}
                found.append(LogRecord("rollscope.stack", time.time_ns(), span.trace_id, span.span_id, attributes))
        return found

    def _may_answer(self) -> bool:
        now = self._clock()
        while self._answered and now - self._answered[0] >= _MINUTE_S:
            self._answered.popleft()
        if len(self._answered) >= MOST_A_MINUTE:
            return False
        self._answered.append(now)
        return True


def _span_id(text: str) -> int:
    try:
        return int(text.strip(), 16)
    except ValueError:
        return 0


class _Place(NamedTuple):
    """Where a function stands. Neither its locals nor its arguments are looked at."""

    code: CodeType
    line: Optional[int]
    name: str


def _cut(lines: Iterable[str]) -> str:
    """The innermost frames, as many as may be sent."""
    kept: List[str] = []
    room = MAX_TEXT
    for line in lines:
        room -= len(line) + 1
        if room < 0 or len(kept) == MAX_FRAMES:
            break
        kept.append(line)
    return "\n".join(kept)


def _lines(span: Span) -> Iterator[str]:
    for place in _places(span):
        path = place.code.co_filename
        if not path.startswith(_OWN_FOLDER):
            if len(path) > MAX_PATH:
                path = "\u2026" + path[-MAX_PATH:]
            function = place.name.replace(" ", "_")
            yield _values.readable("%s %s:%d" % (function[-MAX_PATH:], path, place.line or 0), 3 * MAX_PATH)


def _places(span: Span) -> List[_Place]:
    """Innermost first."""
    frames = sys._current_frames()
    try:
        tasks = _tasks_of(span)
        if tasks:
            return _places_of_task(tasks[0], tasks, frames)
        places = _places_of_thread(frames.get(span.thread))
        if not places or any("futures" in place.code.co_filename for place in places[:4]):
            works = [work for work in map(_work_frame, frames.values()) if work is not None and _runs_in(work, span)]
            places = [*(_places_of_work(works[0], frames) if works else ()), *places]
        return places
    finally:
        del frames  # of ourselves, too: a frame that refers to itself stays until the next collection


# ── threads ──


def _places_of_thread(frame: Optional[FrameType]) -> List[_Place]:
    """Nothing of a thread whose event loop waits for something to do: that is no work of a span."""
    places = list(_walk(frame))
    if any(p.name.endswith("_run_once") for p in places[1:3]) and places[0].code.co_filename.endswith("selectors.py"):
        return []
    return places


def _walk(frame: Optional[FrameType], until: Optional[FrameType] = None) -> Iterator[_Place]:
    depth = 0
    while frame is not None and frame is not until and depth < _MAX_DEPTH:
        yield _Place(frame.f_code, frame.f_lineno, getattr(frame.f_code, "co_qualname", frame.f_code.co_name))
        frame, depth = frame.f_back, depth + 1


def _work_frame(frame: Optional[FrameType]) -> Optional[FrameType]:
    """The frame in which an executor's thread runs what was submitted to it."""
    depth = 0
    while frame is not None and depth < _MAX_DEPTH:
        if frame.f_code.co_name == "run" and frame.f_code.co_filename.endswith("thread.py") and "futures" in frame.f_code.co_filename:
            return frame
        frame, depth = frame.f_back, depth + 1
    return None


def _runs_in(frame: FrameType, span: Span) -> bool:
    """Whether this work was submitted with a context in which the span is the current one, as `asyncio.to_thread` does."""
    call = getattr(frame.f_locals.get("self"), "fn", None)
    run = getattr(call, "func", call)
    return _is_current(span, getattr(run, "__self__", None))


def _places_of_work(work: FrameType, frames: Dict[int, FrameType]) -> List[_Place]:
    for frame in frames.values():
        if _work_frame(frame) is work:
            return list(_walk(frame, work))
    return []


# ── tasks ──


def _all_tasks() -> List[Any]:
    """Of all event loops; the sets grow and shrink while they are read."""
    found: List[Any] = []
    for name in ("_all_tasks", "_scheduled_tasks", "_eager_tasks"):
        for _ in range(10):
            try:
                found.extend(getattr(asyncio.tasks, name, ()))
                break
            except RuntimeError:
                continue
    return [task for task in found if not task.done()]


#: A forked child finds the loops of its parent, which seem to run and must not be woken.
_parents_loops: "weakref.WeakSet[Any]" = weakref.WeakSet()


def forget_loops() -> None:
    """In a forked child."""
    for loop in _loops():
        try:
            _parents_loops.add(loop)
        except TypeError:  # of a kind that cannot be referred to: no probe is sent to it
            pass


def running_loops() -> List[Any]:
    """Event loops with something to do."""
    return [loop for loop in _loops() if loop.is_running() and loop not in _parents_loops]


def _loops() -> List[Any]:
    return list({id(loop): loop for loop in (task.get_loop() for task in _all_tasks())}.values())


def _tasks_of(span: Span) -> List[Any]:
    """Tasks in which the span is the current one, the oldest first: the others were made inside of it."""
    found = {id(task): task for task in _all_tasks() if _is_current(span, _context(task))}
    return sorted(found.values(), key=_age)


def _age(task: Any) -> int:
    name = task.get_name()
    return int(name[5:]) if name.startswith("Task-") and name[5:].isdigit() else sys.maxsize


def _context(task: Any) -> Any:
    """That of a task, which Python says since 3.12; before, of one that awaits something, as its waking up runs in it."""
    if hasattr(task, "get_context"):
        return task.get_context()
    for entry in getattr(getattr(task, "_fut_waiter", None), "_callbacks", None) or ():
        if getattr(entry[0], "__self__", task) is task:
            return entry[1]
    return None


def _is_current(span: Span, context: Any) -> bool:
    if isinstance(context, contextvars.Context):
        for value in context.values():
            if isinstance(value, dict) and (value.get(_SPAN_KEY) is span or value.get(OUR_KEY) is span):
                return True
    return False


def _places_of_task(task: Any, inside: List[Any], frames: Dict[int, FrameType]) -> List[_Place]:
    """What a task awaits, innermost first."""
    outermost_first: List[_Place] = []
    seen: List[Any] = []
    while task is not None and len(seen) < _MAX_TASKS:
        seen.append(task)
        running = _running_frame(task, frames)
        if running is not None:
            outermost_first += reversed(list(_walk(running)))
            break
        outermost_first += _awaits(task.get_coro())
        last = outermost_first[-1] if outermost_first else None
        following = _awaited(task, last, inside)
        if following is None:
            work = _awaited_work(task, frames)
            if work is not None:
                outermost_first += reversed(_places_of_work(work, frames))
        task = following if following not in seen else None
    return outermost_first[::-1]


def _running_frame(task: Any, frames: Dict[int, FrameType]) -> Optional[FrameType]:
    """Of a task that computes, or blocks its loop, at this moment."""
    coroutine = task.get_coro()
    if not getattr(coroutine, "cr_running", False):
        return None
    for frame in frames.values():
        at: Optional[FrameType] = frame
        depth = 0
        while at is not None and depth < _MAX_DEPTH:
            if at is coroutine.cr_frame:
                return frame
            at, depth = at.f_back, depth + 1
    return None


def _awaits(work: Any) -> List[_Place]:
    """A coroutine and what it awaits: coroutines, generators, asynchronous generators."""
    places: List[_Place] = []
    while work is not None and len(places) < _MAX_DEPTH:
        for prefix, awaited in (("cr_", "await"), ("gi_", "yieldfrom"), ("ag_", "await")):
            code = getattr(work, prefix + "code", None)
            if code is not None:
                frame = getattr(work, prefix + "frame", None)
                name = getattr(work, "__qualname__", code.co_name)
                places.append(_Place(code, frame.f_lineno if frame is not None else code.co_firstlineno, name))
                work = getattr(work, prefix + awaited, None)
                break
        else:
            break
    return places


def _awaited(task: Any, last: Optional[_Place], inside: List[Any]) -> Any:
    """The task that a task waits for, or None."""
    waiter = getattr(task, "_fut_waiter", None)
    for other in (waiter, *(getattr(waiter, "_children", None) or ())):
        if isinstance(other, asyncio.Task) and not other.done():
            return other
    if last is not None and last.code.co_name in _GATHERING and "asyncio" in last.code.co_filename:
        return next((other for other in inside if _age(other) > _age(task)), None)
    return None


def _awaited_work(task: Any, frames: Dict[int, FrameType]) -> Optional[FrameType]:
    """The frame of what a task has given to an executor and waits for."""
    sources = set()
    for entry in getattr(getattr(task, "_fut_waiter", None), "_callbacks", None) or ():
        for cell in getattr(entry[0], "__closure__", None) or ():
            sources.add(id(cell.cell_contents))
    for frame in frames.values():
        work = _work_frame(frame) if sources else None
        if work is not None and id(getattr(work.f_locals.get("self"), "future", None)) in sources:
            return work
    return None
