"""What the ingest and query benchmarks share: servers that never outlive the benchmark, the load generator, the machine."""
import ctypes
import json
import os
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "target" / "bench"  # on the repository's own disk: /tmp may be memory
CLASSES = f"{ROOT}/benchmarks/target/classes:{ROOT}/benchmarks/target/lib/*"
ZIPKIN = re.search("<zipkin.version>(.+)<", (ROOT / "pom.xml").read_text())[1]
TICK = os.sysconf("SC_CLK_TCK")


def fail(what, value, expected):
    sys.exit(f"bench: {what}: {value} (expected: {expected})")


def stop_on_signals():
    """Makes every signal that ends this process unwind it first, so that servers and folders go."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda number, frame: sys.exit(128 + number))


def die_with_parent():
    """In the child: killed with this process, even when that is killed without a chance to clean up."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def spawn(command, **options):
    return subprocess.Popen(list(map(str, command)), preexec_fn=die_with_parent if sys.platform == "linux" else None, **options)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def get(url, headers=None, body=None, timeout=120):
    """Status, headers and bytes of the answer, also of a refusal."""
    request = urllib.request.Request(url, data=body, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, refused.read()


class Folder:
    """A new folder, deleted at the end."""

    def __init__(self, name):
        OUT.mkdir(parents=True, exist_ok=True)
        self.path = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=OUT))

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


class Server:
    """A server process; `with` waits until it answers and stops it whatever happens."""

    def __init__(self, name, command, health, environment=None):
        self.name, self.command, self.health = name, command, health
        self.environment = {**os.environ, **(environment or {})}
        OUT.mkdir(parents=True, exist_ok=True)
        self.log = OUT / f"{name}.log"
        self.start_seconds = None

    def __enter__(self):
        with open(self.log, "wb") as log:
            begin = time.perf_counter()
            self.process = spawn(self.command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=self.environment)
        try:
            self.wait(begin, 120)
        except BaseException:
            self.stop()
            raise
        return self

    def wait(self, begin, seconds):
        while time.perf_counter() - begin < seconds:
            if self.process.poll() is not None:
                fail(self.name, f"exit {self.process.returncode}\n{self.tail()}", f"a server at {self.health}")
            try:
                if get(self.health, timeout=5)[0] == 200:
                    self.start_seconds = time.perf_counter() - begin
                    return
            except OSError:
                pass
            time.sleep(0.02)
        fail(self.name, f"no answer within {seconds} s\n{self.tail()}", f"200 at {self.health}")

    def tail(self):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def __exit__(self, *_):
        self.stop()

    def check(self):
        if self.process.poll() is not None:
            fail(self.name, f"exit {self.process.returncode}\n{self.tail()}", "still running")

    def cpu_seconds(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory_mb(self, key="VmRSS"):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(key + ":"):
                return int(line.split()[1]) / 1024
        return 0

    def heap_mb(self):
        """What the heap holds, garbage included."""
        info = subprocess.run(["jcmd", str(self.process.pid), "GC.heap_info"], capture_output=True, text=True).stdout
        used = [int(n) for n in re.findall(r"total(?: reserved)? \d+K, used (\d+)K", info.split("Metaspace")[0])]
        return sum(used) / 1024

    def wait_until_quiet(self, seconds=90):
        """Waits until it has finished what it does behind the acknowledgements; returns the CPU seconds that took."""
        begin, before = time.monotonic(), self.cpu_seconds()
        last = before
        while time.monotonic() - begin < seconds:
            time.sleep(2)
            self.check()
            now = self.cpu_seconds()
            if now - last < 0.1:
                return now - before
            last = now
        return last - before


def rollscope(data, heap="2g", *arguments, checkout=ROOT):
    port, http, grpc = free_ports(3)
    command = [checkout / "rollscope", "server", "start", "--data", data, "--port", port, "--otlp-http-port", http, "--otlp-grpc-port", grpc, *arguments]
    server = Server("rollscope", command, f"http://127.0.0.1:{port}/readyz", {"ROLLSCOPE_JAVA_OPTS": f"-Xms{heap} -Xmx{heap}"})
    server.port, server.http, server.grpc = port, http, grpc
    server.url = f"http://127.0.0.1:{port}"
    server.api = f"{server.url}/api/v1"
    return server


def zipkin(heap="2g"):
    folder = ROOT / "benchmarks" / "target" / "zipkin"
    jar = folder / f"zipkin-server-{ZIPKIN}-exec.jar"
    if not jar.exists():
        artifact = f"io.zipkin:zipkin-server:{ZIPKIN}:jar:exec"
        subprocess.run(["mvn", "-q", "-B", "-ntp", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"], cwd=ROOT, check=True)
    (port,) = free_ports(1)
    server = Server("zipkin", ["java", f"-Xms{heap}", f"-Xmx{heap}", "-jar", jar], f"http://127.0.0.1:{port}/health",
                    {"QUERY_PORT": str(port), "STORAGE_TYPE": "mem"})
    server.http = port
    return server


def java(main, *args, heap="1g"):
    """Runs one of the benchmark's programs to its end; returns what it printed as `name value` lines."""
    OUT.mkdir(parents=True, exist_ok=True)
    log = OUT / f"{main}.log"
    with open(log, "wb") as errors:
        process = spawn(["java", f"-Xmx{heap}", "-XX:+UseSerialGC", "-cp", CLASSES, f"io.rollscope.benchmarks.load.{main}", *args],
                        stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        out, _ = process.communicate()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    if process.returncode:
        fail(main, f"exit {process.returncode}\n{log.read_text(errors='replace')[-3000:]}", "0")
    return dict(line.split() for line in out.splitlines())


def load(**options):
    """Sends load; the options are those of LoadOptions, with _ for -."""
    args = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
    return {name: float(value) for name, value in java("IngestLoad", *args).items()}


def folder_mb(folder):
    """Files may go while this looks."""
    total = 0
    for file in Path(folder).rglob("*"):
        try:
            total += file.stat().st_size if file.is_file() else 0
        except FileNotFoundError:
            pass
    return total / 1e6


def sql(server, text):
    """The rows that `POST query` answers."""
    status, _, body = get(f"{server.api}/query", {"Content-Type": "application/json"}, json.dumps({"sql": text}).encode())
    if status != 200:
        fail("query", f"{status} {body[:300]!r}", "200")
    return json.loads(body)["rows"]


def processor():
    models = {line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")}
    return ", ".join(sorted(models)) or platform.machine()


def machine(command):
    """The first lines of a results.md: what was run, when, on what."""
    device, kind = subprocess.run(["df", "--output=source,fstype", OUT], check=True, capture_output=True, text=True).stdout.split()[-2:]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    jvm = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr.splitlines()[0]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return [
        f"`{command}` on {date.today()}, commit {commit}: {os.cpu_count()} cores ({processor()}), {memory:.0f} GiB,",
        f"{kind} on {device}, {jvm}. Load average at the end: {os.getloadavg()[0]:.1f} (other work on the machine counts in).",
    ]


def table(head, rows):
    return [f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |", *(f"| {' | '.join(map(str, row))} |" for row in rows)]
