"""Counters, gauges and histograms of one process.

Every value set on a gauge is a point of its own. Counters and histograms are kept as sums since the start; a point is taken
every few seconds and whenever the training step moves on, so that each step has its own value.
"""

from __future__ import annotations

import logging
import math
import threading
from bisect import bisect_left
from collections import Counter as Tally
from collections import deque
from time import time_ns
from typing import Any, Callable, Deque, Dict, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from . import _values

log = logging.getLogger("rollscope")

MAX_SERIES = 2000
DEFAULT_BUCKETS: Tuple[float, ...] = tuple(
    float("%ge%d" % (digit, power)) for power in range(-3, 6) for digit in (1, 2.5, 5)
) + (1e6,)

Labels = Tuple[Tuple[str, str], ...]


class Point(NamedTuple):
    """One sample of a series. `value` is a histogram's sum."""

    kind: str
    name: str
    unit: str
    description: str
    time_ns: int
    start_ns: int
    attributes: Dict[str, Any]
    value: float
    count: int = 0  # type: ignore[assignment]
    bounds: Sequence[float] = ()
    bucket_counts: Sequence[int] = ()
    least: float = 0.0
    most: float = 0.0


class Definition(NamedTuple):
    kind: str
    name: str
    unit: str
    description: str
    bounds: Tuple[float, ...]


class _Series:
    """A counter's or histogram's sum since the start, of one set of labels."""

    __slots__ = ("definition", "labels", "start_ns", "step", "value", "count", "buckets", "least", "most", "changed")

    def __init__(self, definition: Definition, labels: Labels) -> None:
        self.definition = definition
        self.labels = labels
        self.start_ns = time_ns()
        self.step: Optional[int] = None
        self.value = 0.0
        self.count = 0
        self.buckets = [0] * (len(definition.bounds) + 1) if definition.kind == "histogram" else []
        self.least = math.inf
        self.most = -math.inf
        self.changed = False

    def add(self, value: float) -> None:
        self.value += value
        self.changed = True
        if self.buckets:
            self.count += 1
            self.buckets[bisect_left(self.definition.bounds, value)] += 1
            self.least = min(self.least, value)
            self.most = max(self.most, value)

    def point(self, now_ns: int) -> Point:
        self.changed = False
        definition = self.definition
        return Point(
            definition.kind,
            definition.name,
            definition.unit,
            definition.description,
            now_ns,
            self.start_ns,
            _with_step(self.labels, self.step),
            self.value,
            self.count,
            definition.bounds,
            tuple(self.buckets),
            self.least,
            self.most,
        )


def _with_step(labels: Labels, step: Optional[int]) -> Dict[str, Any]:
    attributes: Dict[str, Any] = dict(labels)
    if step is not None:
        attributes["rl.train_step"] = step
    return attributes


class Metrics:
    """All series of a process. A lock, because sums are read and written; metrics are far rarer than spans."""

    def __init__(self, limit: int, clock: Callable[[], int] = time_ns) -> None:
        self._limit = limit
        self._clock = clock
        self._lock = threading.RLock()
        self._definitions: Dict[str, Definition] = {}
        self._label_names: Dict[str, Tuple[str, ...]] = {}
        self._series: Dict[Tuple[str, Labels], _Series] = {}
        self._series_of: Dict[str, Set[Labels]] = {}
        self._points: Deque[Point] = deque()
        self._warned: Set[Tuple[str, str]] = set()
        self.dropped = 0
        self.on_first: Optional[Callable[[], None]] = None

    def define(self, definition: Definition) -> Definition:
        """The definition that counts: the first of its name."""
        with self._lock:
            if len(self._definitions) >= MAX_SERIES and definition.name not in self._definitions:
                return definition
            return self._definitions.setdefault(definition.name, definition)

    def record(self, wanted: Definition, value: Any, step: Optional[int], labels: Mapping[str, Any]) -> None:
        try:
            number = float(value)
            step = None if step is None else int(step)
        except BaseException:
            return self.refuse(wanted.name, "value or step", "%r, %r" % (_values.text(value), _values.text(step)), "numbers")
        try:
            key: Labels = tuple(sorted([(_values.text(name), _values.text(label)) for name, label in labels.items()]))
            with self._lock:
                self._record(wanted, number, step, key)
        except BaseException as error:
            self.refuse(wanted.name, "labels", _values.text(error), "names and values that have a text")

    def _record(self, wanted: Definition, value: float, step: Optional[int], labels: Labels) -> None:
        if self.on_first is not None:
            self.on_first()
            self.on_first = None
        definition = self.define(wanted)
        name = definition.name
        if definition.kind != wanted.kind or definition.bounds != wanted.bounds:
            return self.refuse(name, "kind", _shape(wanted), "%s, as it was first used" % _shape(definition))
        if definition.kind != "gauge" and (not math.isfinite(value) or (definition.kind == "counter" and value < 0)):
            return self.refuse(name, "value", str(value), "a finite number, not negative for a counter")
        label_names = tuple(label for label, _ in labels)
        known = self._label_names.setdefault(name, label_names) if len(self._label_names) < MAX_SERIES else label_names
        if known != label_names:
            return self.refuse(name, "labels", ", ".join(label_names) or "none", ", ".join(known) or "none")
        if not self._has_room(name, labels):
            return self.refuse(name, "series", "more than %d" % MAX_SERIES, self._fewer(name))
        if definition.kind == "gauge":
            return self._put(_gauge_point(definition, self._clock(), labels, step, value))
        series = self._series.get((name, labels))
        if series is None:
            series = self._series[(name, labels)] = _Series(definition, labels)
        if step != series.step:
            if series.changed:
                self._put(series.point(self._clock()))
            series.step = step
        series.add(value)

    def _has_room(self, name: str, labels: Labels) -> bool:
        known = self._series_of.get(name)
        if known is None:
            if len(self._series_of) >= MAX_SERIES:
                return False
            known = self._series_of[name] = set()
        if labels not in known:
            if len(known) >= MAX_SERIES:
                return False
            known.add(labels)
        return True

    def _fewer(self, name: str) -> str:
        """Of what there is too much; takes its time, so only when it will be said."""
        if (name, "series") in self._warned:
            return ""
        if name not in self._series_of:
            return "fewer names of metrics"
        values = Tally(label for label, _ in {pair for labels in self._series_of[name] for pair in labels})
        return "fewer values of label %s" % values.most_common(1)[0][0]

    def _put(self, point: Point) -> None:
        if len(self._points) < self._limit:
            self._points.append(point)
        else:
            self.dropped += 1

    def refuse(self, name: str, what: str, value: str, expected: str) -> None:
        self.dropped += 1
        if (name, what) not in self._warned and len(self._warned) < MAX_SERIES:
            self._warned.add((name, what))
            said = map(_values.readable, (name, what, value, expected))
            log.warning("metric %s: %s: %s (expected: %s); values like this are dropped", *said)

    def waiting(self) -> int:
        return len(self._points)

    def abandon(self) -> None:
        """Takes nothing any more."""
        self._limit = 0
        self._points.clear()

    def collect(self, sums: bool) -> List[Point]:
        """What is to be sent now; `sums`: also where counters and histograms stand."""
        with self._lock:
            points = list(self._points)
            self._points.clear()
            if sums:
                now = self._clock()
                points.extend(series.point(now) for series in self._series.values() if series.changed)
            return points


def _gauge_point(definition: Definition, now_ns: int, labels: Labels, step: Optional[int], value: float) -> Point:
    return Point("gauge", definition.name, definition.unit, definition.description, now_ns, 0, _with_step(labels, step), value)


def _shape(definition: Definition) -> str:
    return definition.kind if definition.kind != "histogram" else "histogram with %d buckets" % (len(definition.bounds) + 1)
