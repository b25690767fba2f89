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


@pytest.fixture
def original(tmp_path):
    files = {
        "areal/__init__.py": "import not_installed",
        "areal/api/cli_args.py": CLI_ARGS,
        "areal/utils/perf_tracer.py": TRACER,
        "tests/test_perf_tracer.py": TESTS,
        "tests/conftest.py": "import not_installed",
    }
    for name, text in files.items():
        path = tmp_path / "original" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "original"


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
