"""`update_prometheus_config`, in the forms of both generations."""

from __future__ import annotations

import inspect
import json
import logging
import os
import urllib.error
import urllib.request
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, TypeVar

from ... import _settings, _values
from .._unknown import forgiving
from . import _config, _scrape_file
from ._monitor import active

log = logging.getLogger("rollscope")

F = TypeVar("F", bound=Callable[..., Any])

JOB = "trainer_metrics"
_TARGETS = "/api/v1/prometheus/targets"
_TIMEOUT_S = 10.0
_MAX_ANSWER = 1 << 16


class ArchivedExperimentError(RuntimeError):
    """The experiment is archived: the server takes no targets for it until it is restored."""


def update_prometheus_config(*args: Any, **named: Any) -> None:
    """Has metrics endpoints scraped.

    `(server_addresses, job_name=None, labels=None, project=None, experiment_name=None)` tells the server of them.
    `(conf, server_addresses, job_name=None, reload_mode=None)` adds them to the file `conf["prometheus"]["config_file"]` of a
    Prometheus on this machine and has it read the file again; needs `pip install 'rollscope[prometheus]'`.
    """
    if isinstance(args[0] if args else named.get("conf"), Mapping):
        _update_file(*args, **named)
    else:
        _register(*args, **named)


def _form(function: F) -> F:
    function.__name__ = function.__qualname__ = update_prometheus_config.__name__
    return forgiving(None)(function)


# ── the later form: the server scrapes ──


@_form
def _register(
    server_addresses: Sequence[str],
    job_name: Optional[str] = None,
    labels: Optional[Sequence[Optional[Mapping[str, Any]]]] = None,
    project: Optional[str] = None,
    experiment_name: Optional[str] = None,
) -> None:
    addresses = _addresses(server_addresses)
    if labels is not None and len(labels) != len(addresses):
        raise ValueError("labels length must match server_addresses length: %d != %d" % (len(labels), len(addresses)))
    identity = _identity(project, experiment_name)
    if not addresses:
        log.warning("rl_insight: server_addresses: none (expected: host:port); nothing is registered")
        return
    server = _server()
    if server is None:
        log.error("rl_insight: no server (expected: its URL in %s); no targets are registered", _config.SERVER_VARIABLE)
        return
    targets = [_target(address, labels[at] if labels else None) for at, address in enumerate(addresses)]
    body = {"job_name": job_name or JOB, "targets": targets, **identity}
    answer = _post(server.rstrip("/") + _TARGETS, json.dumps(body).encode())
    if answer.status == 409:
        raise ArchivedExperimentError(answer.message)
    if not 200 <= answer.status < 300:
        log.warning("rl_insight: %d targets of job %s could not be registered: %s", len(targets), body["job_name"], answer.message)


def _addresses(given: Any) -> List[str]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence) or not all(isinstance(each, str) for each in given):
        raise ValueError("server_addresses: %s (expected: a list of host:port)" % _values.text(given))
    return [each.strip() for each in given]


def _identity(project: Any, experiment_name: Any) -> Dict[str, str]:
    said = _config.identity(project, experiment_name)
    monitor = active()
    if monitor is None:
        return said
    return said if not monitor.identity else {key: monitor.labelled(said)[key] for key in _config.IDENTITY}


def _target(address: str, labels: Optional[Mapping[str, Any]]) -> Dict[str, Any]:
    if labels is None:
        return {"target": address}
    return {"target": address, "labels": {_values.text(key): _values.text(value) for key, value in labels.items()}}


def _server() -> Optional[str]:
    monitor = active()
    return _config.server_url(monitor.config if monitor is not None else None) or _settings.from_environment(os.environ, False).url


# ── the first form: a Prometheus of one's own scrapes ──


@_form
def _update_file(conf: Mapping[str, Any], server_addresses: Sequence[str], job_name: Optional[str] = None, reload_mode: Optional[str] = None) -> None:
    addresses = _addresses(server_addresses)
    path = _config.section(conf, "prometheus", "config_file")
    if path is None:
        raise ValueError("prometheus.config_file: none (expected: the path of Prometheus' configuration)")
    mode = reload_mode or _config.section(conf, "prometheus", "reload", "mode") or "ray"
    if mode not in ("ray", "none"):
        raise ValueError("reload_mode: %s (expected: ray or none)" % _values.text(mode))
    if not addresses:
        log.warning("rl_insight: server_addresses: none (expected: host:port); nothing is changed")
        return
    _scrape_file.merge(os.fspath(path), job_name or JOB, addresses)
    if mode != "none":
        _reload(_config.section(conf, "prometheus", "prometheus_port") or 9090)


def _reload(port: Any) -> None:
    url = "http://127.0.0.1:%s/-/reload" % port
    answer = _post(_settings.normal_url(url, "prometheus.prometheus_port"), b"")
    if not 200 <= answer.status < 300:
        log.warning("rl_insight: Prometheus did not read its configuration again: %s: %s", url, answer.message)


# ── HTTP ──


class _Answer(NamedTuple):
    #: 0: there was none.
    status: int
    message: str


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **more: Any) -> None:
        return None


#: Proxies of the environment are not used: servers are near.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects())


def _post(url: str, body: bytes) -> _Answer:
    headers = {"Content-Type": "application/json"} if body else {}
    token = os.environ.get("ROLLSCOPE_TOKEN", "").strip()
    if token and body:
        headers["Authorization"] = "Bearer " + token
    try:
        with _opener.open(urllib.request.Request(url, body, headers, method="POST"), timeout=_TIMEOUT_S) as answer:
            return _Answer(answer.status, "")
    except urllib.error.HTTPError as error:
        with error:
            return _Answer(error.code, "HTTP %d: %s" % (error.code, _message(error) or error.reason))
    except (OSError, ValueError) as error:
        return _Answer(0, "%s: %s" % (url, error))


def _message(error: urllib.error.HTTPError) -> str:
    """What the server said: `{"detail": …}` of RL-Insight's, `{"error": {"message": …}}` of Rollscope's."""
    try:
        text = error.read(_MAX_ANSWER).decode("utf-8", "replace")
    except OSError:
        return ""
    try:
        said = json.loads(text)
        found = said.get("detail") or said["error"]["message"]
    except (AttributeError, KeyError, TypeError, ValueError):
        found = text
    return _values.text(found).strip()[: _values.ERROR_TEXT]


update_prometheus_config.__signature__ = inspect.signature(_register)  # type: ignore[attr-defined]
