"""tests/compat/run on an original that is as small as one can be: what it finds, and what it says."""
import json
import pathlib
import subprocess

import pytest

from server import ROOT

RUN = pathlib.Path(ROOT, "tests", "compat", "run")
CLI_ARGS = """
import not_installed
@dataclass
class SessionTracerConfig:
    enabled: bool = field(default=False, metadata={"help": "x"})
    flush_threshold: int = 256
@dataclass
class PerfTracerConfig:
    experiment_name: str = MISSING
    trial_name: str = MISSING
    fileroot: str = MISSING
    enabled: bool = False
    session_tracer: SessionTracerConfig | None = None
"""
#: Keeps nothing but what its tests ask for.
TRACER = """
import torch, orjson, os, getpass
from areal.utils import logging
from areal.api.cli_args import PerfTracerConfig
class PerfTracer:
    def __init__(self, config, *, rank):
        self.path = os.path.join(config.fileroot, "logs", getpass.getuser(), config.experiment_name, config.trial_name, "perf_tracer", f"traces-r{rank}.jsonl")
    def instant(self, name): ...
    def save(self):
        os.makedirs(os.path.dirname(self.path))
        open(self.path, "w").close()
"""
TESTS = """
import asyncio, getpass, pytest
from areal.api.cli_args import PerfTracerConfig
from areal.infra.platforms import current_platform
from areal.utils import perf_tracer
from areal.utils.network import find_free_ports

async def test_writes_its_file(tmp_path):
    tracer = perf_tracer.PerfTracer(PerfTracerConfig("e", "t", str(tmp_path), True), rank=0)
    await asyncio.sleep(0)
    tracer.instant("mark")
    tracer.save()
    assert (tmp_path / "logs" / getpass.getuser() / "e" / "t" / "perf_tracer" / "traces-r0.jsonl").exists()

def test_is_the_original():
    assert "rollscope" not in perf_tracer.__name__, "not the original"

@pytest.mark.skipif(not getattr(current_platform, "device_count", None), reason="no devices")
def test_needs_a_device():
    raise AssertionError
"""

#: RL-Insight and XTuner's main branch, each with one test that looks at what was recorded.
INSIGHT_API = """
_STATE = None
create_monitor_client = None
def init(project, experiment_name, config):
    global _STATE
    _STATE = create_monitor_client(config)
def metric_count(name, amount=1):
    _STATE.events.append({"kind": "counter", "name": name, "value": float(amount)})
"""
INSIGHT_TESTS = """
from rl_insight import api

class Client:
    def __init__(self):
        self.events = []

def test_counts(monkeypatch):
    client = Client()
    monkeypatch.setattr(api, "create_monitor_client", lambda config: client)
    api.init("p", "e", {"server": {"url": "http://127.0.0.1:1"}})
    api.metric_count("steps", 2)
    assert [(event["kind"], event["name"], event["value"]) for event in client.events] == [("counter", "steps", 2.0)]
"""
XTUNER_TRACE = """
from opentelemetry import trace
def trace_span(name, attributes=None):
    return trace.get_tracer("xtuner").start_as_current_span(name, attributes=attributes)
"""
XTUNER_TESTS = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from xtuner.v1.rl.trace import trace_span

def test_nests():
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    with trace_span("outer"), trace_span("inner", {"n": 1}):
        pass
    inner, outer = exporter.get_finished_spans()
    assert (inner.name, outer.name, inner.attributes["n"]) == ("inner", "outer", 1)
    assert inner.parent.span_id == outer.context.span_id
"""


def put(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture
def original(tmp_path):
    files = {
        "areal/__init__.py": "import not_installed",
        "areal/api/cli_args.py": CLI_ARGS,
        "areal/utils/perf_tracer.py": TRACER,
        "tests/test_perf_tracer.py": TESTS,
        "tests/conftest.py": "import not_installed",
    }
    return put(tmp_path / "original", files)


def compare(original, *options):
    return subprocess.run([RUN, original, *options], capture_output=True, text=True, timeout=300, check=False)


def test_each_suite_is_run_as_it_is_exchanged_and_read_back(original):
    before = sorted(original.rglob("*"))
    done = compare(original, "--format", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["project"] == "areal"
    [suite] = found["suites"]
    counts = {mode: tuple(suite[mode][what] for what in ("passed", "failed", "skipped")) for mode in ("control", "exchanged", "read-back")}
    assert counts == {"control": (2, 0, 1), "exchanged": (0, 2, 1), "read-back": (1, 1, 1)}
    assert set(suite["exchanged"]["failures"]) == {"test_writes_its_file", "test_is_the_original"}
    assert "not the original" in suite["read-back"]["failures"]["test_is_the_original"]
    assert sorted(original.rglob("*")) == before


@pytest.mark.parametrize(
    ("files", "project", "read_back"),
    [
        ({"rl_insight/__init__.py": "", "rl_insight/api.py": INSIGHT_API, "rl_insight/utils/prometheus_utils.py": "import requests", "tests/monitor/ut/test_api.py": INSIGHT_TESTS}, "rl_insight", "tests/monitor/ut/test_api.py"),
        ({"xtuner/v1/rl/trace/__init__.py": XTUNER_TRACE, "tests/rl/test_trace.py": XTUNER_TESTS}, "xtuner", "tests/rl/test_trace.py"),
    ],
)
def test_what_was_recorded_is_read_back(tmp_path, files, project, read_back):
    done = compare(put(tmp_path, files), "--format", "json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    [suite] = found["suites"]
    assert (found["project"], suite["suite"]) == (project, read_back)
    for mode in ("control", "read-back"):
        assert (suite[mode]["passed"], suite[mode]["failed"]) == (1, 0), suite[mode]


def test_a_table_for_people_and_a_suite_that_cannot_start(original):
    (original / "tests" / "test_perf_tracer.py").write_text("import not_installed")
    done = compare(original)
    head, line, *more = done.stdout.splitlines()
    assert head.split() == ["suite", "control", "exchanged", "read", "back"]
    assert line.split() == ["tests/test_perf_tracer.py", *["did", "not", "start"] * 3] and done.returncode == 1
    why = "E   ModuleNotFoundError: No module named 'not_installed'"
    assert [text for text in more if text] == [f"tests/test_perf_tracer.py, {mode}: {why}" for mode in ("control", "exchanged", "read-back")]


def test_a_folder_that_is_no_original(tmp_path):
    done = compare(tmp_path)
    assert done.returncode == 1
    assert f"compare: {tmp_path} (expected: a checkout with " in done.stderr and "areal/utils/perf_tracer.py" in done.stderr
