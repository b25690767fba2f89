"""Where to send, and for which experiment: the configuration of both generations and their environment variables."""

from __future__ import annotations

import os
from typing import Any, Dict, Mapping, Optional

from ... import _settings, _values

SERVER_VARIABLE = "RL_INSIGHT_SERVER_URL"
NAMESPACE = "rl_insight_monitor"
IDENTITY = ("project", "experiment_name")
_TRACES = "/v1/traces"


def identity(project: Any, experiment_name: Any) -> Dict[str, str]:
    """Both names, trimmed, or nothing."""
    given = {key: _values.text(value).strip() for key, value in zip(IDENTITY, (project, experiment_name)) if value is not None}
    said = {key: value for key, value in given.items() if value}
    if len(said) == 1:
        missing = next(key for key in IDENTITY if key not in said)
        raise ValueError("%s: %r (expected: both project and experiment_name, or neither)" % (missing, given.get(missing)))
    return said


def section(config: Any, *path: str) -> Any:
    """A value deep in a configuration; None if it, or what should hold it, is not there."""
    value = config
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return None if isinstance(value, str) and not value.strip() else value


def check(config: Any) -> None:
    if config is not None and not isinstance(config, Mapping):
        raise TypeError("config: %s (expected: a mapping)" % _values.text(config))


def namespace(config: Any) -> str:
    return _values.text(section(config, "server", "namespace") or section(config, "namespace") or NAMESPACE)


def is_first_generation(config: Any) -> bool:
    """Whether it has settings that only the first generation knew, and not the section that all later ones have."""
    own = ("namespace",), ("backend", "type"), ("otel", "traces_endpoint"), ("prometheus", "reload")
    return section(config, "server") is None and any(section(config, *path) is not None for path in own)


def server_url(config: Any) -> Optional[str]:
    """The server's address as RL-Insight's users give it: `RL_INSIGHT_SERVER_URL`, else `server.url`."""
    return _settings._Reading(os.environ).url(SERVER_VARIABLE) or _url(config, "server", "url")


def settings(config: Any, names: Mapping[str, str]) -> Optional[_settings.Settings]:
    """What to record with; None if nothing says where to."""
    said: Dict[str, Any] = {"url": _destination(config)}
    if names:
        said["run"] = said["run_id"] = "%s/%s" % (names["project"], names["experiment_name"])
        said["project"] = names["project"]
    found = _settings.from_code(os.environ, said)
    if not found.is_on and found.enabled is None:
        return None
    # Without an identity a span may still name its experiment, which is then its run.
    found.invent_run = False
    found.resource = {"service.name": namespace(config), **found.resource}
    return found


def _destination(config: Any) -> Optional[str]:
    """The first that is said; None leaves it to `ROLLSCOPE_*`, then `OTEL_*`."""
    url = _settings._Reading(os.environ).url(SERVER_VARIABLE)
    if url is not None or _is_said(opentelemetry=False):
        return url
    url = _url(config, "server", "url")
    if url is not None or _is_said(opentelemetry=True):
        return url
    traces = _url(config, "otel", "traces_endpoint")
    return traces[: -len(_TRACES)] if traces and traces.endswith(_TRACES) else traces


def _is_said(opentelemetry: bool) -> bool:
    found = _settings.from_environment(os.environ, opentelemetry)
    return bool(found.url or found.spool or found.signal_urls)


def _url(config: Any, *path: str) -> Optional[str]:
    url = section(config, *path)
    return None if url is None else _settings.normal_url(_values.text(url), ".".join(path))
