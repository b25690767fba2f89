"""Stores in memory and recorders that somebody makes: what is traced under `use_trace_recorder` goes there, and nowhere else."""

from __future__ import annotations

import collections
import contextlib
import contextvars
import dataclasses
import itertools
import json
import os
import time
from typing import IO, Any, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from opentelemetry.trace import INVALID_SPAN_CONTEXT, NonRecordingSpan

from ... import _values
from ..._locks import ForkLock
from .._recording import say_once
from .._unknown import forgiving
from ._config import TraceConfig
from ._samples import build_trace_id, resolve, samples_in

TRACE_JSONL_BASENAME = "producer_trace"
TRACE_JSONL_SHARD_BYTES = 256 * 1024 * 1024

_writers = itertools.count(1)


@dataclasses.dataclass(frozen=True)
class TraceEvent:
    """One line of XTuner's files."""

    trace_id: str
    stage: str
    timestamp_s: float
    status: Optional[str] = None
    task_name: Optional[str] = None
    uid: Union[int, str, None] = None
    session_uid: Union[int, str, None] = None
    train_step: Optional[int] = None
    model_step: Optional[int] = None
    producer_future_step: Optional[int] = None
    produce_batch_id: Optional[str] = None
    worker_rank: Optional[int] = None
    elapsed_s: Optional[float] = None
    error_msg: Optional[str] = None

    def to_dict(self) -> Dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "TraceEvent":
        known: Dict[str, Any] = {field.name: data.get(field.name) for field in dataclasses.fields(cls)}
        known.update(trace_id=str(data["trace_id"]), stage=str(data["stage"]), timestamp_s=float(data["timestamp_s"]))
        return cls(**known)


@forgiving(None)
def build_trace_event(target: Any, stage: str, **said: Any) -> Optional[TraceEvent]:
    """An event of a sample as it is now; None without a uid."""
    known = resolve(target, said)
    trace_id = build_trace_id(known["task_name"], known["uid"])
    if trace_id is None:
        return None
    status, at = known.pop("status"), said.get("timestamp_s")
    return TraceEvent(
        trace_id,
        stage,
        time.time() if at is None else at,
        status=None if status is None else str(status),
        elapsed_s=said.get("elapsed_s"),
        error_msg=said.get("error_msg"),
        **known,
    )


class InMemoryTraceStore:
    """Events by trace id, the oldest going first; with an `output_dir` each is also a line of a file there, as in XTuner."""

    def __init__(self, config: Optional[TraceConfig] = None) -> None:
        self.config = TraceConfig.of(config)
        self._lock = ForkLock()
        self._timelines: Dict[str, Deque[Tuple[int, TraceEvent]]] = {}
        #: Trace id of each event by its number, oldest first.
        self._order: Dict[int, str] = {}
        self._numbers = itertools.count()
        folder = self.config.output_dir if self.config.enabled else None
        self._file = _File(folder) if folder else None

    def append(self, event: TraceEvent) -> None:
        if not self.config.enabled:
            return
        with self._lock:
            number = next(self._numbers)
            timeline = self._timelines.setdefault(event.trace_id, collections.deque())
            timeline.append((number, event))
            self._order[number] = event.trace_id
            if len(timeline) > max(1, self.config.max_events_per_trace):
                self._forget(event.trace_id)
            if len(self._order) > max(1, self.config.max_events):
                self._forget(self._order[next(iter(self._order))])
            if self._file is not None:
                self._file.write(event)

    def _forget(self, trace_id: str) -> None:
        """The oldest event of a trace."""
        timeline = self._timelines[trace_id]
        number, _ = timeline.popleft()
        del self._order[number]
        if not timeline:
            del self._timelines[trace_id]

    def get_timeline(self, trace_id: str) -> List[TraceEvent]:
        with self._lock:
            return [event for _, event in self._timelines.get(trace_id, ())]

    def get_all_timelines(self) -> Dict[str, List[TraceEvent]]:
        with self._lock:
            return {trace_id: [event for _, event in timeline] for trace_id, timeline in self._timelines.items()}

    def get_latest(self, trace_id: str) -> Optional[TraceEvent]:
        timeline = self.get_timeline(trace_id)
        return timeline[-1] if timeline else None

    def query_latest(self) -> Dict[str, TraceEvent]:
        with self._lock:
            return {trace_id: timeline[-1][1] for trace_id, timeline in self._timelines.items()}

    def has_stage(self, trace_id: str, stage: str) -> bool:
        return any(event.stage == stage for event in self.get_timeline(trace_id))

    def flush_jsonl(self) -> bool:
        """Whether all is in the file: each line is written at once."""
        return self._file is None or not self._file.lost

    def close(self) -> bool:
        with self._lock:
            file, self._file = self._file, None
            return file is None or file.close()


class _File:
    """Shards of one store. Without a place to write, the store goes on in memory."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, "%s_%d_%04d_%%06d.jsonl" % (TRACE_JSONL_BASENAME, os.getpid(), next(_writers)))
        self._shard = 0
        self._bytes = 0
        self._file: Optional[IO[bytes]] = None
        self.lost = 0

    def write(self, event: TraceEvent) -> None:
        try:
            line = json.dumps(event.to_dict(), ensure_ascii=False, separators=(",", ":"), default=_values.text).encode("utf-8", "replace") + b"\n"
            if self._file is not None and self._bytes + len(line) > TRACE_JSONL_SHARD_BYTES:
                self.close()
                self._shard += 1
            if self._file is None:
                os.makedirs(os.path.dirname(self._path), exist_ok=True)
                self._file = open(self._path % self._shard, "ab", buffering=0)
                self._bytes = os.fstat(self._file.fileno()).st_size
            self._file.write(line)
            self._bytes += len(line)
        except BaseException as error:
            self.lost += 1
            say_once("trace file " + self._path % self._shard, "%s; events stay in memory only", _values.error_text(error))

    def close(self) -> bool:
        file, self._file = self._file, None
        try:
            if file is not None:
                file.close()
        except OSError:
            self.lost += 1
        return not self.lost


class NoopTraceRecorder:
    """Records nothing."""

    @forgiving(None)
    def record(self, target: Any, stage: str, **said: Any) -> Optional[TraceEvent]:
        return None

    @forgiving(())
    def record_many(self, targets: Iterable[Any], stage: str, **said: Any) -> List[TraceEvent]:
        events = [self.record(target, stage, **said) for target in targets]
        return [event for event in events if event is not None]

    @forgiving()
    async def mark(self, target: Any, stage: str, **said: Any) -> Optional[TraceEvent]:
        return self.record(target, stage, **said)

    @forgiving()
    async def mark_many(self, targets: Iterable[Any], stage: str, **said: Any) -> List[TraceEvent]:
        return self.record_many(targets, stage, **said)


class TraceRecorder(NoopTraceRecorder):
    """Puts events into a store."""

    def __init__(self, store: InMemoryTraceStore) -> None:
        self.store = store

    @forgiving(None)
    def record(self, target: Any, stage: str, **said: Any) -> Optional[TraceEvent]:
        try:
            event = build_trace_event(target, stage, **said)
            if event is not None:
                self.store.append(event)
            return event
        except BaseException as error:
            say_once("event " + _values.text(stage), "not recorded: %s", _values.error_text(error))
            return None


_recorder: "contextvars.ContextVar[Optional[NoopTraceRecorder]]" = contextvars.ContextVar("rollscope_xtuner_recorder", default=None)
#: The recorder of this context, if somebody has set one.
recorder_here = _recorder.get


@forgiving()
@contextlib.contextmanager
def use_trace_recorder(recorder: NoopTraceRecorder) -> Iterator[None]:
    """What is traced inside goes to this recorder, and not to Rollscope."""
    token = _recorder.set(recorder)
    try:
        yield
    finally:
        _recorder.reset(token)


def forget_recorder() -> None:
    _recorder.set(None)


def record_all(recorder: NoopTraceRecorder, target: Any, stage: str, said: Mapping[str, Any]) -> Union[TraceEvent, List[TraceEvent], None]:
    """For the sample, or each of a list: one event, or one for each."""
    try:
        samples = samples_in(target)
        if len(samples) > 1:
            return recorder.record_many(samples, stage, **said)
        return recorder.record(samples[0] if samples else None, stage, **said)
    except BaseException as error:  # a recorder of somebody's own
        say_once("event " + stage, "not recorded: %s", _values.error_text(error))
        return None


class StoredCall(NonRecordingSpan):
    """A call or a block whose start and end are events of a recorder."""

    def __init__(self, recorder: NoopTraceRecorder, name: Any, target: Any, said: Mapping[str, Any]) -> None:
        super().__init__(INVALID_SPAN_CONTEXT)
        self._what = (recorder, _values.text(name))
        self._target = target
        self._said = {key: value for key, value in said.items() if key not in ("elapsed_s", "error_msg")}
        self._start_s = time.monotonic()
        self._ended = False
        record_all(recorder, target, self._what[1] + ".start", self._said)

    def enter(self) -> None:
        """Nothing of it is in the context."""

    leave = enter

    def end(self, end_time: Optional[int] = None, returned: Any = None, error: Optional[BaseException] = None) -> None:
        if self._ended:
            return
        self._ended = True
        recorder, name = self._what
        said = {**self._said, "elapsed_s": time.monotonic() - self._start_s}
        if error is not None:
            record_all(recorder, self._target, name + ".error", {**said, "error_msg": _short_error(error)})
        else:
            record_all(recorder, returned if samples_in(returned) else self._target, name + ".end", said)

    def _failed(self, error: BaseException) -> None:
        self.end(error=error)


def _short_error(error: BaseException) -> str:
    message = "%s: %s" % (type(error).__name__, _values.text(error))
    return message if len(message) <= _values.ERROR_TEXT else message[: _values.ERROR_TEXT - 3] + "..."
