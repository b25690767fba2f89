import os
import subprocess
import sys
import tempfile

import pytest

from server import Server

for _variable in list(os.environ):
    if _variable.startswith(("ROLLSCOPE_", "OTEL_", "RL_INSIGHT_")):
        del os.environ[_variable]


@pytest.fixture(scope="session")
def server():
    """One server for tests that share it: each has a run and a job of its own."""
    with tempfile.TemporaryDirectory() as data:
        one = Server(data, "--scrape-interval", "1s")
        yield one
        one.stop()


@pytest.fixture
def start_server(tmp_path):
    """Starts a server that scrapes every second; more options may be given."""
    started = []

    def start(*options):
        started.append(Server(tmp_path / f"data-{len(started)}", "--scrape-interval", "1s", *options))
        return started[-1]

    yield start
    for one in started:
        one.stop()


class Target:
    """target.py as a process that can die and come back."""

    def __init__(self, *arguments, port=0):
        program = os.path.join(os.path.dirname(__file__), "target.py")
        self._process = subprocess.Popen(
            [sys.executable, program, str(port), *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.port = int(self._process.stdout.readline())
        self.address = f"127.0.0.1:{self.port}"

    def kill(self):
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()


@pytest.fixture
def start_target():
    started = []

    def start(*arguments, port=0):
        started.append(Target(*arguments, port=port))
        return started[-1]

    yield start
    for one in started:
        one.kill()
