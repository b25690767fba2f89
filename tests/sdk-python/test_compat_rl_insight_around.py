"""rollscope.compat.rl_insight beyond the acceptance list: lanes, both generations, where it is sent, hostile input, agent loops."""
import asyncio
import inspect
import logging
import os
import threading
import types
import warnings

import pytest

import rollscope.compat.rl_insight as insight
from rl_insight_process import a, attributes, finished, ticks  # noqa: F401
from rollscope.compat import _recording
from rollscope.compat.rl_insight import _monitor

# ── the lane table ──


def test_a_state_is_visible_while_it_is_open(a):
    with insight.trace_state("rollout", state_lane_id=0, step=3):
        open_spans = lambda: [(s["name"], s["lane"], s["end_ns"]) for s in a.server.spans(a.run)]
        a.server.wait_for(open_spans, [("rollout", "0", None)])
    assert a.spans(1)[0]["end_ns"] is not None


def test_a_state_entered_by_several_threads_is_one_interval(a, ticks):
    ticks(100, 200)
    inside, leave = threading.Barrier(9), threading.Event()

    def work(number):
        with insight.trace_state("rollout", state_lane_id="replica-0", worker=number):
            inside.wait(10)
            leave.wait(10)

    with insight.trace_state("rollout", state_lane_id="replica-0", worker="first"):
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        inside.wait(10)
    leave.set()
    for thread in threads:
        thread.join()
    [span] = a.spans(1)
    assert (span["start_ns"], span["end_ns"], span["attributes"]["worker"]) == (100, 200, "first")


def test_lanes_are_independent_and_free_again_after_use(a, caplog):
    with caplog.at_level(logging.WARNING, "rollscope"):
        with insight.trace_state("rollout", state_lane_id="a"), insight.trace_state("train", state_lane_id="b"):
            for _ in range(3):
                with insight.trace_state("shadowed", state_lane_id="a"):
                    pass
        with insight.trace_state("train", state_lane_id="a"):
            pass
    assert sorted((span["lane"], span["name"]) for span in a.spans(3)) == [("a", "rollout"), ("a", "train"), ("b", "train")]
    assert [record.message for record in caplog.records] == ["state shadowed began on lane a while rollout was open; it is not recorded, as in RL-Insight"]


def test_a_state_left_by_an_exception_ends_without_an_error(a):
    with pytest.raises(KeyError):
        with insight.trace_state("rollout"):
            raise KeyError("x")
    assert [(span["outcome"], span["error_type"]) for span in a.spans(1)] == [("ok", None)]


def test_finish_inside_a_state_discards_it(a):
    with insight.trace_state("rollout", state_lane_id="a"):
        with insight.trace_state("train", state_lane_id="b"):
            pass
        insight.finish()
        insight.init(project="project-a", experiment_name=a.name)
        with insight.trace_state("second", state_lane_id="a"):
            pass
    assert sorted(span["name"] for span in a.spans(2)) == ["second", "train"]


def test_finish_inside_a_state_that_is_on_the_page_leaves_it_lost(a):
    with insight.trace_state("rollout"):
        a.server.wait_for(lambda: len(a.server.spans(a.run)), 1)
        insight.finish()
    a.server.wait_for(lambda: [s["outcome"] for s in a.server.spans(a.run)], ["lost"])
    (lost,) = a.server.spans(a.run)
    assert lost["start_ns"] <= lost["end_ns"]  # It ends where its process was last heard of.


def test_a_forked_child_has_its_own_process_id_and_lanes(a):
    with insight.trace_state("rollout", state_lane_id="a"):
        child = os.fork()
        if child == 0:
            with insight.trace_state("evaluate", state_lane_id="a"):
                pass
            insight.finish()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    spans = {span["name"]: span["attributes"]["process_id"] for span in a.spans(2)}
    assert spans == {"rollout": str(os.getpid()), "evaluate": str(child)}


def test_a_state_decorates_a_function(a):
    @insight.trace_state("evaluate", state_lane_id="a")
    def evaluate(x):
        return x + 1

    assert [evaluate(1), evaluate(2)] == [2, 3]
    assert len(a.spans(2)) == 2


# ── the first generation ──


def test_the_names_of_the_first_generation(server, run, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", server.otlp + "/v1/traces")
    insight.init({"namespace": run, "otel": {"traces_endpoint": "http://127.0.0.1:9/v1/traces"}, "backend": {"type": "ray"}})
    insight.metric_value("reward", 1.5, "Latest reward", worker="w0")
    insight.metric_distribution("latency", 12)
    insight.close()
    points = server.wait_for(lambda: server.metrics(run), lambda points: len(points) == 2)
    assert sorted((point["name"], point["kind"]) for point in points) == [("latency", "histogram"), ("reward", "gauge")]


FIRST = {"namespace": "rl_insight_monitor", "backend": {"type": "ray"}}


@pytest.mark.parametrize("init", [lambda: insight.init(FIRST), lambda: insight.init({}), lambda: insight.init(config=FIRST)])
def test_states_of_the_first_generation_overlap_on_their_lane(server, run, monkeypatch, caplog, init):
    """The trainer of pull request 53: a state for the step, and in it one for each part."""
    monkeypatch.setenv("ROLLSCOPE_URL", server.otlp)
    monkeypatch.setenv("ROLLSCOPE_RUN", run)
    init()
    for step in range(3):
        with insight.trace_state("train", state_lane_id="actor", step=step):
            for part in ("update_actor", "update_weights"):
                with insight.trace_state(part, state_lane_id="actor", step=step):
                    pass
    insight.close()
    where = "kind = 'state' and lane = 'actor' and outcome = 'ok'"
    spans = server.wait_for(lambda: server.spans(run, where), lambda spans: len(spans) == 9)
    by_step = {step: {s["name"]: s for s in spans if s["attributes"]["step"] == str(step)} for step in range(3)}
    for parts in by_step.values():
        assert sorted(parts) == ["train", "update_actor", "update_weights"]
        assert parts["train"]["start_ns"] <= parts["update_actor"]["start_ns"] <= parts["update_actor"]["end_ns"] <= parts["update_weights"]["start_ns"]
        assert parts["update_weights"]["end_ns"] <= parts["train"]["end_ns"]
    assert "not recorded" not in caplog.text


def test_a_state_of_the_first_generation_inside_itself_is_two(server, run, monkeypatch, ticks):
    monkeypatch.setenv("ROLLSCOPE_URL", server.otlp)
    monkeypatch.setenv("ROLLSCOPE_RUN", run)
    ticks(100, 200, 300, 400)
    insight.init(FIRST)
    with insight.trace_state("rollout", state_lane_id="l", worker="outer"), insight.trace_state("rollout", state_lane_id="l", worker="inner"):
        pass
    insight.close()
    spans = server.wait_for(lambda: server.spans(run), lambda spans: len(spans) == 2 and all(s["end_ns"] for s in spans))
    assert sorted((s["start_ns"], s["end_ns"], s["attributes"]["worker"]) for s in spans) == [(100, 400, "outer"), (200, 300, "inner")]


@pytest.mark.parametrize("config", [{"server": {"namespace": "x"}}, {"server": {}, "backend": {"type": "ray"}}, {"prometheus": {"prometheus_port": 9090}}, {}, None])
def test_a_later_config_keeps_one_state_to_a_lane(tmp_path, monkeypatch, config):
    monkeypatch.setenv("ROLLSCOPE_SPOOL", str(tmp_path))
    insight.init(config=config)
    assert _monitor.active().lanes.overlapping is False
    insight.finish()
    insight.init("p", "e", {"backend": {"type": "ray"}})
    assert _monitor.active().lanes.overlapping is False


SIGNATURES = {
    "init": "(project=None, experiment_name=None, config=None)",
    "metric_count": "(name, amount=1.0, documentation='', **labels)",
    "metric_gauge": "(name, value, documentation='', **labels)",
    "metric_histogram": "(name, value, documentation='', **labels)",
    "trace_state": "(state_name, *, state_lane_id=None, **labels)",
    "trace_op": "(name=None, *, extra_labels=None, **static_labels)",
    "trace_span": "(*, name, start_time_ns, end_time_ns, attributes)",
    "update_prometheus_config": "(server_addresses, job_name=None, labels=None, project=None, experiment_name=None)",
    "agent_loop_session": "(*, project=None, experiment_name, sample, session, traj=0, uid=None, global_steps=None, session_id=None)",
    "finish": "()",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_are_the_originals(name):
    signature = inspect.signature(getattr(insight, name))
    plain = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    assert str(inspect.Signature(plain)) == SIGNATURES[name]


def test_the_version_is_that_of_the_names():
    assert insight.__version__ == "0.3.0" and "__version__" in insight.__all__


# ── what a later RL-Insight may have ──


@pytest.fixture
def said(caplog):
    _recording._said.clear()
    return lambda: [record.getMessage() for record in caplog.records if record.name == "rollscope"]


def test_names_that_are_unknown_are_one_warning_each(a, said):
    from rollscope.compat.rl_insight import trace_turn

    @trace_turn("turn", attributes={"a": 1})
    def plain(x):
        return x

    @insight.trace_turn
    async def coroutine(x):
        return x

    async def main():
        async with insight.trace_turn("turn"):
            return await coroutine(2)

    assert (plain(1), asyncio.run(main())) == (1, 2)
    session = insight.agent_loop_session(experiment_name=a.name, sample=1, session=2)
    with session.turn(3):
        session.add_tool("python")
    assert said() == [f"rollscope: {name}: no such name in Rollscope; it does nothing" for name in ("rl_insight.trace_turn", "AgentLoopSession.turn", "AgentLoopSession.add_tool")]


def test_arguments_that_are_unknown_are_one_warning_each(a, said):
    for _ in range(2):
        insight.trace_span(name="x", start_time_ns=1000, end_time_ns=2000, attributes={"turn": 5}, parent="p")
    insight.trace_span("x", 1, 2, {})
    insight.metric_gauge("reward")
    insight.metric_gauge("reward", 1, name="other")
    with insight.trace_state("state", "lane"):
        entered = True
    assert entered
    train = insight.trace_op("train", None, "more")(lambda x: x)
    assert train(3) == 3
    insight.agent_loop_session(experiment_name=a.name, sample=1, session=2, tenant="t").finish(trajectories=[], status="success", cost=3)
    insight.update_prometheus_config(["127.0.0.1:1"], scheme="https", job_name=a.name)
    insight.finish("now")
    insight.finish()
    spans = a.spans(3)
    assert [(s["name"], s["attributes"]["turn"], s["attributes"]["parent"]) for s in spans if s["name"] == "x"] == 2 * [("x", "5", "p")]
    assert [s["status"] for s in spans if s["name"] == "agent_session"] == ["completed"]
    named = ["trace_span(parent=…)", "trace_span", "metric_gauge", "metric_gauge", "trace_state", "trace_op", "agent_loop_session(tenant=…)",
             "AgentLoopSession.finish(cost=…)", "update_prometheus_config(scheme=…)", "finish"]
    assert [line.split(": ")[1] for line in said()] == list(dict.fromkeys(named))


def test_an_unknown_setting_of_init_is_left_out(tmp_path, monkeypatch, said):
    monkeypatch.setenv("ROLLSCOPE_SPOOL", str(tmp_path))
    insight.init(project="p", experiment_name="e", task_id="7")
    assert _monitor.active().identity == {"project": "p", "experiment_name": "e"}
    assert said() == ["rollscope: init(task_id=…): no such argument; left out"]


def test_values_of_the_wrong_kind_are_attributes_or_nothing(a, said):
    insight.trace_span(name=None, start_time_ns=1000, end_time_ns=2000, attributes=5)
    with insight.trace_state(7, state_lane_id=object, step=object()):
        pass
    assert insight.trace_op(5, extra_labels=7)(lambda x: x + 1)(1) == 2
    insight.metric_gauge(None, 1, documentation=5)
    assert [s["kind"] for s in sorted(a.spans(3), key=lambda s: s["kind"])] == ["op", "op", "state"]


# ── where it is sent ──


def destination(monkeypatch, config=None, **environment):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    insight.init(config=config)
    monitor = _monitor.active()
    return None if monitor is None else monitor.client._settings.urls()["traces"]


def test_where_it_is_sent(monkeypatch):
    config = {"server": {"url": "http://server:18080/"}, "otel": {"traces_endpoint": "http://traces:4318/v1/traces"}}
    assert destination(monkeypatch, {"otel": config["otel"]}) == "http://traces:4318/v1/traces"
    insight.finish()
    assert destination(monkeypatch, {"otel": config["otel"]}, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT="http://environment:4318/v1/traces") == "http://environment:4318/v1/traces"
    insight.finish()
    assert destination(monkeypatch, config) == "http://server:18080/v1/traces"
    insight.finish()
    assert destination(monkeypatch, config, ROLLSCOPE_URL="rollscope:4318") == "http://rollscope:4318/v1/traces"
    insight.finish()
    assert destination(monkeypatch, config, RL_INSIGHT_SERVER_URL="http://insight:18080/") == "http://insight:18080/v1/traces"


def test_disabled_by_rollscope_it_says_nothing(monkeypatch, caplog):
    with caplog.at_level(logging.INFO, "rollscope"):
        assert destination(monkeypatch, RL_INSIGHT_SERVER_URL="http://insight:18080", ROLLSCOPE_ENABLED="0") is None
    assert caplog.text == ""


def test_a_bad_url_in_the_environment_is_one_warning(monkeypatch, caplog):
    assert destination(monkeypatch, RL_INSIGHT_SERVER_URL="not a url") is None
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR"]


@pytest.mark.parametrize("config, error", [({"server": {"url": "ftp://x"}}, ValueError), (3, TypeError), (["x"], TypeError)])
def test_a_wrong_configuration_is_an_error(config, error):
    with pytest.raises(error, match="expected"):
        insight.init(config=config)
    assert _monitor.active() is None


# ── hostile input ──


class Unprintable:
    def __str__(self):
        raise RuntimeError("no")

    __repr__ = __str__


def test_odd_values_never_hurt_the_caller_and_are_counted(a, caplog):
    with caplog.at_level(logging.WARNING, "rollscope"):
        for value in ("many", None, object(), Unprintable()):
            insight.metric_count("steps", value)
        insight.metric_count("steps", -1)
        insight.metric_count("steps", float("nan"))
        insight.metric_histogram("latency", float("inf"))
        insight.metric_count("tokens", "2", worker=Unprintable())
        for start in (-1, 0, 1 << 70, "soon", None, float("nan")):
            insight.trace_span(name="x", start_time_ns=start, end_time_ns=5, attributes={})
        insight.trace_span(name=Unprintable(), start_time_ns="1000", end_time_ns=-5, attributes={"o": Unprintable(), 3: 4, "none": None, "big": 1 << 80})
        insight.trace_span(name="y", start_time_ns=1000, end_time_ns=2000.7, attributes=None)
        with insight.trace_state(Unprintable(), state_lane_id=Unprintable(), text="\ud800", list=[1, "a", None]):
            pass
        client = _monitor.active().client
        assert client.dropped() == {"spans": 6, "starts": 0, "metrics": 7}
    assert 1 <= len(caplog.records) <= 5
    assert [(p["value"], p["labels"]["worker"]) for p in a.metrics(1)] == [(2.0, "<Unprintable>")]
    spans = a.spans(3)
    assert [(span["name"], span["kind"]) for span in spans] == [("<Unprintable>", "op"), ("y", "op"), ("<Unprintable>", "state")]
    assert attributes(spans[0]) == {"process_id": str(os.getpid()), **a.labels(o="<Unprintable>", big=str(1 << 80)), "3": "4"}
    assert (spans[2]["attributes"]["list"], spans[2]["attributes"]["text"]) == ('["1","a","None"]', "?")


def test_a_name_used_in_two_ways_is_said_and_counted(a, caplog):
    with caplog.at_level(logging.WARNING, "rollscope"):
        insight.metric_histogram("latency", 1, worker="w0")
        insight.metric_histogram("latency", 2, replica="r0")
        insight.metric_histogram("latency", 3)
        insight.metric_count("latency", 4, worker="w0")
        insight.metric_histogram("latency", 5, worker="w1")
        assert _monitor.active().client.dropped()["metrics"] == 3
    assert [record.message.split("; ")[0] for record in caplog.records] == [
        "metric latency: labels: experiment_name, project, replica (expected: experiment_name, project, worker)",
        "metric latency: kind: counter (expected: histogram with 29 buckets, as it was first used)",
    ]
    assert sorted((point["labels"]["worker"], point["sum"]) for point in a.metrics(2)) == [("w0", 1), ("w1", 5)]


def test_warnings_as_errors_do_not_hide_that_nothing_is_wrong(a):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        insight.metric_gauge("val-core/gsm8k/mean@1", 1)
        with insight.trace_state("rollout", state_lane_id=3):
            pass
    assert [point["name"] for point in a.metrics(1)] == ["val-core/gsm8k/mean@1"]
    assert [span["lane"] for span in a.spans(1)] == ["3"]


def test_a_metric_inside_a_batch_has_its_step(a, rs):
    with rs.batch(train_step=7):
        insight.metric_gauge("reward", 1)
    assert [(point["train_step"], point["labels"]) for point in a.metrics(1)] == [(7, a.labels())]


# ── agent loops ──


def test_an_agent_loop_is_a_session_with_its_turns(a):
    session = insight.agent_loop_session(experiment_name=a.name, sample=7, session=2, uid="u", global_steps="5")
    lane = f"experiment={a.name}/sample=7/session=2/traj=0"
    assert insight.agent_loop_lane_id(a.name, 7, 2) == lane
    assert session.identity == a.labels(sample="7", session="2", traj="0", state_lane_id=lane, uid="u", global_steps=5, session_id="")
    now = session.start_ns
    insight.trace_span(name="gateway_generation", start_time_ns=now, end_time_ns=now + 1000, attributes={**session.identity, "turn": 1})
    trajectories = [types.SimpleNamespace(chain_id=1, reward_score=1.0, num_turns=3), {"chain_id": None}]
    session.finish(trajectories=trajectories, status="error", runner_name="r", finished=True)
    spans = {span["name"]: span for span in a.spans(2)}
    assert {name: (span["kind"], span["session"], span["task"], span["train_step"], span["lane"]) for name, span in spans.items()} == {
        "gateway_generation": ("phase", "7/2/0", "7", 5, lane),
        "agent_session": ("session", "7/2/0", "7", 5, lane),
    }
    said = {key: spans["agent_session"]["attributes"][key] for key in ("monitor.trace_source", "runner_name", "status", "num_trajectories", "reward_source", "finished")}
    assert said == {"monitor.trace_source": "session", "runner_name": "r", "status": "error", "num_trajectories": "2", "reward_source": "", "finished": "true"}
    question = f"select session, status, reason from sessions where run = '{a.run}'"
    a.server.wait_for(lambda: a.server.sql(question), [{"session": "7/2/0", "status": "failed", "reason": "error"}])
    titles = sorted((point["name"], point["labels"].get("traj"), point["labels"].get("title")) for point in a.metrics(7))
    assert titles == [
        ("agent_loop_first_turn_unixtime", None, None),
        ("agent_loop_last_turn_unixtime", None, None),
        ("agent_loop_run_info", None, f"Experiment · {a.name}"),
        ("agent_loop_sample_info", None, "Sample 7"),
        ("agent_loop_session_info", None, "Session 2"),
        ("agent_loop_traj_info", "0", "Trajectory #0 · reward 1 · 3 turns"),
        ("agent_loop_traj_info", "1", "Trajectory #1 · reward unknown · 0 turns"),
    ]


def test_an_agent_loop_of_another_experiment_is_an_error(a):
    with pytest.raises(ValueError, match="reserved"):
        insight.agent_loop_session(experiment_name="experiment-b", sample=1, session=1)


def test_an_agent_loop_without_init_does_nothing():
    session = insight.agent_loop_session(project="p", experiment_name="e", sample=1, session=1)
    session.finish(trajectories=[], status="success")
    assert session.identity["global_steps"] == ""
