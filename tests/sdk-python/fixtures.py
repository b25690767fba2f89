"""What the tests of the SDK share, here and in sdk-heavy."""
import itertools
import os
import shutil
import tempfile
import threading

import pytest

from server import Server

_numbers = itertools.count(1)

for _variable in list(os.environ):
    if _variable.startswith(("ROLLSCOPE_", "OTEL_", "XTUNER_", "RL_INSIGHT_")) or _variable in ("RANK", "TRACEPARENT", "TRACESTATE", "BAGGAGE"):
        del os.environ[_variable]
#: So that tests of what a process writes see only that; test_stats.py sees the line that says where it records.
os.environ["ROLLSCOPE_QUIET"] = "1"


#: Where the server is that all processes of a parallel run share; the first process starts and stops it.
_SHARED = "SDK_TEST_SERVER"


def pytest_sessionstart(session):
    if session.config.getoption("numprocesses", None):
        data = tempfile.mkdtemp()
        session.config.shared_server = Server(data)
        os.environ[_SHARED] = data


def pytest_sessionfinish(session):
    one = getattr(session.config, "shared_server", None)
    if one is not None:
        one.stop()
        shutil.rmtree(one.data, ignore_errors=True)


@pytest.fixture(scope="session")
def server():
    """One server for all tests; each test has a run of its own."""
    if _SHARED in os.environ:
        yield Server.running(os.environ[_SHARED])
        return
    with tempfile.TemporaryDirectory() as data:
        one = Server(data)
        yield one
        one.stop()


@pytest.fixture
def own_server(tmp_path):
    """A server for a test that kills it."""
    one = Server(tmp_path / "data")
    yield one
    one.stop()


@pytest.fixture
def caplog(caplog):
    """Without what senders of earlier tests say, some of which still try while they close."""
    earlier = {thread.ident for thread in threading.enumerate() if thread.name == "rollscope-sender"}

    def is_of_this_test(record):
        return record.thread not in earlier

    caplog.handler.addFilter(is_of_this_test)
    yield caplog
    caplog.handler.removeFilter(is_of_this_test)


@pytest.fixture
def run():
    """A run that no other test uses."""
    return f"run-{os.getpid()}-{next(_numbers)}"


@pytest.fixture
def rs(server, run):
    """A client of its own, closed after the test. It sends no metrics but those of the test."""
    import rollscope

    client = rollscope.Rollscope(run=run, url=server.otlp, role="rollout", rank=7, host_metrics=False)
    yield client
    client.close()
