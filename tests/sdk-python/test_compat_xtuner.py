"""rollscope.compat.xtuner: what XTuner's own tests ask, read as “what arrives at the server”."""
import asyncio
import copy
import json
import os
import socket
import subprocess
import sys
import urllib.request
from types import SimpleNamespace

import pydantic
import pytest
from server import ROLLSCOPE
from xtuner_parts import Status, arrived, events, sample, sessions, traced  # noqa: F401

from rollscope.compat import xtuner
from rollscope.compat.xtuner import TraceConfig, close_trace, configure_trace, trace_event, trace_function, trace_span

BATCH = "train_step=1/model_step=2/producer_future_step=3"


def test_item_01_points_spans_and_functions_in_their_order(server, run, traced):
    async def work():
        state = sample(123)
        await trace_event(state, "custom.prepare")
        async with trace_span(state, "custom.work"):
            state.status = Status.COMPLETED

        @trace_function("custom.fn")
        async def traced_function(rollout_state):
            await trace_event(rollout_state, "custom.fn.inner")
            return rollout_state

        assert await traced_function(state) is state

    asyncio.run(work())
    spans = arrived(server, run, 3)
    assert events(spans) == ["custom.prepare", "custom.work.start", "custom.work.end", "custom.fn.start", "custom.fn.inner", "custom.fn.end"]
    assert {span["session"] for span in spans} == {"gsm8k:123"}
    expected = {"session": "gsm8k:123", "status": "completed", "source_status": "completed", "reason": None}
    expected.update(batch=None, task=None, task_name="gsm8k")
    server.wait_for(lambda: sessions(server, run), [expected])


def test_item_02_getter_fields_and_a_returned_copy(server, run, traced):
    class Worker:
        worker_rank = 7

        @trace_function(
            "custom.worker",
            target="state",
            trace_kwargs_getter=lambda self, *args, **kwargs: {"produce_batch_id": BATCH, "worker_rank": self.worker_rank},
        )
        async def run(self, state):
            done = copy.copy(state)
            done.status = Status.COMPLETED
            return done

    asyncio.run(Worker().run(sample(456)))
    [span] = arrived(server, run, 1)
    assert events([span]) == ["custom.worker.start", "custom.worker.end"]
    assert (span["session"], span["batch"], span["worker_rank"]) == ("gsm8k:456", BATCH, 7)
    assert (span["attributes"]["xtuner.status.start"], span["source_status"]) == ("init", "completed")


def test_item_03_an_exception_reaches_the_caller_and_the_server(server, run, traced):
    raised = ValueError("rollout failed")

    @trace_function("custom.failure", target="state")
    async def failing(state):
        raise raised

    with pytest.raises(ValueError) as caught:
        asyncio.run(failing(sample(789)))
    assert caught.value is raised
    [span] = arrived(server, run, 1)
    assert events([span]) == ["custom.failure.start", "custom.failure.error"]
    assert (span["error_type"], span["error_message"], span["outcome"]) == ("ValueError", "rollout failed", "error")
    assert span["end_ns"] > span["start_ns"]
    [session] = sessions(server, run)
    assert (session["status"], session["reason"]) == ("failed", "ValueError: rollout failed")


def test_item_04_ray_actors_get_the_trace_by_their_environment(tmp_path):
    configure_trace(TraceConfig(enabled=True, output_dir=tmp_path / "d", max_events=20, max_events_per_trace=30, viewer_enabled=False))
    options = {"num_cpus": 1, "runtime_env": {"env_vars": {"EXISTING": "1", "ROLLSCOPE_RUN": "mine", "XTUNER_TRACE_ENABLED": "0"}}}
    merged = xtuner.merge_trace_runtime_env(options)
    variables = xtuner.get_trace_env_vars()
    close_trace()
    expected = {
        "XTUNER_TRACE_ENABLED": "1",
        "XTUNER_TRACE_OUTPUT_DIR": str(tmp_path / "d"),
        "XTUNER_TRACE_MAX_EVENTS": "20",
        "XTUNER_TRACE_MAX_EVENTS_PER_TRACE": "30",
    }
    assert merged is options and merged["num_cpus"] == 1
    theirs = merged["runtime_env"]["env_vars"]
    assert {name: theirs[name] for name in expected} == expected == {name: variables[name] for name in expected}
    assert (theirs["EXISTING"], theirs["ROLLSCOPE_RUN"]) == ("1", "mine")
    assert xtuner.get_trace_env_vars() == {}
    untouched = {"num_cpus": 1}
    assert xtuner.merge_trace_runtime_env(untouched) == {"num_cpus": 1}


def test_item_17_ids(server, run, traced):
    assert xtuner.build_trace_id(None, 3) == "unknown:3"
    assert xtuner.build_trace_id("t", None) is None
    assert xtuner.build_produce_batch_id(1, None, 2) == "train_step=1/model_step=none/producer_future_step=2"
    assert xtuner.build_produce_batch_id(None, None, None) is None

    async def work():
        await trace_event(SimpleNamespace(uid=3, task_name=None), "a", train_step=1, producer_future_step=2)
        await trace_event(SimpleNamespace(uid=None, task_name="t"), "b")
        await trace_event(None, "c", task_name="t", uid="x")
        await trace_event(None, "d")

    asyncio.run(work())
    spans = arrived(server, run, 2)
    found = [(span["name"], span["session"], span["batch"], span["train_step"], span["future_step"]) for span in spans]
    assert found == [("a", "unknown:3", "train_step=1/model_step=none/producer_future_step=2", 1, 2), ("c", "t:x", None, None, None)]


CHILD = """
import json, sys
from rollscope.compat.xtuner import close_trace, trace_span
with trace_span("worker", parent_carrier=json.loads(sys.argv[1])):
    pass
close_trace()
"""


def test_item_22_errors_and_context_of_the_later_calls(server, run, traced):
    with pytest.raises(RuntimeError):
        with trace_span("driver", attributes={"xtuner.rollout_id": 2**127, "xtuner.status": "init"}):
            xtuner.set_trace_attributes({"reward.score": 0.5})
            trace_event("cache.miss", {"key": "a"})
            carrier = xtuner.inject_trace_context()
            subprocess.run([sys.executable, "-c", CHILD, json.dumps(carrier)], check=True, env={**os.environ, **xtuner.get_trace_env_vars()})
            raise RuntimeError("boom")
    driver, worker = arrived(server, run, 2)
    assert (driver["outcome"], driver["error_type"], driver["error_message"]) == ("error", "RuntimeError", "boom")
    assert (driver["attributes"]["error"], driver["attributes"]["reward.score"]) == ("true", "0.5")
    assert [e["name"] for e in json.loads(driver["attributes"]["otel.events"])] == ["cache.miss", "exception"]
    assert (worker["trace_id"], worker["parent_id"], worker["pid"]) == (driver["trace_id"], driver["span_id"], worker["pid"])
    assert worker["pid"] != driver["pid"] == os.getpid()
    assert {driver["session"], worker["session"]} == {str(2**127)}


def test_item_22_an_error_in_a_span_of_a_sample_says_so_too(server, run, traced):
    with pytest.raises(RuntimeError):
        with trace_span(sample(), "work"):
            raise RuntimeError("boom")
    [span] = arrived(server, run, 1)
    assert (span["attributes"]["error"], span["error_type"], span["error_message"]) == ("true", "RuntimeError", "boom")


def test_item_23_the_viewer_lives_as_long_as_the_trace(server, tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("ROLLSCOPE_HOME", os.path.dirname(ROLLSCOPE))
    config = TraceConfig(enabled=True, viewer_host="127.0.0.1", viewer_port=free_port(), viewer_refresh_interval_s=0.5, viewer_scope="all")
    folder = tmp_path / "exp" / "producer_trace"
    try:
        configure_trace(config, output_dir=folder)
        configure_trace(config, output_dir=folder)
        assert folder.is_dir()
        printed = capfd.readouterr().out
        assert printed == f"Producer Trace Viewer: http://127.0.0.1:{config.viewer_port}\n"
        url = printed.split()[-1]
        with trace_span(sample(), "work"):
            find = lambda: json.load(urllib.request.urlopen(f"{url}/api/v1/runs", timeout=10))["runs"]
            server.wait_for(find, lambda runs: [run["run"] for run in runs] == ["exp"])
    finally:
        close_trace()
    with pytest.raises(OSError):
        urllib.request.urlopen(url, timeout=10)


def test_item_23_no_viewer_is_one_warning(tmp_path, monkeypatch, caplog, capfd):
    monkeypatch.setenv("ROLLSCOPE_HOME", str(tmp_path))
    configure_trace(TraceConfig(enabled=True, output_dir=tmp_path / "d"))
    with trace_span(sample(), "work"):
        pass
    close_trace()
    assert [record.getMessage() for record in caplog.records if "no viewer" in record.getMessage()]
    assert len(caplog.records) == 1 and capfd.readouterr().out == ""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize(
    "wrong",
    [{"enable": True}, {"viewer_scope": "foo"}, {"max_events": "x"}, {"viewer_port": 70_000}, {"enabled": "maybe"}, {"output_dir": 3}],
)
def test_set_up_mistakes_are_errors_that_name_what_was_expected(wrong):
    with pytest.raises(ValueError, match=r"\(expected: .+\)"):
        configure_trace(TraceConfig(**wrong))


def test_the_config_has_nine_fields_with_xtuners_defaults():
    assert TraceConfig().model_dump() == {
        "enabled": False,
        "output_dir": None,
        "max_events": 100_000,
        "max_events_per_trace": 256,
        "viewer_enabled": True,
        "viewer_host": "127.0.0.1",
        "viewer_port": 0,
        "viewer_refresh_interval_s": 1.0,
        "viewer_scope": "latest-produce-batch",
    }


def test_the_config_is_a_field_of_a_pydantic_model_as_in_xtuners_trainer():
    class Trainer(pydantic.BaseModel):
        trace: TraceConfig = TraceConfig()

    assert Trainer(trace={"enabled": True, "max_events": 5}).trace == TraceConfig(enabled=True, max_events=5)
    assert Trainer().model_dump() == {"trace": TraceConfig().model_dump()}
    with pytest.raises(ValueError, match="enable "):
        Trainer(trace={"enable": True})
