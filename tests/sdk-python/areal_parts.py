"""What the tests of rollscope.compat.areal share."""
import pytest

from rollscope.compat import areal as perf_tracer
from rollscope.compat.areal import PerfTracerConfig, SessionTracerConfig


def config(**more):
    said = dict(experiment_name="exp", trial_name="t1", fileroot="", enabled=True, session_tracer=SessionTracerConfig(enabled=True))
    return PerfTracerConfig(**{**said, **more})


@pytest.fixture
def to_server(server, run, monkeypatch):
    """What is configured in the test goes to the server; nothing is configured afterwards."""
    monkeypatch.setenv("ROLLSCOPE_URL", server.otlp)
    monkeypatch.setenv("ROLLSCOPE_RUN", run)
    yield
    perf_tracer.reset()
    perf_tracer.set_task_id(None)
    perf_tracer.set_session_id(None)


@pytest.fixture
def tracer(to_server):
    return perf_tracer.configure(config(), rank=0)


def spans(server, run, count, where="true", still_open=0):
    """That many spans, so many of them open; SQL may answer as it was a second ago."""
    perf_tracer.save(force=True)
    found = server.wait_for(lambda: server.spans(run, where), lambda spans: (len(spans), sum(not span["end_ns"] for span in spans)) == (count, still_open))
    # Long numbers are text in JSON.
    return [{**span, "start_ns": int(span["start_ns"]), "end_ns": int(span["end_ns"] or 0)} for span in found]


def sessions(server, run, accept=bool):
    perf_tracer.save(force=True)
    question = f"select session, status, source_status, reason, task, finalised from sessions where run = '{run}' order by session"
    return server.wait_for(lambda: server.sql(question), accept)


def begin_session(task_id=0):
    perf_tracer.register_task(task_id)
    session_id = perf_tracer.register_session(task_id)
    perf_tracer.set_session_id(session_id)
    return session_id


def tell(method, session_id, **payload):
    perf_tracer.trace_session_event(method, session_id=session_id, **payload)
