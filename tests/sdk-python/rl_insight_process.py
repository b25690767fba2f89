"""What the tests of rollscope.compat.rl_insight share."""

import pytest

import folders
import rollscope.compat.rl_insight as insight
from rollscope.compat.rl_insight import _monitor, _trace


@pytest.fixture(autouse=True)
def finished(monkeypatch):
    monkeypatch.setattr(_monitor, "_warned_of_names", False)
    yield
    insight.finish()


class Experiment:
    """An initialised process, and what of it has arrived."""

    def __init__(self, server, name):
        self.server, self.name, self.run = server, name, f"project-a/{name}"

    def spans(self, count=1, where="true"):
        insight.finish()
        return self.server.wait_for(lambda: self.server.spans(self.run, where), lambda spans: len(spans) == count)

    def metrics(self, count, where="true"):
        insight.finish()
        return self.server.wait_for(lambda: self.server.metrics(self.run, where), lambda points: len(points) == count)

    def labels(self, **more):
        return {"project": "project-a", "experiment_name": self.name, **more}


@pytest.fixture
def a(server, run, monkeypatch):
    """The list's project-a, with an experiment of its own; sent to the page's port, as RL-Insight's users give it."""
    monkeypatch.setenv("RL_INSIGHT_SERVER_URL", server.url)
    insight.init(project="project-a", experiment_name=run)
    return Experiment(server, run)


@pytest.fixture
def ticks(monkeypatch):
    """A clock that is read as often as it has times."""

    def use(*times):
        left = iter(times)
        monkeypatch.setattr(_trace, "clock", lambda: next(left))

    return use


def attributes(span):
    """What was said of the span itself, without what its process said of itself."""
    return {key: value for key, value in span["attributes"].items() if not key.startswith(("service.", "rl.", "telemetry."))}


def must_not_be_called(*args):
    raise AssertionError("was called")


def spooled(folder):
    """All requests of a spool, decoded."""
    return folders.requests(folder)


def descriptions(folder):
    scopes = [scope for request in spooled(folder) for resource in request.get("resourceMetrics", ()) for scope in resource["scopeMetrics"]]
    return {metric["name"]: metric.get("description") for scope in scopes for metric in scope["metrics"]}
