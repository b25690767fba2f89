"""The other projects' tracers under attack: whatever they are given, the training goes on."""
import asyncio
import types
import warnings

import pytest

import rollscope.compat.rl_insight as insight
from faults import FaultyServer
from hostile import RAISED, LyingText, hostile, hostile_error, hostile_mapping, raised_by
from rollscope.compat import areal, xtuner

ENDLESS = {}
ENDLESS["self"] = [ENDLESS]
OTHERS = [ENDLESS, "x" * 100_000, 10**5000, float("nan"), "\ud800", b"\xff", LyingText("lying"), [[]] * 5000, object, lambda: 1]
VALUES = [(kind.__name__, hostile(kind), hostile_mapping(kind), hostile_error(kind)) for kind in RAISED]
VALUES += [(str(n), value, {"k": value}, ValueError(value)) for n, value in enumerate(OTHERS)]
IDS = [name for name, *_ in VALUES]


@pytest.fixture
def server(monkeypatch):
    with FaultyServer() as one:
        monkeypatch.setenv("ROLLSCOPE_URL", one.url)
        monkeypatch.setenv("ROLLSCOPE_RUN", "hostile")
        yield one


def use_xtuner(bad, mapping, error):
    sample = types.SimpleNamespace(uid=bad, task_name=bad, status=bad, session_uid=bad, model_step=bad, extra_fields={"_trace_train_step": bad})
    said = dict.fromkeys("task_name uid status train_step produce_batch_id worker_rank elapsed_s error_msg timestamp_s other".split(), bad)

    async def later():
        for target in (sample, [sample], bad, [bad], mapping, None):
            for stage in ("a.start", "a.end", "a.error", "b", bad):
                await xtuner.trace_event(target, stage, **said)
            async with xtuner.trace_span(target, "custom", **said):
                pass

    asyncio.run(later())
    for target in (sample, [sample, bad], bad, None):
        if issubclass(type(target), str):
            continue
        with xtuner.trace_span(target, bad, **said):
            pass
        assert xtuner.trace_function("f", target=target, **said)(lambda *a: 7)(bad) == 7
    with pytest.raises(type(error)), xtuner.trace_span(sample, "raises"):
        raise error
    with xtuner.trace_span("named", attributes=mapping, parent_carrier=mapping):
        xtuner.set_trace_attributes(mapping)
        xtuner.set_trace_attributes(bad)
        xtuner.trace_event("event", mapping)
        xtuner.trace_event("event", {"k": bad})
    for getters in ({"target_getter": lambda *a: bad}, {"trace_kwargs_getter": lambda *a: mapping}, {"trace_kwargs_getter": lambda *a: bad}):
        assert xtuner.trace_function("f", **getters)(lambda *a: 7)(bad) == 7
    assert xtuner.trace_function(lambda *a: bad)(lambda *a: a[0])(7) == 7


def use_areal(bad, mapping, error):
    for args in (mapping, {"k": bad, "global_step": bad, "rank": bad, "role": bad}, bad):
        with areal.trace_scope(bad, category=bad, args=args):
            areal.instant(bad, category=bad, args=args)
        areal.instant("after", args=args)
    with pytest.raises(type(error)), areal.trace_scope("raises"):
        raise error
    areal.register_task(bad)
    areal.register_session(bad)
    areal.get_session_tracer().get_session_ids(bad)
    areal.register_task(1)
    session = areal.register_session(1)
    for method in (bad, "mark_finalized", "generate_start", "generate_end"):
        areal.trace_session_event(method, session_id=session, task_id=bad, k=bad, status=bad, reason=bad)
        areal.trace_session_event(method, session_id=bad, task_id=bad, k=bad)
    with areal.trace_session_phase(bad, start_payload=mapping, end_payload=mapping):
        pass
    tracer = areal.get_session_tracer()
    tracer.increment_counter(session, bad, bad)
    tracer.record_event(session, bad, k=bad)
    tracer.record_event(bad, areal.SessionTraceEvent.FINALIZED, status=bad, reason=bad)
    areal.trace_perf(bad, category=bad)(lambda *a: 7)(bad)
    areal.save(step=bad)


def use_rl_insight(bad, mapping, error):
    for metric in (insight.metric_count, insight.metric_gauge, insight.metric_histogram):
        metric(bad, bad, documentation=bad, label=bad)
        metric("m", 1, label=bad)
    with insight.trace_state(bad, state_lane_id=bad, label=bad):
        pass
    assert insight.trace_op("op", label=bad)(lambda *a: 7)(bad) == 7
    assert insight.trace_op("op", extra_labels=lambda first: mapping)(lambda *a: 7)(bad) == 7
    with pytest.raises(type(error)):
        insight.trace_op("op")(lambda: (_ for _ in ()).throw(error))()
    insight.trace_span(name=bad, start_time_ns=bad, end_time_ns=bad, attributes=mapping)
    insight.trace_span(name="n", start_time_ns=1, end_time_ns=2, attributes={"k": bad})
    insight.agent_loop_lane_id(bad, bad, bad, bad)
    session = insight.agent_loop_session(experiment_name="e", sample=bad, session=bad, traj=bad, uid=bad, global_steps=bad, session_id=bad)
    trajectory = {"chain_id": bad, "reward_score": bad, "num_turns": bad}
    session.finish(trajectories=[bad, mapping, trajectory], status=bad, runner_name=bad, reward_source=bad, finished=bad)


@pytest.mark.parametrize("which", range(len(VALUES)), ids=IDS)
def test_xtuner(server, tmp_path, which):
    xtuner.configure_trace(xtuner.TraceConfig(enabled=True, output_dir=str(tmp_path), viewer_enabled=False))
    try:
        problem = raised_by(use_xtuner, *VALUES[which][1:])
        assert problem is None
        with xtuner.trace_span("well"):
            pass
    finally:
        xtuner.close_trace()
    assert "well" in server.spans()


@pytest.mark.parametrize("which", range(len(VALUES)), ids=IDS)
def test_areal(server, tmp_path, which):
    sessions = areal.SessionTracerConfig(enabled=True)
    areal.configure(areal.PerfTracerConfig(experiment_name="e", trial_name="t", fileroot=str(tmp_path), enabled=True, session_tracer=sessions), rank=0)
    try:
        problem = raised_by(use_areal, *VALUES[which][1:])
        assert problem is None
        with areal.trace_scope("well"):
            pass
    finally:
        areal.reset()
    assert "well" in server.spans()


@pytest.mark.parametrize("which", range(len(VALUES)), ids=IDS)
def test_rl_insight(server, which):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        insight.init(project="p", experiment_name="e")
        try:
            problem = raised_by(use_rl_insight, *VALUES[which][1:])
            assert problem is None
            with insight.trace_state("well"):
                pass
        finally:
            insight.finish()
    assert "well" in server.spans()
