"""What beats say of the process itself. NVML is a stand-in that is compiled here: there is no GPU where tests run."""
import asyncio
import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.request

import pytest

from rollscope import Result, Rollscope
from rollscope._host import HostMetrics
from server import PATIENCE, ROOT, wait_until

HERE = os.path.dirname(os.path.realpath(__file__))
SDK = os.path.join(ROOT, "sdk", "python", "src")
OWN = ("process.cpu.usage", "process.memory.usage", "process.event_loop.lag")


class Kept:
    """A transport that keeps the metric points it is given."""

    content_type = "application/json"

    def __init__(self):
        self.points = []

    def send(self, signal, body, timeout):
        for resource in json.loads(body).get("resourceMetrics", ()):
            for scope in resource["scopeMetrics"]:
                self.points += [metric["name"] for metric in scope["metrics"]]
        return Result("sent")

    def close(self):
        pass


def by_name(points):
    return {point.name: point for point in points}


def test_cpu_is_the_share_of_cores_since_the_last_beat():
    now = [100.0]
    host = HostMetrics("rollout", 7, lambda: now[0])
    busy_until = time.process_time() + 0.2
    while time.process_time() < busy_until:
        pass
    now[0] = 100.5
    point = by_name(host.points())["process.cpu.usage"]
    host.close()
    assert 0.4 <= point.value < 4
    assert (point.kind, point.unit, point.attributes) == ("gauge", "{cpu}", {"role": "rollout", "rank": "7"})


def test_a_machine_that_gives_no_thread_costs_the_gpus_and_nothing_else(monkeypatch):
    """Python 3.12 starts none while it ends, which is when the first beat of a short process is sent."""

    def start(thread):
        raise RuntimeError("can't create new thread at interpreter shutdown")

    host = HostMetrics("rollout", 7)
    monkeypatch.setattr(threading.Thread, "start", start)
    points = by_name(host.points())
    host.close()
    assert {"process.cpu.usage", "process.memory.usage"} <= set(points)


def test_memory_is_what_is_resident_now():
    host = HostMetrics(None, None)
    before = by_name(host.points())["process.memory.usage"]
    block = bytearray(os.urandom(1) * (64 << 20))
    after = by_name(host.points())["process.memory.usage"]
    assert after.value - before.value > 48 << 20
    del block
    last = by_name(host.points())["process.memory.usage"]
    host.close()
    assert last.value < after.value - (48 << 20)
    assert last.attributes == {"role": "", "rank": ""}


class Loop:
    """An event loop on a thread of its own, with something to do."""

    def __enter__(self):
        started = threading.Event()

        async def main():
            self.loop = asyncio.get_running_loop()
            self.end = asyncio.Event()
            started.set()
            await self.end.wait()

        self.thread = threading.Thread(target=asyncio.run, args=(main(),), daemon=True)
        self.thread.start()
        assert started.wait(PATIENCE)
        return self

    def __exit__(self, *error):
        if self.thread.is_alive():
            self.loop.call_soon_threadsafe(self.end.set)
        self.thread.join(PATIENCE)


def lag(host):
    point = by_name(host.points()).get("process.event_loop.lag")
    return None if point is None else point.value


def test_an_event_loop_that_answers_has_a_small_lag():
    host = HostMetrics(None, None)
    with Loop() as one:
        assert lag(host) is None
        answered = threading.Event()
        one.loop.call_soon_threadsafe(answered.set)  # behind the probe
        assert answered.wait(PATIENCE)
        time.sleep(1)
        assert 0 <= lag(host) < 1
    host.close()


def test_a_blocked_event_loop_has_a_lag_that_grows_and_is_woken_once():
    host = HostMetrics(None, None)
    with Loop() as one:
        blocked, goes_on = threading.Event(), threading.Event()
        one.loop.call_soon_threadsafe(lambda: (blocked.set(), goes_on.wait(PATIENCE)))
        assert blocked.wait(PATIENCE)
        waiting = len(one.loop._ready)
        assert lag(host) is None
        time.sleep(0.3)
        first = lag(host)
        time.sleep(0.3)
        assert 0.3 <= first < lag(host)
        assert len(one.loop._ready) == waiting + 1
        goes_on.set()
    host.close()


def test_a_loop_that_ended_is_forgotten():
    host = HostMetrics(None, None)
    with Loop() as one:
        blocked, goes_on = threading.Event(), threading.Event()
        one.loop.call_soon_threadsafe(lambda: (blocked.set(), goes_on.wait(PATIENCE)))
        assert blocked.wait(PATIENCE)
        lag(host)
        goes_on.set()
    host._probes[0]._made = None  # as if it had ended before it came to it
    assert lag(host) is None
    assert host._probes == []
    host.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_does_not_wake_the_loop_of_its_parent():
    transport = Kept()
    with Loop() as one, Rollscope(run="r", transport=transport):
        reads, writes = os.pipe()
        pid = os.fork()
        if pid == 0:
            from rollscope._stacks import running_loops

            os.write(writes, b"%d" % len(running_loops()))
            os._exit(0)
        os.waitpid(pid, 0)
        assert os.read(reads, 10) == b"0"
        assert one.loop.is_running()
        os.close(reads)
        os.close(writes)


PROCESS = """
import asyncio, sys
import rollscope as rs
rs.init(sys.argv[2], url=sys.argv[1], role="rollout", rank=5)
async def main():
    with rs.session("s"):
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
asyncio.run(main())
"""


class Process:
    """One that does nothing but send beats."""

    def __init__(self, server, run, **environment):
        self.server, self.run = server, run
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("ROLLSCOPE_", "CUDA_"))}
        words = [sys.executable, "-c", PROCESS, server.otlp, run]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, env={**clean, **environment, "PYTHONPATH": SDK})

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0

    def metrics(self, wanted):
        """Asks until these are there; the last value of each, by name and GPU."""

        def ask():
            rows = self.server.metrics(self.run)
            return {(row["name"], row["labels"].get("hw.id")): row["value"] for row in rows}

        return self.server.wait_for(ask, lambda found: all(any(name == one for name, _ in found) for one in wanted))


@pytest.fixture(scope="module")
def nvml(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nvml")
    source, library = os.path.join(HERE, "nvml.c"), str(folder / "libnvidia-ml.so.1")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source], check=True)
    return str(folder)


def test_they_are_metrics_of_the_worker(server, run):
    with Process(server, run) as one:
        found = one.metrics(OWN)
        assert 0 <= found["process.cpu.usage", None] < 64
        assert 5 << 20 < found["process.memory.usage", None] < 4 << 30
        assert 0 <= found["process.event_loop.lag", None] < 60
        names = {metric["name"] for metric in server.get(f"runs/{run}/metrics")["metrics"]}
        assert set(OWN) <= names
        exposed = urllib.request.urlopen(server.url + "/metrics", timeout=30).read().decode()
        line = next(line for line in exposed.splitlines() if re.search(r'process_memory_usage\w*\{.*run="%s"' % run, line))
        assert 'role="rollout"' in line and 'rank="5"' in line


def test_gpus_that_the_process_sees(server, run, nvml):
    with Process(server, run, LD_LIBRARY_PATH=nvml) as one:
        found = one.metrics(["hw.gpu.utilization", "hw.gpu.memory.usage", "hw.gpu.memory.limit"])
    assert {key: value for key, value in found.items() if key[1] is not None} == {
        ("hw.gpu.utilization", "0"): 0.1,
        ("hw.gpu.utilization", "1"): 0.2,  # the third does not say
        ("hw.gpu.memory.usage", "0"): 1 << 30,
        ("hw.gpu.memory.usage", "1"): 2 << 30,
        ("hw.gpu.memory.usage", "2"): 3 << 30,
        ("hw.gpu.memory.limit", "0"): 80 << 30,
        ("hw.gpu.memory.limit", "1"): 80 << 30,
        ("hw.gpu.memory.limit", "2"): 80 << 30,
    }


READ = """
import rollscope._host as host
print([gpu.number for gpu in host._Nvml().read()])
"""


@pytest.mark.parametrize(
    "visible, numbers",
    [("1,0", "[1, 0]"), ("", "[]"), ("-1", "[]"), ("0,7,1", "[0]"), ("GPU-2-abc,0", "[2, 0]"), ("GPU-1", "[1]"), ("0,0,1", "[0]"), ("x" * 100_000, "[]")],
    ids=range(8),
)
def test_only_devices_that_cuda_shows(nvml, visible, numbers):
    environment = {**os.environ, "LD_LIBRARY_PATH": nvml, "PYTHONPATH": SDK, "CUDA_VISIBLE_DEVICES": visible}
    read = subprocess.run([sys.executable, "-c", READ], env=environment, capture_output=True, text=True, check=True)
    assert read.stdout.strip() == numbers


def test_a_lost_device_is_left_out(nvml):
    environment = {**os.environ, "LD_LIBRARY_PATH": nvml, "PYTHONPATH": SDK, "NVML_LOST": "1"}
    environment.pop("CUDA_VISIBLE_DEVICES", None)
    read = subprocess.run([sys.executable, "-c", READ], env=environment, capture_output=True, text=True, check=True)
    assert read.stdout.strip() == "[0, 1]"


@pytest.mark.parametrize("trouble", ["NVML_HANGS", "NVML_FAILS"])
def test_a_library_that_hangs_or_fails_stops_nothing(server, run, nvml, trouble):
    """Two beats later the process still sends, says nothing of GPUs, and can end."""
    with Process(server, run, LD_LIBRARY_PATH=nvml, **{trouble: "1"}) as one:
        one.metrics(OWN)
        first = len(server.metrics(run, "name = 'process.cpu.usage'"))
        server.wait_for(lambda: len(server.metrics(run, "name = 'process.cpu.usage'")), lambda count: count > first)
        assert server.metrics(run, "name like 'hw.%'") == []


@pytest.mark.parametrize("in_code", [True, False])
def test_it_can_be_switched_off(monkeypatch, in_code):
    if not in_code:
        monkeypatch.setenv("ROLLSCOPE_HOST_METRICS", "0")
    transport = Kept()
    client = Rollscope(run="r", transport=transport, **({"host_metrics": False} if in_code else {}))
    with client.phase("a"):
        assert client.flush(PATIENCE)
    assert client.environment()["ROLLSCOPE_HOST_METRICS"] == "0"
    client.close()
    assert transport.points == []


def test_it_is_on_by_itself():
    transport = Kept()
    with Rollscope(run="r", transport=transport) as client, client.phase("a"):
        wait_until(lambda: "process.memory.usage" in transport.points, "a gauge")
        assert "ROLLSCOPE_HOST_METRICS" not in client.environment()
