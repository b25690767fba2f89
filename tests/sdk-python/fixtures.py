import itertools
import os
import tempfile

import pytest

from server import Server

_numbers = itertools.count(1)

for _variable in list(os.environ):
    if _variable.startswith(("ROLLSCOPE_", "OTEL_", "XTUNER_", "RL_INSIGHT_")) or _variable in ("RANK", "TRACEPARENT", "TRACESTATE", "BAGGAGE"):
        del os.environ[_variable]


def pytest_configure(config):
    config.addinivalue_line("markers", "last: waits for something that other tests give time to happen")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


@pytest.fixture(scope="session")
def server():
    """One server for all tests; each test has a run of its own."""
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
def run():
    """A run that no other test uses."""
    return f"run-{os.getpid()}-{next(_numbers)}"


@pytest.fixture
def rs(server, run):
    """A client of its own, closed after the test."""
    import rollscope

    client = rollscope.Rollscope(run=run, url=server.otlp, role="rollout", rank=7)
    yield client
    client.close()
