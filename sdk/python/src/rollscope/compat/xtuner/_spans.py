"""Spans of samples: one per sample for each call, and what happens at an instant."""

from __future__ import annotations

import contextvars
from fractions import Fraction
from time import time_ns
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN_CONTEXT, NonRecordingSpan
from opentelemetry.trace import Span as OtelSpan
from opentelemetry.trace.propagation import _SPAN_KEY

from ... import _values
from ..._client import Rollscope
from ..._locks import ForkLock
from ..._recorder import Recorder
from ..._span import Span, _attach, _detach, _get_current, is_cancellation
from .._recording import SOURCE_STATUS, add_event, add_point, say_once, short
from ._samples import Sample, read, samples_in, stage_of

_MOST_BEGUN = 100_000


class _Frame:
    """The spans of a call, and the calls around it: a sample's span lies in the nearest one of the same sample."""

    def __init__(self, spans: Mapping[str, Span], around: Optional["_Frame"]) -> None:
        self.spans = spans
        self.around = around


_frame: "contextvars.ContextVar[Optional[_Frame]]" = contextvars.ContextVar("rollscope_xtuner", default=None)


def _run_of(client: Rollscope) -> str:
    return client._settings.run_id or str(client._settings.resource_attributes("")["rl.run.id"])


def _around(session: str, trace_id: int) -> Tuple[int, Optional[Span]]:
    """Id of the span that something of this sample lies in, and that span if it is of this process."""
    current = _get_current().get(_SPAN_KEY)
    if isinstance(current, Span) and current.trace_id == trace_id:
        return current.span_id, current
    frame = _frame.get()
    while frame is not None:
        span = frame.spans.get(session)
        if span is not None:
            return span.span_id, span
        frame = frame.around
    if isinstance(current, OtelSpan) and current.get_span_context().trace_id == trace_id:
        return current.get_span_context().span_id, None
    return 0, None


def _span(recorder: Any, run: str, name: str, sample: Sample, start_ns: int = 0) -> Span:
    trace_id = sample.trace_id(run)
    stage = stage_of(name)
    attributes = {**sample.attributes, "rl.stage": stage} if stage != name else sample.attributes
    coordinates = {key: value for key, value in sample.attributes.items() if key.startswith("rl.") and key != "rl.worker.rank"}
    parent_id, _ = _around(sample.session, trace_id)
    return Span(recorder, name, trace_id, parent_id, True, coordinates, attributes, start_ns)


class Group(NonRecordingSpan):
    """What a call does to its samples: a span for each. Also stands for an open call that has no sample yet."""

    def __init__(self, client: Rollscope, name: Any, target: Any, said: Mapping[str, Any]) -> None:
        super().__init__(INVALID_SPAN_CONTEXT)
        self._recorder = client._recorder
        self._run = _run_of(client)
        self._name = short(name) or "unknown"
        self._targets: Sequence[Any] = samples_in(target) or (None,)
        self._said = {key: value for key, value in said.items() if key not in ("elapsed_s", "error_msg", "timestamp_s")}
        self._spans: Dict[str, Span] = {}
        self._tokens: List[Any] = [None, None]
        self.start_ns = time_ns()
        try:
            for sample in self._read(self._targets).values():
                self._spans[sample.session] = _span(self._recorder, self._run, self._name, sample, self.start_ns)
        except BaseException as error:
            _failed_to_record(self._name, error)

    @property
    def is_empty(self) -> bool:
        return not self._spans

    def add(self, attributes: Mapping[str, Any]) -> None:
        """To each span that there is."""
        for span in self._spans.values():
            span.set_attributes(attributes)

    def _read(self, targets: Sequence[Any]) -> Dict[str, Sample]:
        if self._recorder is None:
            return {}
        found = (read(target, self._said) for target in targets)
        return {sample.session: sample for sample in found if sample is not None}

    def enter(self) -> None:
        """What is recorded from here on, in this context, lies in these spans."""
        if not self._spans:
            return
        self._tokens[0] = _frame.set(_Frame(self._spans, _frame.get()))
        if len(self._spans) == 1:
            (span,) = self._spans.values()
            self._tokens[1] = _attach(Context({**_get_current(), _SPAN_KEY: span}))

    def leave(self) -> None:
        frame, context = self._tokens
        self._tokens = [None, None]
        if context is not None:
            _detach(context)
        if frame is not None:
            try:
                _frame.reset(frame)
            except ValueError:
                pass  # ended in another context than it was begun in: nothing of it is left here

    def end(self, end_time: Optional[int] = None, returned: Any = None, error: Optional[BaseException] = None) -> None:
        """Each sample as it is now; those that were returned as they were returned."""
        end_ns = end_time or time_ns()
        try:
            samples = self._read(self._targets)
            samples.update(self._read(samples_in(returned)))
            for session, sample in samples.items():
                span = self._spans.get(session)
                if span is None:
                    # It had no uid when the call began.
                    span = self._spans[session] = _span(self._recorder, self._run, self._name, sample, self.start_ns)
                tell(span, sample)
        except BaseException as broken:
            _failed_to_record(self._name, broken)
        for span in self._spans.values():
            if error is not None and not span.end_ns:
                fail(span, error)
            span.end(end_ns)

    def _failed(self, error: BaseException) -> None:
        self.end(error=error)


def tell(span: Span, sample: Sample) -> None:
    """What has become of a sample while the span was open."""
    before = (span.attributes or {}).get(SOURCE_STATUS)
    span.set_attributes(sample.attributes)
    if before is not None and sample.status is not None and sample.status != before:
        span.set_attributes({SOURCE_STATUS + ".start": before})


def fail(span: Span, error: BaseException) -> None:
    span._failed(error)
    if not is_cancellation(error):
        span.set_attributes({"error": True})


def _failed_to_record(name: str, error: BaseException) -> None:
    say_once("span " + name, "not recorded as it should be: %s", _values.error_text(error))


class _Begun:
    """Spans that an event `x.start` has begun and none has ended, newest last."""

    def __init__(self) -> None:
        self._lock = ForkLock()
        self._open: Dict[Tuple[str, str], List[Span]] = {}
        self._count = 0

    def add(self, session: str, span: Span) -> None:
        with self._lock:
            if self._count < _MOST_BEGUN:
                self._count += 1
                self._open.setdefault((session, span.name), []).append(span)

    def take(self, session: str, name: str) -> Optional[Span]:
        with self._lock:
            spans = self._open.get((session, name))
            if not spans:
                return None
            self._count -= 1
            span = spans.pop()
            if not spans:
                del self._open[(session, name)]
            return span


_begun = _Begun()


def happened(client: Rollscope, target: Any, stage: Any, said: Mapping[str, Any]) -> None:
    """Something at an instant, for each sample. `x.start`, `x.end` and `x.error` begin and end a span."""
    recorder = client._recorder
    if recorder is None:
        return
    try:
        stage = short(stage) or "unknown"
        at_ns = _nanoseconds(said.get("timestamp_s")) or time_ns()
        for each in samples_in(target) or (None,):
            sample = read(each, said)
            if sample is not None:
                _sample_happened(recorder, _run_of(client), sample, stage, said, at_ns)
    except BaseException as error:
        _failed_to_record(short(stage), error)


def _sample_happened(recorder: Recorder, run: str, sample: Sample, stage: str, said: Mapping[str, Any], at_ns: int) -> None:
    name, dot, word = stage.rpartition(".")
    if name and word == "start":
        return _begun.add(sample.session, _span(recorder, run, name, sample, at_ns))
    if name and word in ("end", "error"):
        span = _begun.take(sample.session, name)
        elapsed_ns = _nanoseconds(said.get("elapsed_s"))
        if span is None and elapsed_ns is not None:
            span = _span(recorder, run, name, sample, max(1, at_ns - elapsed_ns))
        if span is not None:
            tell(span, sample)
            if word == "error":
                _fail_by_text(span, said.get("error_msg"))
            return span.end(at_ns)
    trace_id = sample.trace_id(run)
    parent_id, around = _around(sample.session, trace_id)
    if not add_event(around, stage, sample.news(), at_ns):
        add_point(recorder, stage, trace_id, parent_id, sample.attributes, at_ns)


def _fail_by_text(span: Span, message: Any) -> None:
    kind, colon, text = str(message or "error").partition(": ")
    span.set_attributes({"error": True})
    span.fail(text if colon else kind)
    if colon:
        span.set_attributes({"error.type": short(kind)})


def _nanoseconds(seconds: Any) -> Optional[int]:
    try:
        return None if seconds is None else max(0, round(Fraction(seconds) * 1_000_000_000))
    except BaseException:
        return None
