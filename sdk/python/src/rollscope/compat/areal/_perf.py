"""`PerfTracer`: scopes and instants of one process."""

from __future__ import annotations

import numbers
from time import time_ns
from typing import Any, Dict, Mapping, Optional

from opentelemetry.trace.propagation import _SPAN_KEY

from ... import _ids, _values
from ..._checks import expected
from ..._client import Rollscope
from ..._noop import NO_SPAN
from ..._span import Span, _get_current
from .._recording import add_event, add_point, close_client, named, open_client, say_once, short, unhurt
from .._unknown import forgiving, unknown
from ._at_end import at_end
from ._config import compat_file, run_name, say_what_has_no_effect, spool_folder
from ._names import category_of
from ._perf_file import PerfFile
from ._sessions import SessionTracer

_SAVE_S = 2.0


class PerfTracer:
    """Records scopes as ops and instants as events; and sessions, if the config says so."""

    def __init__(self, config: Any, *, rank: int, role: Optional[str] = None) -> None:
        self._config = config
        self._rank = _rank(rank)
        self._role = short(role) if role else None
        self._enabled = bool(config.enabled)
        self._client: Optional[Rollscope] = None
        self._session_tracer: Optional[SessionTracer] = None
        sessions = getattr(config, "session_tracer", None)
        say_what_has_no_effect(config)
        self._file: Optional[PerfFile] = None
        if getattr(sessions, "enabled", False):
            file = compat_file(config, "session_tracer", "sessions", self._rank, self._role)
            self._session_tracer = SessionTracer._of(self._open(), self._rank, self._role, sessions, file)
        elif self._enabled:
            self._open()

    def _open(self) -> Rollscope:
        if self._client is None:
            self._client = open_client(spool_folder(self._config), run_name(self._config), role=self._role, rank=self._rank)
            path = compat_file(self._config, "perf_tracer", "traces", self._rank, self._role)
            if path is not None and self._client.enabled:
                self._file = PerfFile(path, self._rank, self._role, getattr(self._config, "save_interval", 1))
        return self._client

    def __getattr__(self, name: str) -> Any:
        return unknown("PerfTracer", name)

    @property
    def enabled(self) -> bool:
        return self._enabled

    @unhurt()
    @forgiving(None)
    def set_enabled(self, flag: bool) -> None:
        self._enabled = bool(flag)
        if self._enabled:
            self._open()

    @property
    def session_tracer(self) -> Optional[SessionTracer]:
        return self._session_tracer

    def recording(self) -> Optional[Rollscope]:
        """The client, if scopes are recorded."""
        client = self._client
        return client if self._enabled and client is not None and client.enabled else None

    @forgiving(into="args")
    def trace_scope(
        self,
        name: str,
        *,
        category: Any = None,
        enable_profiler: bool = False,
        profiler_args: Optional[Dict[str, Any]] = None,
        args: Optional[Dict[str, Any]] = None,
    ) -> Any:
        """`with tracer.trace_scope("train.rollout", category="compute", args={"global_step": 3}): …`."""
        if enable_profiler is True:
            say_once("enable_profiler", "no effect: nothing is profiled")
        return NO_SPAN if self.recording() is None else _Scope(self, name, category, args)

    #: The same object enters by `async with` too.
    atrace_scope = trace_scope

    @unhurt(NO_SPAN)
    def begin(self, name: Any, category: Any, args: Any) -> Any:
        """A span that has begun."""
        client = self.recording()
        if client is None:
            return NO_SPAN
        span = client.phase(short(name) or "unknown", {**_said(category, args), "rl.kind": "op"})
        file = self._file
        if file is not None:
            at_end(span, lambda span: file.scope(span, category_of(category), args))
        return span

    @unhurt()
    @forgiving(None, into="args")
    def instant(self, name: str, *, category: Any = None, args: Optional[Dict[str, Any]] = None) -> None:
        """Something happened: an event of the scope around it, if there is one."""
        client = self.recording()
        recorder = None if client is None else client._recorder
        if recorder is None:
            return
        current = _get_current().get(_SPAN_KEY)
        around = current if isinstance(current, Span) else None
        word, said, at_ns = short(name) or "unknown", _said(category, args), time_ns()
        if not add_event(around, word, said, at_ns):
            add_point(recorder, word, _ids.trace_id(), 0, said, at_ns)
        if self._file is not None:
            self._file.instant(word, category_of(category), args)

    @forgiving(None)
    def merge_profiler_trace(self, profiler_traces: Any, base_time_ns: int, *, args: Optional[Dict[str, Any]] = None) -> None:
        say_once("merge_profiler_trace", "no effect: Rollscope keeps no kernel traces")

    @unhurt(held=Exception)
    @forgiving(None)
    def save(self, *, step: Optional[int] = None, force: bool = False) -> None:
        """Everything is sent as it happens. `force`, or no step, waits until what there is has been sent. AReaL's own file is written when it is due."""
        if self._file is not None and self._file.save(step, force):
            self._file.appender.wait(_SAVE_S)
        if self._session_tracer is not None and force:
            self._session_tracer.flush(force=True)
        elif self._client is not None and (force or step is None):
            self._client.flush(_SAVE_S)

    @unhurt(held=Exception)
    @forgiving(None)
    def reset(self) -> None:
        if self._file is not None:
            self._file.reset()
        if self._session_tracer is not None:
            self._session_tracer.reset()
        self._enabled = bool(self._config.enabled)

    @unhurt(held=Exception)
    def close(self) -> None:
        """Sends what is left; what is still open is lost."""
        if self._file is not None:
            self._file.appender.close(_SAVE_S)
        if self._session_tracer is not None:
            self._session_tracer.close()
        client, self._client = self._client, None
        if client is not None:
            close_client(client)


class _Scope:
    """An op that begins when the block is entered."""

    def __init__(self, tracer: PerfTracer, name: Any, category: Any, args: Any) -> None:
        self._tracer = tracer
        self._what = (name, category, args)
        self._span: Any = NO_SPAN

    def __enter__(self) -> "_Scope":
        self._span = self._tracer.begin(*self._what)
        self._span.__enter__()
        return self

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        span, self._span = self._span, NO_SPAN
        span.__exit__(kind, error, traceback)

    async def __aenter__(self) -> "_Scope":
        return self.__enter__()

    async def __aexit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        self.__exit__(kind, error, traceback)


def _rank(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 0:
        raise expected("rank", value, "a whole number of at least 0")
    return int(value)


def _said(category: Any, args: Any) -> Dict[str, Any]:
    """AReaL's words are kept as `areal.*`; step, rank and role of a scope are also what Rollscope means by them."""
    said: Dict[str, Any] = {"areal.cat": category_of(category)}
    if not _values.is_a(args, Mapping):
        if args is not None:
            say_once("args", "%s (expected: a mapping)", args)
            said["areal.args"] = args
        return said
    said.update(named("areal.", args))
    step, rank, role = (_asked(args, name) for name in ("global_step", "rank", "role"))
    known = {"rl.train_step": _values.whole(step), "rl.worker.rank": _values.whole(rank), "rl.worker.role": short(role) if _values.is_a(role, str) else None}
    said.update((key, value) for key, value in known.items() if value is not None)
    return said


def _asked(args: Mapping[str, Any], name: str) -> Any:
    try:
        return args.get(name)
    except BaseException:
        return None
