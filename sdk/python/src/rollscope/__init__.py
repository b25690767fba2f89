"""Rollscope for Python: see where every rollout of an RL training run is right now.

    import rollscope as rs

    rs.init(run="grpo-qwen3", url="collector:4318")

    with rs.batch(train_step=7, model_step=6):
        with rs.task("gsm8k-17"), rs.session() as session:
            with rs.phase("generate", prompt_tokens=412) as phase:
                ...
                phase.set(completion_tokens=88)
            session.accepted()

The functions of this module act on one `Rollscope` per process. It is set up by `init`, or by `ROLLSCOPE_URL` or
`ROLLSCOPE_SPOOL` in the environment; until then every call does nothing.
"""

from __future__ import annotations

import os as _os
from typing import Any as _Any
from typing import Mapping as _Mapping
from typing import Optional as _Optional
from typing import Union as _Union

from . import _settings
from ._client import ContextThreadPool, Rollscope
from ._containers import Batch, Session, State, Task
from ._instruments import Counter, Gauge, Histogram
from ._span import Span
from ._spool import SpoolTransport
from ._version import VERSION as __version__
from .transport import OtlpTransport, Result, Transport

_process = Rollscope()

batch = _process.batch
task = _process.task
session = _process.session
phase = _process.phase
state = _process.state
trace = _process.trace
counter = _process.counter
gauge = _process.gauge
histogram = _process.histogram
inject = _process.inject
extract = _process.extract
environment = _process.environment
runtime_env = _process.runtime_env
bind = _process.bind
flush = _process.flush
close = _process.close
dropped = _process.dropped
stats = _process.stats


def init(
    run: _Optional[str] = None,
    *,
    url: _Optional[str] = None,
    project: _Optional[str] = None,
    run_id: _Optional[str] = None,
    spool: _Union[str, "_os.PathLike[str]", None] = None,
    spool_compress: _Optional[str] = None,
    spool_max_bytes: _Union[int, str, None] = None,
    token: _Optional[str] = None,
    enabled: _Optional[bool] = None,
    role: _Optional[str] = None,
    rank: _Optional[int] = None,
    viewer: _Optional[bool] = None,
    quiet: _Optional[bool] = None,
    content: _Union[bool, int, None] = None,
    buffer: _Optional[int] = None,
    timeout_s: _Optional[float] = None,
    host_metrics: _Optional[bool] = None,
    stacks: _Optional[bool] = None,
    resource: _Optional[_Mapping[str, _Any]] = None,
    transport: _Optional[Transport] = None,
) -> Rollscope:
    """Sets the process up; what is not said here is taken from `ROLLSCOPE_*`, then from `OTEL_*` in the environment.

    url: where a Rollscope server takes OTLP (`host:4318`). spool: a folder to write to instead;
    spool_compress: "zstd", "gzip" or "none"; spool_max_bytes: what it may take, like "20G". run, run_id, project: which
    run this is; all processes of a run give the same. role, rank: which worker this is. content: keep prompt and completion
    texts, cut to this length. buffer: how many spans may wait. quiet: without the line on stderr that says where it records.
    host_metrics, stacks: False leaves out CPU, memory, event loop and GPU of this process, and the stacks of overdue spans.
    A second call ends what the first began.
    """
    said = dict(locals())
    transport = said.pop("transport")
    _process._configure(_settings.from_code(_os.environ, said), transport)
    _process._announce()
    return _process


def get() -> Rollscope:
    """The process's `Rollscope`."""
    return _process


def _init_from_environment() -> None:
    settings = _settings.from_environment(_os.environ, opentelemetry=False)
    if settings.is_on:
        _process._configure(_settings.from_code(_os.environ, {}))
        # Not yet: most programs call init, too, and one line is enough.
        _process._announce_with_the_first_span()


_init_from_environment()

__all__ = [
    "Batch",
    "ContextThreadPool",
    "Counter",
    "Gauge",
    "Histogram",
    "OtlpTransport",
    "Result",
    "Rollscope",
    "Session",
    "Span",
    "SpoolTransport",
    "State",
    "Task",
    "Transport",
    "__version__",
    "batch",
    "bind",
    "close",
    "counter",
    "dropped",
    "environment",
    "extract",
    "flush",
    "gauge",
    "get",
    "histogram",
    "init",
    "inject",
    "phase",
    "runtime_env",
    "session",
    "state",
    "stats",
    "task",
    "trace",
]
