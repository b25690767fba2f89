"""`Rollscope`: everything a training loop calls."""

from __future__ import annotations

import concurrent.futures
import contextvars
import functools
import logging
import math
import os
import sys
from typing import Any, Callable, Dict, Mapping, MutableMapping, Optional, Sequence, Set, Tuple, TypeVar, Union, overload

from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN
from opentelemetry.trace.propagation import _SPAN_KEY

from . import _checks, _ids, _lifecycle, _misuse, _propagation, _settings, _values
from ._containers import Batch, Lanes, Session, State, Task
from ._decorate import traced
from ._host import HostMetrics
from ._instruments import Counter, Gauge, Histogram
from ._json import JsonEncoder
from ._metrics import DEFAULT_BUCKETS, Definition, Metrics
from ._noop import NO_SPAN
from ._protobuf import ProtobufEncoder
from ._recorder import Recorder
from ._sender import Sender, stats_of_nothing
from ._span import Span, _get_current
from ._spool import SpoolTransport
from ._stacks import Stacks, forget_loops
from ._version import VERSION
from .transport import OtlpTransport, Transport

log = logging.getLogger("rollscope")

F = TypeVar("F", bound=Callable[..., Any])
#: What was printed last, so that it is not printed again.
_announced = ""
_OURS = frozenset((Span, Session, Task, Batch))
_OP: Dict[str, Any] = {"rl.kind": "op"}
_NO_PHASE: Span = NO_SPAN
_NO_BATCH: Batch = NO_SPAN
_NO_TASK: Task = NO_SPAN
_NO_SESSION: Session = NO_SPAN
_NO_STATE: State = NO_SPAN


_LENIENT = "flush close dropped stats batch task session state trace inject extract environment runtime_env bind".split()


@_misuse.lenient_methods(*_LENIENT)
class Rollscope:
    """Records what a process does and sends it. Until it is set up, and when it is disabled, every call does nothing."""

    def __init__(self, **settings: Any) -> None:
        """See `rollscope.init` for the settings."""
        self._recorder: Optional[Recorder] = None
        self._sender: Optional[Sender] = None
        self._last: Optional[Sender] = None
        self._settings = _settings.Settings(enabled=False)
        self._transport: Optional[Transport] = None
        self._viewer: Any = None
        self._lanes = Lanes()
        self._overlapped: Set[str] = set()
        self._inherited: Tuple[Any, Dict[str, Any]] = (None, {})
        if settings:
            self._configure(_settings.from_code(os.environ, _without_transport(settings)), settings.get("transport"))

    # ── life ──

    def _configure(self, settings: _settings.Settings, transport: Optional[Transport] = None) -> None:
        viewer, self._viewer = self._viewer, None
        self.close()
        if transport is not None and settings.enabled is None:
            settings.enabled = True
        self._settings = settings
        self._transport = transport
        self._view(viewer)
        if not settings.is_on:
            return
        self._begin()
        _lifecycle.watch(self)

    def _announce(self) -> None:
        """Where it records, in one line; once for the same place."""
        global _announced
        settings = self._settings
        if settings.quiet or self._recorder is None:
            return
        where = type(self._transport).__name__ if self._transport is not None else settings.destination()
        line = "rollscope: recording run %s to %s (quiet=True leaves this line out)" % (settings.run_name(), where)
        if line != _announced and sys.stderr is not None:
            _announced = line
            try:
                print(_values.readable(line), file=sys.stderr, flush=True)
            except Exception:  # a closed one
                log.debug(line)

    def _announce_with_the_first_span(self) -> None:
        recorder = self._recorder
        if recorder is not None:
            start = recorder.on_first

            def first() -> None:
                start()
                if self._recorder is recorder:
                    self._announce()

            recorder.on_first = recorder.metrics.on_first = first

    def _begin(self) -> None:
        """New buffers and a new sender, at set-up and in a forked child."""
        settings = self._settings
        instance = _settings.new_instance()
        transport = self._transport or _transport(settings, instance)
        encoder_type = JsonEncoder if transport.content_type == JsonEncoder.content_type else ProtobufEncoder
        encoder = encoder_type(settings.resource_attributes(instance), settings.content, VERSION)
        recorder = Recorder(settings.buffer, Metrics(settings.buffer), self)
        host_metrics = HostMetrics(settings.role, settings.rank) if settings.host_metrics else None
        stacks = Stacks() if settings.stacks else None
        self._sender = Sender(recorder, encoder, transport, settings.timeout_s, True, host_metrics, stacks)
        self._lanes = Lanes()
        context = _propagation.extract(os.environ, Context())
        self._inherited = (context.get(_SPAN_KEY), _propagation.coordinates(context))
        recorder.on_first = recorder.metrics.on_first = self._sender.start
        self._recorder = recorder

    def _forked(self) -> None:
        """In the child: what the parent has recorded is the parent's."""
        if self._viewer is not None:
            self._viewer.disown()
            self._viewer = None
        if self._recorder is not None:
            self._recorder.abandon()
            forget_loops()
            self._begin()

    def _view(self, viewer: Any) -> None:
        """Starts a viewer, or goes on with the one that the import has started, if that shows the same."""
        settings = self._settings
        wanted = settings.is_on and settings.viewer and not settings.rank
        if viewer is not None and not (wanted and viewer.serves(settings)):
            viewer.stop()
            viewer = None
        if wanted and viewer is None:
            from ._viewer import Viewer

            viewer = Viewer(settings)
            viewer.start()
        self._viewer = viewer

    @property
    def enabled(self) -> bool:
        return self._recorder is not None

    def flush(self, timeout_s: float = 5.0) -> bool:
        """Sends what is recorded by now; False if that took too long."""
        sender = self._sender
        return sender is None or sender.flush(_values.seconds(timeout_s))

    def close(self, timeout_s: float = 5.0) -> bool:
        """Sends what is left and stops recording. False if something had to be left behind."""
        self._recorder = None
        sender, sent = self._sender, True
        if sender is not None:
            self._last = sender
            sent = sender.close(_values.seconds(timeout_s))
        # Not before: a signal that comes meanwhile has to wait for it, too.
        self._sender = None
        _lifecycle.forget(self)
        viewer, self._viewer = self._viewer, None
        if viewer is not None:
            viewer.stop()
        return sent

    def dropped(self) -> Dict[str, int]:
        """How many spans, starts and metrics could not be sent since `init`; also after `close`."""
        sender = self._sender or self._last
        return sender.dropped() if sender is not None else {"spans": 0, "starts": 0, "metrics": 0}

    def stats(self) -> Dict[str, Any]:
        """What became of everything recorded since `init`; also after `close`. Of each kind: recorded = sent + dropped + queued.

        `spans`, `verdicts` (what sessions said after their end), `starts`, `metrics` (points): counts by these words; spans also `open`.
        `cut`: attributes beyond the limits. `misused`: arguments of calls that did not fit.
        """
        sender = self._sender or self._last
        counts = sender.stats() if sender is not None else stats_of_nothing()
        return {**counts, "misused": _misuse.count}

    def __reduce__(self) -> Any:
        """In another process it is that process's own: decorated functions and metrics travel with Ray's actors and with pickles."""
        from . import get

        return get, ()

    def __enter__(self) -> "Rollscope":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    # ── work ──

    def phase(
        self, name: str = _values.UNNAMED, /, attributes: Optional[Mapping[str, Any]] = None, *odd: Any, worker: Optional[str] = None, **more: Any
    ) -> Span:
        """A piece of work: `with rs.phase("generate", prompt_tokens=12) as p: …; p.set(completion_tokens=88)`.

        It begins at this call. worker: who does it, if that is not this process: `"engine:1"`.
        """
        recorder = self._recorder
        if recorder is None:
            return _NO_PHASE
        if odd or worker is not None or name is _values.UNNAMED or "name" in more:
            name, own = self._unusual(name, attributes, odd, worker, more)
        elif attributes is None:
            own = _values.checked(more) if more else None
        else:
            own = _values.own(_values.merged(attributes, more) if more else attributes)
        parent = _get_current().get(_SPAN_KEY)
        if parent.__class__ in _OURS:
            if parent.in_session:
                return Span(recorder, name, parent.trace_id, parent.span_id, True, parent.coordinates, own)
            return self._op(recorder, name, parent.trace_id, parent.span_id, parent.coordinates, own)
        return self._phase_elsewhere(recorder, name, parent, own)

    def _child(self, parent: Span, name: str, attributes: Any, odd: Tuple[Any, ...], worker: Any, more: Dict[str, Any]) -> Span:
        """A phase below a span, whatever the current one is."""
        recorder = self._recorder
        if recorder is None:
            return _NO_PHASE
        name, own = self._unusual(name, attributes, odd, worker, more)
        if parent.in_session:
            return Span(recorder, name, parent.trace_id, parent.span_id, True, parent.coordinates, own)
        return self._op(recorder, name, parent.trace_id, parent.span_id, parent.coordinates, own)

    def _unusual(self, name: str, attributes: Any, odd: Tuple[Any, ...], worker: Any, more: Dict[str, Any]) -> Tuple[str, Optional[Dict[str, Any]]]:
        """Name and attributes of a phase that was given in a way that is not the usual one, or not right."""
        if name is _values.UNNAMED:
            name = more.pop("name", name)
            if name is _values.UNNAMED:
                _misuse.warn("name", "nothing", "what is done, as in 'generate'")
        elif "name" in more:
            _misuse.warn("name", more["name"], "one name", is_kept=True)
        if odd:
            _misuse.warn("argument 3", odd[0], "attributes by their names")
        own = _values.own(_values.merged(attributes, more)) if attributes is not None or more else None
        return name, own if worker is None else {**_values.worker(worker), **(own or {})}

    def _phase_elsewhere(self, recorder: Recorder, name: str, parent: Any, own: Optional[Dict[str, Any]]) -> Span:
        """Not below a span of ours: below another process's or another library's, or at the top."""
        parent, coordinates = self._remote(parent, _get_current())
        if parent is None:
            return self._op(recorder, name, _ids.trace_id(), 0, coordinates, own)
        context = parent.get_span_context()
        if coordinates and "rl.session.id" not in coordinates:
            return self._op(recorder, name, context.trace_id, context.span_id, coordinates, own)
        if coordinates:
            # Said, because the server may never see the parent: its library sends elsewhere.
            own = {"rl.session.id": coordinates["rl.session.id"], **(own or {})}
        span = Span(recorder, name, context.trace_id, context.span_id, True, coordinates, own)
        span.trace_state = context.trace_state
        return span

    def _op(
        self,
        recorder: Recorder,
        name: str,
        trace_id: int,
        parent_id: int,
        coordinates: Optional[Mapping[str, Any]],
        own: Optional[Dict[str, Any]],
    ) -> Span:
        """Work outside of any session: it belongs to the run or to a batch."""
        attributes = {**_OP, **(coordinates or {}), **(own or {})}
        return Span(recorder, name, trace_id, parent_id, False, coordinates, attributes)

    def _remote(self, parent: Any, where: Context) -> Tuple[Any, Dict[str, Any]]:
        """A valid parent that is not ours, or the one this process was started under; and where it belongs."""
        if parent is not None and parent is not INVALID_SPAN and parent.get_span_context().is_valid:
            return parent, _propagation.coordinates(where)
        return self._inherited

    def batch(
        self,
        train_step: Optional[int] = None,
        model_step: Optional[int] = None,
        future_step: Optional[int] = None,
        *,
        id: Optional[object] = None,
        attributes: Optional[Mapping[str, Any]] = None,
        **more: Any,
    ) -> Batch:
        """What one training step consumes: `with rs.batch(train_step=7, model_step=6): …`."""
        recorder = self._recorder
        if recorder is None:
            return _NO_BATCH
        said = {
            "rl.batch.id": None if id is None else _values.identity(id),
            "rl.train_step": _values.whole(train_step),
            "rl.model_step": _values.whole(model_step),
            "rl.future_step": _values.whole(future_step),
        }
        coordinates = {key: value for key, value in said.items() if value is not None}
        batch: Batch = self._container(recorder, Batch, "batch", coordinates, attributes, more)
        return batch

    def task(self, id: object, name: Optional[str] = None, attributes: Optional[Mapping[str, Any]] = None, **more: Any) -> Task:
        """One dataset item; its sessions form a group: `with rs.task("gsm8k-17"): …`."""
        return self._task(None, id, name, attributes, more)

    def _task(self, parent: Any, id: object, name: Optional[str], attributes: Optional[Mapping[str, Any]], more: Mapping[str, Any]) -> Task:
        recorder = self._recorder
        if recorder is None:
            return _NO_TASK
        coordinates = {**self._coordinates_of(parent), "rl.task.id": _values.identity(id)}
        if name is not None:
            coordinates["rl.task.name"] = _values.name(name)
        task: Task = self._container(recorder, Task, "task", coordinates, attributes, more)
        return task

    def session(self, id: Optional[object] = None, attributes: Optional[Mapping[str, Any]] = None, *, worker: Optional[str] = None, **more: Any) -> Session:
        """One sampled trajectory of the current task: `with rs.session() as s: …; s.accepted()`."""
        return self._session(None, id, attributes, worker, more)

    def _session(self, parent: Any, id: Optional[object], attributes: Optional[Mapping[str, Any]], worker: Any, more: Mapping[str, Any]) -> Session:
        recorder = self._recorder
        if recorder is None:
            return _NO_SESSION
        coordinates = self._coordinates_of(parent)
        if id is not None:
            coordinates["rl.session.id"] = _values.identity(id)
        given = coordinates if worker is None else {**coordinates, **_values.worker(worker)}
        session: Session = self._container(recorder, Session, "session", given, attributes, more)
        session.in_session = True
        session.coordinates = {"rl.session.id": "%032x" % session.trace_id, **coordinates}
        return session

    def _container(
        self,
        recorder: Recorder,
        kind: Any,
        name: str,
        coordinates: Dict[str, Any],
        attributes: Optional[Mapping[str, Any]],
        more: Mapping[str, Any],
    ) -> Any:
        own = _values.own(_values.merged(attributes, more)) or {}
        return kind(recorder, name, _ids.trace_id(), 0, False, coordinates, {"rl.kind": name, **coordinates, **own})

    def _coordinates_of(self, parent: Any) -> Dict[str, Any]:
        """Batch and task that something begun here belongs to; never the session it may be nested in."""
        if parent is None:
            parent = _get_current().get(_SPAN_KEY)
        found = parent.coordinates if isinstance(parent, Span) else self._remote(parent, _get_current())[1]
        return {key: value for key, value in (found or {}).items() if key != "rl.session.id"}

    def state(
        self,
        name: str,
        lane: Optional[object] = None,
        step: Optional[int] = None,
        attributes: Optional[Mapping[str, Any]] = None,
        *,
        worker: Optional[str] = None,
        **more: Any,
    ) -> State:
        """What a lane is doing: `with rs.state("update_weights", lane="trainer_0", step=10): …`."""
        recorder = self._recorder
        if recorder is None:
            return _NO_STATE
        name, lane_text = _values.text(name), self._own_lane() if lane is None else _values.text(lane)
        own = _values.own(_values.merged(attributes, more)) or {}
        if worker is not None:
            own = {**_values.worker(worker), **own}
        own.update({"rl.kind": "state", "rl.lane": lane_text, "rl.state": name})
        step = self._current_step() if step is None else _values.whole(step)
        if step is not None:
            own["rl.train_step"] = step
        state = State(recorder, name, _ids.trace_id(), 0, False, None, own)
        state.lane, state._lanes = lane_text, self._lanes
        overlapped = self._lanes.enter(lane_text, state)
        if overlapped is not None:
            state.set_attributes({"rl.state.overlaps": overlapped})
            self._warn_of_overlap(lane_text, overlapped, name)
        return state

    def _own_lane(self) -> str:
        role, rank = self._settings.role, self._settings.rank
        if rank is None:
            return role or str(os.getpid())
        return "%s_%d" % (role or "rank", rank)

    def _warn_of_overlap(self, lane: str, first: str, second: str) -> None:
        if lane not in self._overlapped and len(self._overlapped) < 1000:
            self._overlapped.add(lane)
            said = map(_values.readable, (second, lane, first))
            log.warning("state %s began on lane %s while %s was open; both are kept and marked", *said)

    @overload
    def trace(self, name: F) -> F: ...

    @overload
    def trace(self, name: Optional[str] = None, attributes: Any = None, worker: Optional[str] = None) -> Callable[[F], F]: ...

    def trace(self, name: Union[str, Callable[..., Any], None] = None, attributes: Any = None, worker: Optional[str] = None) -> Any:
        """Decorator: each call of the function is a phase. `attributes`: a mapping, or a function of the same arguments that returns one.

        `@rs.trace("judger.judge")`; for plain and async functions, generators and methods.
        """
        if callable(name):
            return traced(self, name, None, None)
        return functools.partial(traced, self, name=name, attributes=attributes, worker=worker)

    # ── metrics ──

    def counter(self, name: str, unit: str = "", description: str = "") -> Counter:
        return Counter(self, Definition("counter", _metric(name), unit, description, ()))

    def gauge(self, name: str, unit: str = "", description: str = "") -> Gauge:
        return Gauge(self, Definition("gauge", _metric(name), unit, description, ()))

    def histogram(self, name: str, unit: str = "", description: str = "", buckets: Optional[Sequence[float]] = None) -> Histogram:
        """`buckets`: upper bounds, ascending; without them 1–2.5–5 per decade from 0.001 to 1,000,000."""
        bounds = DEFAULT_BUCKETS if buckets is None else tuple(float(bound) for bound in buckets)
        if not bounds or not all(map(math.isfinite, bounds)) or any(a >= b for a, b in zip(bounds, bounds[1:])):
            raise _checks.expected("buckets", buckets, "ascending numbers, without infinity")
        return Histogram(self, Definition("histogram", _metric(name), unit, description, bounds))

    def _current_step(self) -> Optional[int]:
        span = _get_current().get(_SPAN_KEY)
        found = span.coordinates if isinstance(span, Span) else self._remote(span, _get_current())[1]
        return found.get("rl.train_step") if found else None

    # ── context ──

    def inject(self, carrier: Optional[MutableMapping[str, str]] = None) -> MutableMapping[str, str]:
        """Headers that make another process's spans children of the current one: `requests.post(url, headers=rs.inject())`."""
        if self._recorder is None:
            return {} if carrier is None else carrier
        try:
            return _propagation.inject(carrier)
        except BaseException:
            _misuse.warn("carrier", carrier, "a dictionary that takes texts")
            return carrier  # type: ignore[return-value]

    def extract(self, carrier: Mapping[str, Any]) -> _propagation.Extracted:
        """The other side: `with rs.extract(request.headers): …`."""
        return _propagation.Extracted(_propagation.extract(carrier))

    def environment(self) -> Dict[str, str]:
        """Variables for a child process: it records into this run, below the current span."""
        if self._recorder is None:
            return {}
        carried = {key.upper(): value for key, value in _propagation.inject({}).items()}
        return {**self._settings.environment(), **carried}

    def runtime_env(self, mine: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
        """A Ray `runtime_env` whose processes record into this run. What the caller has in it stays, and wins."""
        try:
            merged = dict(mine or {})
            theirs = dict(merged.get("env_vars") or {})
        except BaseException:
            _misuse.warn("mine", mine, "a runtime_env of Ray, as in {'env_vars': {…}}")
            merged, theirs = {}, {}
        if self._recorder is not None:
            merged["env_vars"] = {**self._settings.environment(), **theirs}
        return merged

    def bind(self, function: F) -> F:
        """The function, run in today's context wherever it is called: `Thread(target=rs.bind(work))`."""
        if not callable(function):
            _misuse.warn("function", function, "a function")
            return lambda *args, **more: None
        context = contextvars.copy_context()

        @functools.wraps(function)
        def bound(*args: Any, **more: Any) -> Any:
            return context.copy().run(function, *args, **more)

        return bound  # type: ignore[return-value]

    @property
    def tracer_provider(self) -> Any:
        """OpenTelemetry's TracerProvider, for code that is written against its API."""
        from ._otel import TracerProvider

        return TracerProvider(self)


class ContextThreadPool(concurrent.futures.ThreadPoolExecutor):
    """A thread pool whose work runs in the context it was submitted in; also for `loop.run_in_executor`."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **more: Any) -> "concurrent.futures.Future[Any]":
        return super().submit(contextvars.copy_context().run, function, *args, **more)


def _transport(settings: _settings.Settings, instance: str) -> Transport:
    if settings.spool:
        return SpoolTransport(settings.spool_folder(), instance, settings.spool_compress, settings.spool_max_bytes)
    return OtlpTransport(settings.urls(), settings.all_headers(), settings.compress, settings.certificate)


def _without_transport(settings: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in settings.items() if name != "transport"}


def _metric(name: Any) -> str:
    if not isinstance(name, str) or not name.strip():
        raise _checks.expected("metric", name, "a name")
    return name[: _values.MAX_TEXT]
