"""Metrics as a caller sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional

from . import _misuse, _values
from ._metrics import Definition

if TYPE_CHECKING:
    from ._client import Rollscope


class Instrument:
    """A metric. `step` is the training step a value belongs to; without it, that of the current batch."""

    def __init__(self, client: "Rollscope", definition: Definition) -> None:
        self._client = client
        self._definition = definition

    @property
    def name(self) -> str:
        return self._definition.name

    def _record(self, value: Any, labels: Optional[Mapping[str, Any]], step: Optional[int], more: Mapping[str, Any]) -> None:
        recorder = self._client._recorder
        if recorder is not None:
            if step is None:
                step = self._client._current_step()
            recorder.metrics.record(self._definition, value, step, _values.merged(labels, more))


@_misuse.lenient_methods("add")
class Counter(Instrument):
    """Something that only grows: tokens, samples, errors."""

    def add(self, amount: Any = 1, labels: Optional[Mapping[str, Any]] = None, *, step: Optional[int] = None, **more: Any) -> None:
        self._record(amount, labels, step, more)


@_misuse.lenient_methods("set")
class Gauge(Instrument):
    """Something that goes up and down: a reward, a queue's length. Every value is kept."""

    def set(self, value: Any, labels: Optional[Mapping[str, Any]] = None, *, step: Optional[int] = None, **more: Any) -> None:
        self._record(value, labels, step, more)


@_misuse.lenient_methods("record")
class Histogram(Instrument):
    """Something of which the distribution counts: lengths, latencies."""

    def record(self, value: Any, labels: Optional[Mapping[str, Any]] = None, *, step: Optional[int] = None, **more: Any) -> None:
        self._record(value, labels, step, more)
