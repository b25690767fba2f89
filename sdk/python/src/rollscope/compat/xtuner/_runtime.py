"""Whether this process records, and how its children come to."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import urllib.parse
from typing import Any, Dict, Optional, Union

from ... import _values, get
from ..._client import Rollscope
from ..._locks import ForkLock
from ..._settings import Settings
from .._recording import close_client, open_client, say_once
from .._unknown import forgiving, unknown
from . import _original, _viewer
from ._config import TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH, TraceConfig
from ._spans import happened
from ._store import InMemoryTraceStore, NoopTraceRecorder, TraceEvent, TraceRecorder, forget_recorder, recorder_here

TRACE_ENV_ENABLED = "XTUNER_TRACE_ENABLED"
TRACE_ENV_OUTPUT_DIR = "XTUNER_TRACE_OUTPUT_DIR"
TRACE_ENV_MAX_EVENTS = "XTUNER_TRACE_MAX_EVENTS"
TRACE_ENV_MAX_EVENTS_PER_TRACE = "XTUNER_TRACE_MAX_EVENTS_PER_TRACE"
TRACE_ROLLOUT_ENABLED_ENV = "XTUNER_TRACE_ENABLE_ROLLOUT"
_VARIABLES = (TRACE_ENV_ENABLED, TRACE_ENV_OUTPUT_DIR, TRACE_ENV_MAX_EVENTS, TRACE_ENV_MAX_EVENTS_PER_TRACE, TRACE_ROLLOUT_ENABLED_ENV)
#: By this the server knows that parents are known within a process only, and looks at time for the rest.
_SOURCE = "xtuner"
#: Folders whose parent gives the run its name.
_PLAIN_FOLDERS = ("producer_trace", "traces", "otel")

_OFF = Rollscope()


class _Runtime:
    """The one recorder of a process: told by `configure_trace`, else by the environment, which is read at first use."""

    def __init__(self) -> None:
        self._lock = ForkLock()
        self._client: Optional[Rollscope] = None
        self._named: Optional[Rollscope] = None
        self._config = TraceConfig()
        #: What `configure_trace` has returned.
        self.current: Optional[TraceRuntime] = None

    def client(self) -> Rollscope:
        """Whoever records now, or one that does nothing."""
        return self._client or self._from_environment()

    def named_client(self) -> Rollscope:
        """For the later calls, whose spans know their parents."""
        named = self._named
        if named is not None and named._recorder is not None:
            return named
        if self.client()._recorder is None:
            return _OFF
        with self._lock:
            if self._named is None or self._named._recorder is None:
                self._named = _quietly(self._config, None)
            return self._named

    def configure(self, config: TraceConfig) -> "TraceRuntime":
        with self._lock:
            if self._client is None or not self._client.enabled or config != self._config:
                self._stop()
                if config.output_dir and config.enabled:
                    os.makedirs(config.output_dir, exist_ok=True)
                self._config, self._client = config, _begin(config, _SOURCE)
                self._start_viewer(self._client)
                if self._client.enabled:
                    _original.replace(start_trace_viewer)
                self.current = TraceRuntime(self._client, config, "driver")
            _export(config)
            return self.current or TraceRuntime(self._client, config, "driver")

    def _start_viewer(self, client: Rollscope) -> None:
        """Shows the folder. A server that was configured has a page already."""
        settings = client._settings
        if self._config.viewer and client.enabled and settings.spool and not settings.rank and get()._viewer is None:
            # The client's: it ends with it, and is no forked child's.
            client._viewer = _viewer.ProducerViewer(settings, *self._config.viewer)
            client._viewer.start()

    def view(self, folder: str, host: str, port: int) -> "_viewer.ProducerTraceViewerHandle":
        """The page of what is recorded, or of another folder: one that is open already, or a new one."""
        with self._lock:
            client = self._client or _OFF
            own = client._settings
            if client.enabled and folder in (own.spool, self._config.output_dir):
                for viewer in (client._viewer, get()._viewer):
                    if viewer is not None and viewer.url is not None:
                        return _viewer.ProducerTraceViewerHandle(viewer)
                settings = dataclasses.replace(own)
            else:
                settings = Settings(spool=folder)
            viewer = _viewer.ProducerViewer(settings, host, port)
            viewer.start()
            return _viewer.ProducerTraceViewerHandle(viewer)

    def tracer(self) -> "TraceRuntime":
        client = self.client()
        return self.current or TraceRuntime(client, self._config, "inherited")

    def close(self) -> None:
        with self._lock:
            for name in _VARIABLES:
                os.environ.pop(name, None)
            self._stop()

    def _stop(self) -> None:
        client, self._client = self._client, None
        named, self._named = self._named, None
        self._config, self.current = TraceConfig(), None
        _original.restore()
        for each in (client, named):
            if each is not None and each is not _OFF:
                close_client(each)

    def _from_environment(self) -> Rollscope:
        with self._lock:
            if self._client is None:
                self._config = _inherited()
                self._client = _quietly(self._config, _SOURCE)
            return self._client


def _begin(config: TraceConfig, source: Optional[str]) -> Rollscope:
    if not config.enabled:
        return _OFF
    service = config.service_name if config.is_main else None
    return open_client(config.output_dir, _run_name(config.output_dir), source=source, service=service)


def _quietly(config: TraceConfig, source: Optional[str]) -> Rollscope:
    """For calls that set nothing up."""
    try:
        return _begin(config, source)
    except Exception as error:
        say_once("XTuner's trace", "off in this process: %s: %s", type(error).__name__, error)
        return _OFF


def _run_name(folder: Optional[str]) -> Optional[str]:
    if not folder:
        return None
    path, name = os.path.split(os.path.abspath(folder))
    return os.path.basename(path) or name if name in _PLAIN_FOLDERS else name


def _export(config: TraceConfig) -> None:
    for name in _VARIABLES:
        os.environ.pop(name, None)
    os.environ[TRACE_ENV_ENABLED] = "1" if config.enabled else "0"
    if config.enabled:
        if config.output_dir:
            os.environ[TRACE_ENV_OUTPUT_DIR] = config.output_dir
        os.environ[TRACE_ENV_MAX_EVENTS] = str(config.max_events)
        os.environ[TRACE_ENV_MAX_EVENTS_PER_TRACE] = str(config.max_events_per_trace)
        if config.enable_rollout_trace:
            os.environ[TRACE_ROLLOUT_ENABLED_ENV] = "1"


def _inherited() -> TraceConfig:
    """What the process that started this one said; the viewer is only its own."""
    if os.environ.get(TRACE_ENV_ENABLED) != "1":
        return TraceConfig()
    return TraceConfig(enabled=True, output_dir=os.environ.get(TRACE_ENV_OUTPUT_DIR) or None, viewer_enabled=False)


class TraceRuntime(NoopTraceRecorder):
    """What `configure_trace` returns: a recorder and a runtime, as XTuner's generations have them. It can what Rollscope's client can, too."""

    def __init__(self, client: Any = None, config: Optional[TraceConfig] = None, mode: str = "driver", **fields: Any) -> None:
        for name in fields:
            say_once("TraceRuntime(%s=…)" % name, "no effect: a runtime is made by configure_trace")
        client = client if isinstance(client, Rollscope) else _OFF
        self._client: Rollscope = client
        self.config = config = TraceConfig.of(config)
        self.mode = mode if client.enabled else "disabled"
        self.run_id = str(client._settings.run_id or "") if client.enabled else ""
        #: The folder that is recorded into, if it is one; XTuner has a file in it.
        self.run_dir = self.trace_jsonl_path = pathlib.Path(client._settings.spool or "")
        self.service_name = config.service_name
        self.recorder = self
        viewer = client._viewer
        self.trace_viewer_url: Optional[str] = None if viewer is None else viewer.url
        self.trace_viewer_port = None if self.trace_viewer_url is None else urllib.parse.urlsplit(self.trace_viewer_url).port

    @property
    def enabled(self) -> bool:
        return self._client.enabled

    @forgiving(None)
    def record(self, target: Any, stage: str, **said: Any) -> Optional[TraceEvent]:
        happened(self._client, target, stage, said)
        return TraceRecorder(_NOWHERE).record(target, stage, **said)

    @property
    def store(self) -> InMemoryTraceStore:
        say_once("xtuner store", "empty: what is recorded is sent to Rollscope, and not kept in memory")
        return _NOWHERE

    def __getattr__(self, name: str) -> Any:
        found = None if name.startswith("_") else getattr(self._client, name, None)
        return unknown("xtuner.TraceRuntime", name) if found is None else found


_NOWHERE = InMemoryTraceStore()
_runtime = _Runtime()
client = _runtime.client
named_client = _runtime.named_client


@forgiving()
def configure_trace(config: Optional[TraceConfig] = None, *, output_dir: Union[str, "os.PathLike[str]", None] = None) -> TraceRuntime:
    """Sets this process and, by the environment, its children up. The argument `output_dir` comes before the config's."""
    config = TraceConfig.of(config)
    folder = config.output_dir if output_dir is None else output_dir
    if folder is not None:
        config = config.model_copy(update={"output_dir": os.path.abspath(os.fsdecode(folder))})
    return _runtime.configure(config)


@forgiving()
def configure_trace_runtime(config: TraceConfig) -> TraceRuntime:
    """Main's other name for it."""
    return configure_trace(config)


@forgiving(None)
def current_trace_runtime() -> Optional[TraceRuntime]:
    """What this process was set up with; None if it was not."""
    return _runtime.current


@forgiving(False)
def is_trace_enabled() -> bool:
    return client()._recorder is not None


@forgiving()
def get_tracer() -> TraceRuntime:
    """The recorder of this process."""
    return _runtime.tracer()


@forgiving()
def current_trace_recorder() -> NoopTraceRecorder:
    """The one that `use_trace_recorder` has set here, else that of this process."""
    return recorder_here() or get_tracer()


@forgiving()
def start_trace_viewer(
    trace_dir: Union[str, "os.PathLike[str]"],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    refresh_interval_s: float = 1.0,
    scope: str = TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH,
) -> "_viewer.ProducerTraceViewerHandle":
    """Rollscope's page instead of XTuner's: the one that is open already, if it shows this."""
    try:
        return _runtime.view(os.path.abspath(os.fsdecode(trace_dir)), host, port)
    except Exception as error:
        say_once("start_trace_viewer", "%s; the training goes on without a page", _values.error_text(error))
        return _viewer.ProducerTraceViewerHandle(_viewer.ProducerViewer(Settings(), host, port))


@forgiving()
def flush_trace() -> bool:
    """Sends what is recorded by now; False if that took too long. Never waits longer than the original did."""
    return client().flush(0.4)


@forgiving()
def close_trace() -> None:
    """Sends what is left, stops recording and the viewer, and clears the environment."""
    _runtime.close()


@forgiving(None)
def reset_trace_for_test() -> None:
    close_trace()
    forget_recorder()


@forgiving({})
def get_trace_env_vars() -> Dict[str, str]:
    """Variables that make a child process record into the same run; none when tracing is off."""
    if os.environ.get(TRACE_ENV_ENABLED) != "1":
        return {}
    mine = {name: os.environ[name] for name in _VARIABLES if name in os.environ}
    settings = client()._settings
    if "service.name" in settings.resource:
        mine["OTEL_SERVICE_NAME"] = str(settings.resource["service.name"])
    return {**settings.environment(), **mine}


@forgiving()
def merge_trace_runtime_env(actor_options: Dict[str, Any]) -> Dict[str, Any]:
    """Adds the variables to the options of a Ray actor: the same dictionary comes back. The trace's own variables win, others stay the caller's."""
    if not isinstance(actor_options, dict):
        say_once("actor_options of merge_trace_runtime_env", "%s (expected: a dictionary); left as it is", actor_options)
        return actor_options
    variables = get_trace_env_vars()
    if variables:
        runtime_env = dict(actor_options.get("runtime_env") or {})
        theirs = dict(runtime_env.get("env_vars") or {})
        ours = {name: value for name, value in variables.items() if name in _VARIABLES or name not in theirs}
        runtime_env["env_vars"] = {**theirs, **ours}
        actor_options["runtime_env"] = runtime_env
    return actor_options
