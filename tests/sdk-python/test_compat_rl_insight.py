"""What RL-Insight's own tests ask of a client, items 1–15. Item 21 is in test_compat_rl_insight_prometheus.py."""
import asyncio
import inspect
import logging
import os
import types

import pytest

import rollscope.compat.rl_insight as insight
from rl_insight_process import Experiment, a, attributes, descriptions, finished, must_not_be_called, spooled, ticks  # noqa: F401
from rollscope.compat.rl_insight import _monitor, _trace

# ── metrics ──


def test_item_01_a_counter(a):
    insight.metric_count("steps", amount=2, worker="w0")
    [point] = a.metrics(1)
    assert (point["name"], point["kind"], point["monotonic"], point["temporality"], point["value"]) == ("steps", "sum", True, "cumulative", 2.0)
    assert point["labels"] == a.labels(worker="w0")


def test_item_02_a_gauge_is_overwritten_and_its_history_kept(a):
    insight.metric_gauge("reward", 1.5, documentation="Latest reward", worker="w0")
    insight.metric_gauge("reward", 1.75, documentation="Latest reward", worker="w0")
    points = a.metrics(2)
    assert [(point["kind"], point["value"]) for point in points] == [("gauge", 1.5), ("gauge", 1.75)]
    assert [point["labels"] for point in points] == 2 * [a.labels(worker="w0")]


def test_item_03_a_histogram(a):
    insight.metric_histogram("latency", 12, worker="w0")
    [point] = a.metrics(1)
    assert (point["kind"], point["count"], point["sum"], point["labels"]) == ("histogram", 1, 12.0, a.labels(worker="w0"))
    in_bucket = dict(zip(point["bounds"], point["bucket_counts"]))
    assert in_bucket[25.0] == 1 and sum(point["bucket_counts"]) == 1


def test_items_01_to_03_help_texts(tmp_path, monkeypatch):
    monkeypatch.setenv("ROLLSCOPE_SPOOL", str(tmp_path))
    insight.init(project="project-a", experiment_name="experiment-a")
    insight.metric_count("steps", amount=2, worker="w0")
    insight.metric_gauge("reward", 1.5, documentation="Latest reward", worker="w0")
    insight.metric_gauge("reward", 1.6, documentation="Another text", worker="w0")
    insight.metric_gauge("loss", 1.5)
    insight.metric_histogram("latency", 12, worker="w0")
    insight.finish()
    assert descriptions(tmp_path) == {"steps": "Counter steps", "reward": "Latest reward", "loss": "Gauge loss", "latency": "Histogram latency"}


def test_item_04_three_steps_of_all_kinds(a):
    for i in range(3):
        insight.metric_count("train_step", 1)
        insight.metric_gauge("reward_mean", 1 + 0.01 * i)
        insight.metric_histogram("step_latency_ms", 200 + 20 * i)
    points = {point["name"]: point for point in a.metrics(5)}
    assert points["train_step"]["value"] == 3
    assert points["reward_mean"]["value"] == 1.02
    assert (points["step_latency_ms"]["count"], points["step_latency_ms"]["sum"]) == (3, 660)


def test_item_05_a_label_of_the_call_wins_and_is_a_text(a):
    defaults = {"worker": "old"}
    insight.metric_gauge("reward", 1, **{**defaults, "worker": "w0", "rank": 0, "ok": True, "nothing": None})
    [point] = a.metrics(1)
    assert point["labels"] == a.labels(worker="w0", rank="0", ok="True", nothing="None")


# ── spans ──


def test_item_06_one_span_for_a_state_with_others_inside(a, ticks):
    ticks(100, 200)
    with insight.trace_state("rollout", state_lane_id="replica-0", step=3):
        with insight.trace_state("rollout", state_lane_id="replica-0", step=4):
            with insight.trace_state("shadowed", state_lane_id="replica-0"):
                pass
    [span] = a.spans(1)
    assert (span["name"], span["start_ns"], span["end_ns"], span["kind"], span["lane"]) == ("rollout", 100, 200, "state", "replica-0")
    assert (span["stage"], span["session"], span["outcome"]) == ("rollout", None, "ok")
    assert attributes(span) == {
        "process_id": str(os.getpid()),
        **a.labels(step="3", state_name="rollout", state_lane_id="replica-0"),
        "monitor.trace_segment": "state_interval",
    }
    assert len(a.server.sql(f"select * from states where run = '{a.run}'")) == 1


def test_item_06_the_step_is_a_number_on_the_wire(tmp_path, monkeypatch):
    monkeypatch.setenv("ROLLSCOPE_SPOOL", str(tmp_path))
    insight.init(project="project-a", experiment_name="experiment-a")
    with insight.trace_state("rollout", step=3):
        pass
    insight.finish()
    [span] = [span for request in spooled(tmp_path) for resource in request.get("resourceSpans", ()) for span in resource["scopeSpans"][0]["spans"]]
    step = next(pair["value"] for pair in span["attributes"] if pair["key"] == "step")
    assert {key: int(value) for key, value in step.items()} == {"intValue": 3}


def test_item_07_the_lane_is_the_process_and_the_reserved_names_are_ours(a):
    with insight.trace_state("update", **{"monitor.trace_segment": "mine", "rl.kind": "batch"}):
        pass
    [span] = a.spans(1)
    assert (span["name"], span["lane"], span["kind"]) == ("update", str(os.getpid()), "state")
    reserved = {key: span["attributes"][key] for key in ("state_name", "state_lane_id", "monitor.trace_segment")}
    assert reserved == {"state_name": "update", "state_lane_id": str(os.getpid()), "monitor.trace_segment": "state_interval"}


def test_item_08_an_op_that_raises(a, ticks):
    ticks(300, 450)

    @insight.trace_op("train", extra_labels=lambda first: {"worker": first.name}, phase="update")
    def train(worker):
        raise ValueError("no gradient")

    with pytest.raises(ValueError, match="no gradient"):
        train(types.SimpleNamespace(name="w0"))
    [span] = a.spans(1)
    assert (span["name"], span["start_ns"], span["end_ns"], span["kind"]) == ("train", 300, 450, "op")
    said = {key: span["attributes"][key] for key in ("phase", "worker", "monitor.trace_segment", "project")}
    assert said == {"phase": "update", "worker": "w0", "monitor.trace_segment": "duration", "project": "project-a"}
    assert (span["outcome"], span["error_type"], span["error_message"]) == ("error", "ValueError", "no gradient")


def test_item_09_an_async_op_covers_the_await(a, ticks):
    ticks(1000, 1500)
    during = []

    @insight.trace_op()
    async def generate(prompt: str, n: int = 2) -> str:
        "Says it."
        await asyncio.sleep(0)
        during.append(len(_monitor.active().client._recorder.open))
        return prompt * n

    assert inspect.iscoroutinefunction(generate)
    assert (generate.__name__, generate.__doc__, list(inspect.signature(generate).parameters)) == ("generate", "Says it.", ["prompt", "n"])
    assert asyncio.run(generate("a")) == "aa"
    assert during == [1]
    [span] = a.spans(1)
    assert (span["name"], span["start_ns"], span["end_ns"], span["outcome"]) == (generate.__qualname__, 1000, 1500, "ok")


@pytest.mark.parametrize("error, outcome", [(KeyError("x"), "error"), (asyncio.CancelledError(), "cancelled")])
def test_item_09_an_async_op_that_is_left_by_an_exception(a, error, outcome):
    @insight.trace_op("generate")
    async def generate():
        await asyncio.sleep(0)
        raise error

    with pytest.raises(type(error)):
        asyncio.run(generate())
    assert [span["outcome"] for span in a.spans(1)] == [outcome]


@pytest.mark.parametrize("callback", [lambda first: 1 / 0, lambda first: None, lambda first: {"project": "project-b"}])
def test_item_10_extra_labels_that_fail(a, callback):
    @insight.trace_op("train", extra_labels=callback, phase="update")
    def train(batch):
        return batch + 1

    with pytest.warns(RuntimeWarning, match="extra_labels of train") as caught:
        assert train(1) == 2
    assert caught[0].filename == __file__
    [span] = a.spans(1)
    assert (span["attributes"]["phase"], span["attributes"]["project"], span["outcome"]) == ("update", "project-a", "ok")


def test_item_10_extra_labels_are_not_asked_without_positional_arguments(a):
    train = insight.trace_op("train", extra_labels=must_not_be_called)(lambda batch=0: batch)
    assert train(batch=3) == 3
    assert len(a.spans(1)) == 1


def test_item_11_finished_spans(a):
    given = {"run_id": "abc", "turn": "5"}
    for _ in range(2):
        insight.trace_span(name="tool_calls", start_time_ns=1000, end_time_ns=2000, attributes=given)
    given["turn"] = "6"
    spans = a.spans(2)
    assert [(span["name"], span["start_ns"], span["end_ns"], span["session"]) for span in spans] == 2 * [("tool_calls", 1000, 2000, None)]
    assert [attributes(span) for span in spans] == 2 * [{"process_id": str(os.getpid()), **a.labels(run_id="abc", turn="5")}]


def test_item_12_the_identity_is_reserved(a):
    def span(**attributes):
        insight.trace_span(name="x", start_time_ns=1, end_time_ns=2, attributes=attributes)

    def state(**labels):
        with insight.trace_state("x", **labels):
            raise AssertionError("the block ran")

    def op(**labels):
        insight.trace_op("x", **labels)(must_not_be_called)()

    insight.metric_count("steps", project="project-a", experiment_name=a.name)
    span(project="project-a")
    for record in (lambda **labels: insight.metric_count("steps", **labels), lambda **labels: insight.metric_gauge("g", 1, **labels),
                   lambda **labels: insight.metric_histogram("h", 1, **labels), span, state, op):
        for other in ({"project": "project-b"}, {"experiment_name": "experiment-b"}):
            with pytest.raises(ValueError, match="reserved"):
                record(**other)
    assert [point["labels"] for point in a.metrics(1)] == [a.labels()]
    assert len(a.spans(1)) == 1


def test_item_13_half_an_identity_is_an_error(server, monkeypatch):
    monkeypatch.setenv("RL_INSIGHT_SERVER_URL", server.url)
    for half in ({"project": "project-a"}, {"experiment_name": "e"}, {"project": "project-a", "experiment_name": "  "}):
        with pytest.raises(ValueError, match="both"):
            insight.init(**half)
    assert _monitor.active() is None


def test_item_13_the_identity_is_trimmed(server, run, monkeypatch):
    monkeypatch.setenv("RL_INSIGHT_SERVER_URL", server.url)
    insight.init(project=" project-a ", experiment_name=f"\t{run}\n")
    insight.metric_gauge("reward", 1)
    [point] = Experiment(server, run).metrics(1)
    assert point["labels"] == {"project": "project-a", "experiment_name": run}


def test_item_13_without_an_identity_the_names_are_labels(server, run, monkeypatch):
    monkeypatch.setenv("RL_INSIGHT_SERVER_URL", server.url)
    insight.init()
    with pytest.warns(UserWarning) as caught:
        insight.metric_gauge("reward", 1, project="project-a", experiment_name=run)
        insight.metric_gauge("reward", 2, project="project-a", experiment_name=run)
        with insight.trace_state("rollout", project="project-a", experiment_name=run):
            pass
    assert len(caught) == 1 and caught[0].filename == __file__
    arrived = Experiment(server, run)
    assert [point["value"] for point in arrived.metrics(2)] == [1, 2]
    assert [span["name"] for span in arrived.spans(1)] == ["rollout"]


def test_item_13_without_any_name_the_run_is_the_namespace(server, run, monkeypatch):
    monkeypatch.setenv("RL_INSIGHT_SERVER_URL", server.url)
    insight.init(config={"server": {"namespace": run}})
    insight.metric_gauge("reward", 1)
    with insight.trace_state("rollout"):
        pass
    insight.finish()
    server.wait_for(lambda: [(p["labels"], p["service"]) for p in server.metrics(run)], [({}, run)])
    server.wait_for(lambda: [span["name"] for span in server.spans(run)], ["rollout"])


def test_item_14_without_a_server_nothing_is_done(monkeypatch, caplog):
    monkeypatch.setattr(_trace, "clock", must_not_be_called)
    monkeypatch.setattr(_monitor, "Rollscope", must_not_be_called)
    monkeypatch.setenv("RL_INSIGHT_SERVER_URL", "")
    with caplog.at_level(logging.ERROR, "rollscope"):
        insight.init(project="project-a", experiment_name="experiment-a", config={"server": {"url": " "}})
    assert "RL_INSIGHT_SERVER_URL" in caplog.text
    insight.metric_count("steps", "not a number")
    insight.metric_gauge("reward", 1, project="project-b")
    insight.metric_histogram("latency", 1)
    insight.trace_span(name="x", start_time_ns=1, end_time_ns=2, attributes={"project": "project-b"})
    with insight.trace_state("rollout", project="project-b"):
        pass
    train = insight.trace_op("train", extra_labels=must_not_be_called)(lambda x: x + 1)
    assert train(1) == 2

    @insight.trace_op("train", extra_labels=must_not_be_called)
    async def generate(x):
        return x

    assert asyncio.run(generate(3)) == 3


def test_item_15_after_finish_nothing_is_recorded(a):
    insight.metric_count("steps", 1)
    insight.finish()
    insight.metric_count("steps", 5)
    with insight.trace_state("late"):
        pass
    insight.finish()
    assert [point["value"] for point in a.metrics(1)] == [1]
    assert a.spans(0) == []


def test_item_15_a_second_init_is_ignored(a):
    with pytest.warns(RuntimeWarning, match="more than once") as caught:
        insight.init(project="project-b", experiment_name="experiment-b")
    assert caught[0].filename == __file__
    insight.metric_gauge("reward", 1)
    assert [point["labels"] for point in a.metrics(1)] == [a.labels()]
