"""Whether this process records, and how its children come to."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Union

from ... import get
from ..._checks import expected
from ..._client import Rollscope
from ..._locks import ForkLock
from .._recording import close_client, open_client, say_once
from ._config import TraceConfig
from ._viewer import ProducerViewer

TRACE_ENV_ENABLED = "XTUNER_TRACE_ENABLED"
TRACE_ENV_OUTPUT_DIR = "XTUNER_TRACE_OUTPUT_DIR"
TRACE_ENV_MAX_EVENTS = "XTUNER_TRACE_MAX_EVENTS"
TRACE_ENV_MAX_EVENTS_PER_TRACE = "XTUNER_TRACE_MAX_EVENTS_PER_TRACE"
_VARIABLES = (TRACE_ENV_ENABLED, TRACE_ENV_OUTPUT_DIR, TRACE_ENV_MAX_EVENTS, TRACE_ENV_MAX_EVENTS_PER_TRACE)
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

    def client(self) -> Rollscope:
        """Whoever records now, or one that does nothing."""
        return self._client or self._from_environment()

    def named_client(self) -> Rollscope:
        """For the later calls, whose spans know their parents."""
        if self._named is None or not self._named.enabled:
            with self._lock:
                self._named = _quietly(self._config, None) if self.client().enabled else _OFF
        return self._named

    def configure(self, config: TraceConfig) -> Rollscope:
        with self._lock:
            if self._client is None or not self._client.enabled or config != self._config:
                self._stop()
                if config.output_dir and config.enabled:
                    os.makedirs(config.output_dir, exist_ok=True)
                self._config, self._client = config, _begin(config, _SOURCE)
                self._start_viewer(self._client)
            _export(config)
            return self._client

    def _start_viewer(self, client: Rollscope) -> None:
        """Shows the folder. A server that was configured has a page already."""
        settings = client._settings
        wanted = self._config.viewer_enabled and client.enabled and settings.spool and not settings.rank
        if wanted and get()._viewer is None:
            # The client's: it ends with it, and is no forked child's.
            client._viewer = ProducerViewer(settings, self._config)
            client._viewer.start()

    def close(self) -> None:
        with self._lock:
            for name in _VARIABLES:
                os.environ.pop(name, None)
            self._stop()

    def _stop(self) -> None:
        client, self._client = self._client, None
        named, self._named = self._named, None
        self._config = TraceConfig()
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
    return open_client(config.output_dir, _run_name(config.output_dir), source=source)


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


def _inherited() -> TraceConfig:
    """What the process that started this one said; the viewer is only its own."""
    if os.environ.get(TRACE_ENV_ENABLED) != "1":
        return TraceConfig()
    return TraceConfig(enabled=True, output_dir=os.environ.get(TRACE_ENV_OUTPUT_DIR) or None, viewer_enabled=False)


_runtime = _Runtime()
client = _runtime.client
named_client = _runtime.named_client


def configure_trace(config: Optional[TraceConfig], *, output_dir: Union[str, "os.PathLike[str]", None] = None) -> Rollscope:
    """Sets this process and, by the environment, its children up. The argument `output_dir` comes before the config's."""
    config = TraceConfig.of(config)
    folder = config.output_dir if output_dir is None else output_dir
    if folder is not None:
        config = config.model_copy(update={"output_dir": os.path.abspath(os.fsdecode(folder))})
    return _runtime.configure(config)


def flush_trace() -> bool:
    """Sends what is recorded by now; False if that took too long. Never waits longer than the original did."""
    return client().flush(0.4)


def close_trace() -> None:
    """Sends what is left, stops recording and the viewer, and clears the environment."""
    _runtime.close()


def get_trace_env_vars() -> Dict[str, str]:
    """Variables that make a child process record into the same run; none when tracing is off."""
    if os.environ.get(TRACE_ENV_ENABLED) != "1":
        return {}
    mine = {name: os.environ[name] for name in _VARIABLES if name in os.environ}
    return {**client()._settings.environment(), **mine}


def merge_trace_runtime_env(actor_options: Dict[str, Any]) -> Dict[str, Any]:
    """Adds the variables to the options of a Ray actor: the same dictionary comes back. The trace's own variables win, others stay the caller's."""
    if not isinstance(actor_options, dict):
        raise expected("actor_options", actor_options, "a dictionary")
    variables = get_trace_env_vars()
    if variables:
        runtime_env = dict(actor_options.get("runtime_env") or {})
        theirs = dict(runtime_env.get("env_vars") or {})
        ours = {name: value for name, value in variables.items() if name in _VARIABLES or name not in theirs}
        runtime_env["env_vars"] = {**theirs, **ours}
        actor_options["runtime_env"] = runtime_env
    return actor_options
