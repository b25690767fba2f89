"""What the tests of rollscope.compat.xtuner share."""
import json
from enum import Enum
from types import SimpleNamespace

import pytest

from rollscope.compat import _recording, xtuner
from rollscope.compat.xtuner import TraceConfig, close_trace, configure_trace


class Status(Enum):
    INIT = "init"
    COMPLETED = "completed"


def sample(uid=123, status=Status.INIT, **more):
    return SimpleNamespace(uid=uid, task_name="gsm8k", session_uid=1000, status=status, extra_fields={}, **more)


@pytest.fixture(autouse=True)
def unsaid(monkeypatch):
    """What other tests were warned of is said again."""
    monkeypatch.setattr(_recording, "_said", set())


@pytest.fixture
def traced(server, run, monkeypatch):
    """XTuner's trace, sent to the server; the environment is as it was afterwards."""
    monkeypatch.setenv("ROLLSCOPE_URL", server.otlp)
    monkeypatch.setenv("ROLLSCOPE_RUN", run)
    yield configure_trace(TraceConfig(enabled=True))
    close_trace()


def arrived(server, run, count):
    assert xtuner._runtime.client().flush()
    assert xtuner._runtime.named_client().flush()
    spans = server.wait_for(lambda: server.spans(run), lambda spans: len(spans) == count and all(s["end_ns"] for s in spans))
    # Long numbers are text in JSON.
    return [{**span, "start_ns": int(span["start_ns"]), "end_ns": int(span["end_ns"])} for span in spans]


def events(spans):
    """XTuner's events, told from spans: a point is an event of the span around it, or a span marked `rollscope.point`."""
    told = []
    for span in spans:
        told += [(int(e["time_ns"]), e["name"]) for e in json.loads(span["attributes"].get("otel.events", "[]")) if e["name"] != "exception"]
        if "rollscope.point" in span["attributes"]:
            told.append((span["start_ns"], span["name"]))
        else:
            told.append((span["start_ns"], span["name"] + ".start"))
            told.append((span["end_ns"], span["name"] + (".end" if span["outcome"] == "ok" else ".error")))
    return [name for _, name in sorted(told)]


def sessions(server, run):
    return server.sql(f"select session, status, source_status, reason, batch, task, task_name from sessions where run = '{run}' order by session")
