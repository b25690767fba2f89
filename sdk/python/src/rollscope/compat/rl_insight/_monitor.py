"""`init` and `finish`: what a process knows between the two."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from typing import Any, Dict, Mapping, Optional, Set, Type

from ... import _ids, _values
from ..._client import Rollscope
from ..._locks import ForkLock
from ..._span import Span
from .._unknown import forgiving
from . import _config
from ._lanes import Lanes

log = logging.getLogger("rollscope")

_lock = ForkLock()
_active: Optional["Monitor"] = None
_warned_of_names = False


class Monitor:
    """An initialised process: its client, its experiment, its lanes."""

    def __init__(self, client: Rollscope, identity: Mapping[str, str], config: Any, overlapping: bool) -> None:
        self.client = client
        self.identity = dict(identity)
        self.config = config
        self._lanes = Lanes(overlapping)
        self._refused: Set[str] = set()

    @property
    def lanes(self) -> Lanes:
        if self._lanes.pid != os.getpid():
            # Forked: what is open on the lanes is the parent's.
            self._lanes = Lanes(self._lanes.overlapping)
        return self._lanes

    def labelled(self, labels: Mapping[str, Any], warn: bool = True) -> Dict[str, Any]:
        """The labels with the identity, which a call may repeat but not change."""
        if not self.identity:
            if warn and any(key in labels for key in _config.IDENTITY):
                _warn_of_names()
            return dict(labels)
        for key, own in self.identity.items():
            if labels.get(key) is not None and _values.text(labels[key]) != own:
                raise ValueError("%s: %s (expected: %s, as given to init; the name is reserved)" % (key, _values.text(labels[key]), own))
        return {**self.identity, **labels, **self.identity}

    def span(self, name: str, attributes: Mapping[str, Any], start_ns: int) -> Optional[Span]:
        """Begins a span, the root of its own trace."""
        recorder = self.client._recorder
        if recorder is None:
            return None
        own = {"process_id": str(os.getpid()), **attributes}
        return Span(recorder, _values.text(name), _ids.trace_id(), 0, False, None, own, start_ns)

    def refuse_span(self, what: str, value: object, expected: str) -> None:
        """A span that cannot be sent: counted, and said once."""
        recorder = self.client._recorder
        if recorder is not None:
            recorder.dropped_spans += 1
        if what not in self._refused:
            self._refused.add(what)
            log.warning("%s: %s (expected: %s); spans like this are dropped", what, _values.text(value), expected)

    def close(self) -> None:
        self.lanes.discard()
        self.client.close()


def active() -> Optional[Monitor]:
    return _active


@forgiving(None)
def init(project: Any = None, experiment_name: Any = None, config: Any = None) -> None:
    """Begins recording. `project` and `experiment_name` name the run and are labels of everything; give both or neither.

    Sends to `RL_INSIGHT_SERVER_URL`, else `ROLLSCOPE_URL` or `ROLLSCOPE_SPOOL`, else `server.url` of the configuration, else
    `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, else `otel.traces_endpoint`. After the first generation's `init(config)` states of one lane may overlap, as they did there.
    """
    global _active
    overlapping = config is None and isinstance(project, Mapping)
    if overlapping:
        project, config = None, project
    with _lock:
        if _active is not None:
            warn("init() was called more than once; the first call counts", RuntimeWarning)
            return
        identity = _config.identity(project, experiment_name)
        _config.check(config)
        settings = _config.settings(config, identity)
        if settings is None:
            log.error("rl_insight: no server (expected: its URL in %s, or in server.url of the config); nothing is recorded", _config.SERVER_VARIABLE)
            return
        if not settings.is_on:
            return
        client = Rollscope()
        client._configure(settings)
        _active = Monitor(client, identity, config, overlapping or (not identity and _config.is_first_generation(config)))


@forgiving(None)
def finish() -> None:
    """Ends recording and sends what is left. A state that is still open is discarded."""
    global _active
    with _lock:
        monitor, _active = _active, None
    if monitor is not None:
        monitor.close()


#: The first generation's name.
close = finish


def _warn_of_names() -> None:
    global _warned_of_names
    if not _warned_of_names:
        _warned_of_names = True
        warn("project and experiment_name are plain labels, because init() was called without them", UserWarning)


def warn(message: str, category: Type[Warning]) -> None:
    """A warning at the line of the training's code that called."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in ("rollscope", "contextlib"):
        level, frame = level + 1, frame.f_back
    warnings.warn("rl_insight: " + message, category, stacklevel=level)
