"""What can be configured: in code, else by `ROLLSCOPE_*`, else by OpenTelemetry's own variables.

A wrong value in code is an error. A wrong value in the environment is a warning: it must not end a training run.
"""

from __future__ import annotations

import os
import socket
import sys
import urllib.parse
import uuid
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional

from . import _compression, _starts
from ._checks import LEAST_SPOOL_BYTES, LONGEST_TIMEOUT_S, checked, expected, normal_url  # noqa: F401 (the last two for compat)
from ._checks import Reading as _Reading
from ._version import VERSION

SIGNALS = ("traces", "logs", "metrics")
DEFAULT_URL = "http://127.0.0.1:4318"
_RANK_VARIABLES = ("ROLLSCOPE_RANK", "RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK")


@dataclass
class Settings:
    """What a process was told. `None` means: not said."""

    run: Optional[str] = None
    run_id: Optional[str] = None
    project: Optional[str] = None
    url: Optional[str] = None
    spool: Optional[str] = None
    #: None: the best there is.
    spool_compress: Optional[str] = None
    spool_max_bytes: Optional[int] = None
    #: What all processes of one start of the run have in common. Empty: the folder is that of one start already.
    spool_start: str = ""
    token: Optional[str] = None
    enabled: Optional[bool] = None
    role: Optional[str] = None
    rank: Optional[int] = None
    viewer: bool = False
    quiet: bool = False
    content: Optional[int] = None
    buffer: int = 100_000
    timeout_s: float = 10.0
    #: Whether CPU, memory, event loops and GPUs are measured, and stacks are recorded when the server asks.
    host_metrics: bool = True
    stacks: bool = True
    compress: bool = False
    certificate: Optional[str] = None
    headers: Dict[str, str] = field(default_factory=dict)
    resource: Dict[str, Any] = field(default_factory=dict)
    signal_urls: Dict[str, str] = field(default_factory=dict)
    #: Whether the program's name is the run if none was said. Otherwise the server looks for it in what is recorded.
    invent_run: bool = True

    @property
    def is_on(self) -> bool:
        if self.enabled is not None:
            return self.enabled
        return bool(self.url or self.spool or self.signal_urls or self.viewer)

    def urls(self) -> Dict[str, str]:
        base = (self.url or DEFAULT_URL).rstrip("/")
        return {signal: self.signal_urls.get(signal) or "%s/v1/%s" % (base, signal) for signal in SIGNALS}

    def destination(self) -> str:
        """Where spans go, in words; without the password that a URL may hold."""
        if self.spool:
            return "folder " + os.path.abspath(self.spool)
        parts = urllib.parse.urlsplit(self.signal_urls.get("traces") or self.url or DEFAULT_URL)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()

    def run_name(self) -> str:
        return str(self.run or self.run_id or self.resource.get("rl.run.name") or self.resource.get("rl.run.id") or _program())

    def all_headers(self) -> Dict[str, str]:
        return {**self.headers, "Authorization": "Bearer " + self.token} if self.token else dict(self.headers)

    def resource_attributes(self, instance: str) -> Dict[str, Any]:
        run = self.run_name()
        is_said = bool(self.invent_run or self.run or self.run_id)
        said = {
            "service.instance.id": instance,
            "host.name": socket.gethostname(),
            "process.pid": os.getpid(),
            "rl.run.id": (self.run_id or self.run or self.resource.get("rl.run.id") or run) if is_said else None,
            "rl.run.name": run if is_said else None,
            "rl.project": self.project,
            "rl.worker.role": self.role,
            "rl.worker.rank": self.rank,
            "telemetry.sdk.name": "rollscope",
            "telemetry.sdk.language": "python",
            "telemetry.sdk.version": VERSION,
        }
        known = {key: value for key, value in said.items() if value is not None}
        return {"service.name": self.project or "rollscope", **self.resource, **known}

    def spool_folder(self) -> str:
        """The folder of this start, in the one that was given."""
        run = self.run or self.run_id or self.resource.get("rl.run.name") or self.resource.get("rl.run.id") or _program()
        name = _starts.file_name("%s-%s" % (run, self.spool_start)) if self.spool_start else ""
        return os.path.join(self.spool or "", name)

    def environment(self) -> Dict[str, str]:
        """Variables that make a child process record into the same run. Role and rank are the child's own."""
        said = {
            "ROLLSCOPE_ENABLED": "1" if self.is_on else "0",
            "ROLLSCOPE_URL": self.url or (None if self.spool or self.signal_urls else DEFAULT_URL),
            "ROLLSCOPE_SPOOL": os.path.abspath(self.spool) if self.spool else None,
            "ROLLSCOPE_SPOOL_START": self.spool_start if self.spool else None,
            "ROLLSCOPE_SPOOL_COMPRESS": self.spool_compress,
            "ROLLSCOPE_SPOOL_MAX_BYTES": str(self.spool_max_bytes) if self.spool_max_bytes else None,
            "ROLLSCOPE_RUN": self.run or self.run_id or _program(),
            "ROLLSCOPE_RUN_ID": self.run_id or self.run or _program(),
            "ROLLSCOPE_PROJECT": self.project,
            "ROLLSCOPE_TOKEN": self.token,
            "ROLLSCOPE_VIEWER": "0" if self.viewer else None,
            "ROLLSCOPE_QUIET": "1",
            "ROLLSCOPE_HOST_METRICS": None if self.host_metrics else "0",
            "ROLLSCOPE_STACKS": None if self.stacks else "0",
        }
        if not self.is_on:
            return {}
        return {key: value for key, value in said.items() if value}


def new_instance() -> str:
    return str(uuid.uuid4())


def _program() -> str:
    name = os.path.splitext(os.path.basename(sys.argv[0] if sys.argv else ""))[0]
    return name if name and name not in ("-c", "-m", "__main__") else "run"


def from_code(environment: Mapping[str, str], said: Mapping[str, Any]) -> Settings:
    """Settings with what the code says on top of the environment."""
    settings = from_environment(environment, opentelemetry=True)
    said = {name: checked(name, value) for name, value in said.items() if value is not None}
    if "url" in said:
        settings.signal_urls, settings.spool = {}, None
    elif "spool" in said:
        settings.url = None
    if "resource" in said:
        said["resource"] = {**settings.resource, **said["resource"]}
    for name, value in said.items():
        setattr(settings, name, value)
    return settings


def from_environment(environment: Mapping[str, str], opentelemetry: bool) -> Settings:
    """What the variables say; `opentelemetry`: OpenTelemetry's too."""
    settings = Settings()
    read = _Reading(environment)
    settings.run = read.text("ROLLSCOPE_RUN")
    settings.run_id = read.text("ROLLSCOPE_RUN_ID")
    settings.project = read.text("ROLLSCOPE_PROJECT")
    settings.token = read.token("ROLLSCOPE_TOKEN")
    settings.role = read.text("ROLLSCOPE_ROLE")
    settings.spool = read.text("ROLLSCOPE_SPOOL")
    settings.spool_compress = read.word("ROLLSCOPE_SPOOL_COMPRESS", tuple(_compression.SUFFIXES))
    settings.spool_max_bytes = read.size("ROLLSCOPE_SPOOL_MAX_BYTES", LEAST_SPOOL_BYTES)
    settings.spool_start = read.text("ROLLSCOPE_SPOOL_START") or _starts.key(environment)
    settings.url = read.url("ROLLSCOPE_URL")
    settings.enabled = read.yes_or_no("ROLLSCOPE_ENABLED")
    settings.viewer = bool(read.yes_or_no("ROLLSCOPE_VIEWER"))
    settings.quiet = bool(read.yes_or_no("ROLLSCOPE_QUIET"))
    settings.host_metrics = read.yes_or_no("ROLLSCOPE_HOST_METRICS") is not False
    settings.stacks = read.yes_or_no("ROLLSCOPE_STACKS") is not False
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
    settings.headers = read.headers(prefix + "HEADERS")
    settings.compress = read.word(prefix + "COMPRESSION", ("none", "gzip")) == "gzip"
    settings.certificate = read.text(prefix + "CERTIFICATE")
    timeout_ms = read.whole(prefix + "TIMEOUT", 1, LONGEST_TIMEOUT_S * 1000)
    if timeout_ms:
        settings.timeout_s = timeout_ms / 1000
    read.word(prefix + "PROTOCOL", ("http/protobuf",))
    settings.resource = dict(read.pairs("OTEL_RESOURCE_ATTRIBUTES"))
    service = read.text("OTEL_SERVICE_NAME")
    if service:
        settings.resource["service.name"] = service


def _complete(settings: Settings) -> None:
    """Starts and metrics go where spans go, if only that was said."""
    traces = settings.signal_urls["traces"]
    if settings.url is None and traces.endswith("/v1/traces"):
        settings.url = traces[: -len("/v1/traces")]
