"""What can be configured: in code, else by `ROLLSCOPE_*`, else by OpenTelemetry's own variables.

A wrong value in code is an error. A wrong value in the environment is a warning: it must not end a training run.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import urllib.parse
import uuid
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional

from . import _values
from ._version import VERSION

log = logging.getLogger("rollscope")

SIGNALS = ("traces", "logs", "metrics")
DEFAULT_URL = "http://127.0.0.1:4318"
_YES = ("1", "true", "yes", "on")
_NO = ("0", "false", "no", "off", "")
_RANK_VARIABLES = ("ROLLSCOPE_RANK", "RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK")


def expected(what: str, value: object, wanted: str) -> ValueError:
    return ValueError("%s: %s (expected: %s)" % (what, _values.text(value), wanted))


@dataclass
class Settings:
    """What a process was told. `None` means: not said."""

    run: Optional[str] = None
    run_id: Optional[str] = None
    project: Optional[str] = None
    url: Optional[str] = None
    spool: Optional[str] = None
    token: Optional[str] = None
    enabled: Optional[bool] = None
    role: Optional[str] = None
    rank: Optional[int] = None
    viewer: bool = False
    content: Optional[int] = None
    buffer: int = 100_000
    timeout_s: float = 10.0
    compress: bool = False
    certificate: Optional[str] = None
    headers: Dict[str, str] = field(default_factory=dict)
    resource: Dict[str, Any] = field(default_factory=dict)
    signal_urls: Dict[str, str] = field(default_factory=dict)

    @property
    def is_on(self) -> bool:
        if self.enabled is not None:
            return self.enabled
        return bool(self.url or self.spool or self.signal_urls)

    def urls(self) -> Dict[str, str]:
        base = (self.url or DEFAULT_URL).rstrip("/")
        return {signal: self.signal_urls.get(signal) or "%s/v1/%s" % (base, signal) for signal in SIGNALS}

    def all_headers(self) -> Dict[str, str]:
        return {**self.headers, "Authorization": "Bearer " + self.token} if self.token else dict(self.headers)

    def resource_attributes(self, instance: str) -> Dict[str, Any]:
        run = self.run or self.run_id or _program()
        said = {
            "service.instance.id": instance,
            "host.name": socket.gethostname(),
            "process.pid": os.getpid(),
            "rl.run.id": self.run_id or run,
            "rl.run.name": run,
            "rl.project": self.project,
            "rl.worker.role": self.role,
            "rl.worker.rank": self.rank,
            "telemetry.sdk.name": "rollscope",
            "telemetry.sdk.language": "python",
            "telemetry.sdk.version": VERSION,
        }
        known = {key: value for key, value in said.items() if value is not None}
        return {"service.name": self.project or "rollscope", **self.resource, **known}

    def environment(self) -> Dict[str, str]:
        """Variables that make a child process record into the same run. Role and rank are the child's own."""
        said = {
            "ROLLSCOPE_ENABLED": "1" if self.is_on else "0",
            "ROLLSCOPE_URL": self.url or (None if self.spool or self.signal_urls else DEFAULT_URL),
            "ROLLSCOPE_SPOOL": os.path.abspath(self.spool) if self.spool else None,
            "ROLLSCOPE_RUN": self.run or self.run_id or _program(),
            "ROLLSCOPE_RUN_ID": self.run_id or self.run or _program(),
            "ROLLSCOPE_PROJECT": self.project,
            "ROLLSCOPE_TOKEN": self.token,
        }
        if not self.is_on:
            return {}
        return {key: value for key, value in said.items() if value}


def new_instance() -> str:
    return str(uuid.uuid4())


def _program() -> str:
    name = os.path.splitext(os.path.basename(sys.argv[0] if sys.argv else ""))[0]
    return name if name and name not in ("-c", "-m", "__main__") else "run"


def normal_url(url: str, what: str = "url") -> str:
    """`host:4318` means http."""
    given = url if "://" in url else "http://" + url
    parts = urllib.parse.urlsplit(given)
    try:
        parts.port
    except ValueError:
        raise expected(what, url, "host:port or http(s)://host:port") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or any(c.isspace() for c in url):
        raise expected(what, url, "host:port or http(s)://host:port")
    return given


def from_code(environment: Mapping[str, str], said: Mapping[str, Any]) -> Settings:
    """Settings with what the code says on top of the environment."""
    settings = from_environment(environment, opentelemetry=True)
    for name, value in said.items():
        if value is not None:
            setattr(settings, name, _checked(name, value))
            if name == "url":
                settings.signal_urls, settings.spool = {}, None
            elif name == "spool":
                settings.url = settings.url if said.get("url") else None
    return settings


_TEXTS = ("run", "run_id", "project", "token", "role", "certificate")


def _checked(name: str, value: Any) -> Any:
    if name in _TEXTS:
        if not isinstance(value, str) or not value.strip():
            raise expected(name, value, "a text that is not blank")
        return value.strip()
    if name == "url":
        if not isinstance(value, str):
            raise expected(name, value, "host:port or http(s)://host:port")
        return normal_url(value)
    if name == "spool":
        return os.fspath(value)
    if name == "rank":
        return _whole(name, value, 0)
    if name == "buffer":
        return _whole(name, value, 16)
    if name == "content":
        return None if value is False else _values.MAX_TEXT if value is True else _whole(name, value, 1)
    if name == "timeout_s":
        if not isinstance(value, (int, float)) or not 0 < value < 3600:
            raise expected(name, value, "seconds, more than 0")
        return float(value)
    return value


def _whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise expected(name, value, "a whole number of at least %d" % least)
    return value


def from_environment(environment: Mapping[str, str], opentelemetry: bool) -> Settings:
    """What the variables say; `opentelemetry`: OpenTelemetry's too."""
    settings = Settings()
    read = _Reading(environment)
    settings.run = read.text("ROLLSCOPE_RUN")
    settings.run_id = read.text("ROLLSCOPE_RUN_ID")
    settings.project = read.text("ROLLSCOPE_PROJECT")
    settings.token = read.text("ROLLSCOPE_TOKEN")
    settings.role = read.text("ROLLSCOPE_ROLE")
    settings.spool = read.text("ROLLSCOPE_SPOOL")
    settings.url = read.url("ROLLSCOPE_URL")
    settings.enabled = read.yes_or_no("ROLLSCOPE_ENABLED")
    settings.viewer = bool(read.yes_or_no("ROLLSCOPE_VIEWER"))
    for variable in _RANK_VARIABLES:
        if settings.rank is None:
            settings.rank = read.whole(variable)
    if opentelemetry:
        _add_opentelemetry(settings, read)
    return settings


def _add_opentelemetry(settings: Settings, read: "_Reading") -> None:
    if settings.enabled is None and read.yes_or_no("OTEL_SDK_DISABLED"):
        settings.enabled = False
    prefix = "OTEL_EXPORTER_OTLP_"
    if not settings.url and not settings.spool:
        settings.url = read.url(prefix + "ENDPOINT")
        for signal in SIGNALS:
            url = read.url("%s%s_ENDPOINT" % (prefix, signal.upper()))
            if url:
                settings.signal_urls[signal] = url
        if "traces" in settings.signal_urls:
            _complete(settings)
    settings.headers = read.pairs(prefix + "HEADERS")
    settings.compress = read.text(prefix + "COMPRESSION") == "gzip"
    settings.certificate = read.text(prefix + "CERTIFICATE")
    timeout_ms = read.whole(prefix + "TIMEOUT")
    if timeout_ms:
        settings.timeout_s = timeout_ms / 1000
    protocol = read.text(prefix + "PROTOCOL")
    if protocol not in (None, "http/protobuf"):
        log.warning("%sPROTOCOL: %s (expected: http/protobuf); sending http/protobuf", prefix, protocol)
    settings.resource = dict(read.pairs("OTEL_RESOURCE_ATTRIBUTES"))
    service = read.text("OTEL_SERVICE_NAME")
    if service:
        settings.resource["service.name"] = service


def _complete(settings: Settings) -> None:
    """Starts and metrics go where spans go, if only that was said."""
    traces = settings.signal_urls["traces"]
    if settings.url is None and traces.endswith("/v1/traces"):
        settings.url = traces[: -len("/v1/traces")]


class _Reading:
    """Reads variables; says once what is wrong with one, and goes on without it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def text(self, name: str) -> Optional[str]:
        return self._environment.get(name, "").strip() or None

    def url(self, name: str) -> Optional[str]:
        value = self.text(name)
        try:
            return None if value is None else normal_url(value, name)
        except ValueError as error:
            log.warning("%s; ignored", error)
            return None

    def yes_or_no(self, name: str) -> Optional[bool]:
        value = self.text(name)
        if value is None:
            return None
        if value.lower() in _YES:
            return True
        if value.lower() not in _NO:
            log.warning("%s: %s (expected: 1 or 0); ignored", name, value)
            return None
        return False

    def whole(self, name: str) -> Optional[int]:
        value = self.text(name)
        if value is None:
            return None
        if not (value.isascii() and value.isdigit()):
            log.warning("%s: %s (expected: a whole number); ignored", name, value)
            return None
        return int(value)

    def pairs(self, name: str) -> Dict[str, str]:
        found: Dict[str, str] = {}
        for pair in (self.text(name) or "").split(","):
            key, equals, value = pair.partition("=")
            if equals and key.strip():
                found[urllib.parse.unquote(key.strip())] = urllib.parse.unquote(value.strip())
            elif pair.strip():
                log.warning("%s: %s (expected: key=value); ignored", name, pair.strip())
        return found
