"""Counters, gauges and histograms. Labels are texts; the name is sent as it is given."""

from __future__ import annotations

from typing import Any, Mapping

from ... import _values
from ..._metrics import DEFAULT_BUCKETS, Definition
from .._unknown import forgiving
from ._monitor import Monitor, active


@forgiving(None)
def metric_count(name: str, amount: float = 1.0, documentation: str = "", **labels: Any) -> None:
    """Adds to a counter."""
    _record("counter", name, amount, documentation, labels)


@forgiving(None)
def metric_gauge(name: str, value: float, documentation: str = "", **labels: Any) -> None:
    """Sets a gauge; every value is kept."""
    _record("gauge", name, value, documentation, labels)


@forgiving(None)
def metric_histogram(name: str, value: float, documentation: str = "", **labels: Any) -> None:
    """Adds a value to a distribution."""
    _record("histogram", name, value, documentation, labels)


#: The first generation's names.
metric_value = metric_gauge
metric_distribution = metric_histogram


def _record(kind: str, name: str, value: Any, documentation: str, labels: Mapping[str, Any]) -> None:
    monitor = active()
    if monitor is not None:
        record(monitor, kind, name, value, documentation, monitor.labelled(labels))


def record(monitor: Monitor, kind: str, name: str, value: Any, documentation: str, labels: Mapping[str, Any]) -> None:
    recorder = monitor.client._recorder
    if recorder is not None:
        name = _values.text(name)
        said = "" if documentation is None else _values.text(documentation)
        description = said or "%s %s" % (kind.capitalize(), name)
        definition = Definition(kind, name, "", description, DEFAULT_BUCKETS if kind == "histogram" else ())
        recorder.metrics.record(definition, value, monitor.client._current_step(), labels)
