"""rollscope.compat.areal beyond its acceptance list: cancellation, overlaps, bounds, and whatever a training may throw at it."""
import asyncio
import copy
import json
import subprocess
import sys
import time
import timeit
from types import SimpleNamespace

import pytest
from areal_parts import begin_session, config, sessions, spans, tell, to_server, tracer  # noqa: F401

from rollscope.compat import _recording as recording
from rollscope.compat import areal
from rollscope.compat import areal as perf_tracer
from rollscope.compat.areal import Category, PerfTracer, SessionTraceEvent, SessionTracer, SessionTracerConfig


def test_overlapping_phases_of_one_session_stay_apart(server, run, tracer):
    begin_session()

    async def generate(seconds):
        async with perf_tracer.atrace_session_phase("generate"):
            await asyncio.sleep(seconds)

    async def main():
        await asyncio.gather(generate(0.05), generate(0.1))

    asyncio.run(main())
    lengths = sorted(span["end_ns"] - span["start_ns"] for span in spans(server, run, 2, "kind = 'phase'"))
    assert 50_000_000 <= lengths[0] < 95_000_000 and lengths[1] >= 100_000_000


def test_any_name_is_a_phase_and_phases_nest(server, run, tracer):
    begin_session()
    with perf_tracer.trace_session_phase("run_agent"):
        with perf_tracer.trace_session_phase("toolcall"):
            pass
    agent, tool = spans(server, run, 2, "kind = 'phase'")
    assert (agent["name"], tool["name"], tool["parent_id"]) == ("run_agent", "toolcall", agent["span_id"])


def test_finalising_a_task_decides_all_its_sessions(server, run, tracer):
    perf_tracer.set_task_id(3)

    @perf_tracer.session_context()
    async def sample():
        await asyncio.sleep(0)
        return perf_tracer.get_session_id()

    async def main():
        return await asyncio.gather(*(asyncio.create_task(sample()) for _ in range(4)))

    assert asyncio.run(main()) == [0, 1, 2, 3] == perf_tracer.get_session_tracer().get_session_ids(3)
    perf_tracer.trace_session_event("mark_finalized", task_id=3, status="rejected", reason="returned_none")
    rows = sessions(server, run, lambda rows: len(rows) == 4 and all(row["status"] == "rejected" for row in rows))
    assert {row["reason"] for row in rows} == {"returned_none"}


def test_a_running_session_is_seen_where_it_is(server, run, tracer):
    begin_session(1)
    with perf_tracer.trace_session_phase("generate"):
        [row] = server.wait_for(lambda: server.live(run)["rows"], lambda rows: bool(rows) and rows[0]["open_span"] == "generate", 5)
    assert (row["session"], row["status"], row["task"]) == ("r0-t1-s0", "running", "1")


@pytest.mark.parametrize("error, status", [(asyncio.CancelledError, "cancelled"), (OSError, "failed")])
def test_a_session_whose_function_ends_by_itself_leaves_no_ghost(server, run, tracer, error, status):
    perf_tracer.set_task_id(0)

    @perf_tracer.session_context()
    def sample():
        with perf_tracer.trace_session_phase("generate"):
            raise error("paused")

    with pytest.raises(error):
        sample()
    sessions(server, run, lambda rows: [row["status"] for row in rows] == [status])
    [phase] = spans(server, run, 1, "kind = 'phase'")
    assert phase["outcome"] == ("cancelled" if status == "cancelled" else "error")


def test_a_task_that_was_not_set_makes_no_session(tracer):
    @perf_tracer.session_context()
    def sample():
        return perf_tracer.get_session_id()

    perf_tracer.set_session_id(7)
    assert sample() is None and perf_tracer.get_session_id() is None


def test_numbers_that_start_again_give_other_ids(server, run, tracer):
    begin_session()
    tracer.session_tracer.reset()
    assert begin_session() == 0
    assert [row["session"] for row in sessions(server, run, lambda rows: len(rows) == 2)] == ["r0-t0-s0", "r0-t0-s0#2"]


def test_decorated_functions_of_every_kind(server, run, tracer):
    @perf_tracer.trace_perf("plain", category=Category.IO)
    def plain(x):
        return x

    @perf_tracer.trace_perf("async")
    async def coroutine(x):
        return x

    @perf_tracer.trace_perf("generator")
    def generator():
        time.sleep(0.03)
        yield 1

    assert (plain(1), asyncio.run(coroutine(2)), list(generator())) == (1, 2, [1])
    found = spans(server, run, 3)
    assert [span["name"] for span in found] == ["plain", "async", "generator"]
    assert found[2]["end_ns"] - found[2]["start_ns"] >= 30_000_000


def test_settings_without_effect_are_accepted_and_said_once(to_server, caplog):
    recording._said.clear()
    odd = config(save_interval=3, profile_steps=[1, "x"], session_tracer=SessionTracerConfig(True, flush_threshold="7"))
    for _ in range(2):
        tracer = PerfTracer(odd, rank=0)
        with tracer.trace_scope("s", enable_profiler=True, profiler_args={"with_stack": True}):
            pass
        tracer.merge_profiler_trace({}, 0)
        tracer.save(step=3)
        tracer.close()
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 4
    assert any("save_interval, profile_steps, flush_threshold: no effect" in each for each in told)
    assert any("profile_steps: 'x' (expected: whole numbers)" in each for each in told)


@pytest.mark.parametrize("rank", [-1, "0", None, 1.5, True])
def test_a_wrong_rank_is_a_set_up_error(rank):
    with pytest.raises(ValueError, match="rank: .* \\(expected: a whole number of at least 0\\)"):
        perf_tracer.configure(config(), rank=rank)
    assert not perf_tracer.is_configured()


def test_areals_own_config_is_taken_as_it_is(server, run, to_server):
    theirs = SimpleNamespace(experiment_name="e", trial_name="t", fileroot="", enabled=True, session_tracer=None)
    perf_tracer.configure(theirs, rank=0)
    with perf_tracer.trace_scope("s"):
        pass
    assert len(spans(server, run, 1)) == 1


class Hostile:
    def __str__(self):
        raise RuntimeError("str")

    def __hash__(self):
        raise RuntimeError("hash")


def test_nothing_that_is_wrong_with_an_argument_hurts(server, run, tracer):
    args = {"a": Hostile(), 3: float("nan"), "half": "\ud800", "global_step": "x", "rank": Hostile(), "prompt": "secret", "role": 7}
    before = copy.copy(args)
    with perf_tracer.trace_scope(Hostile(), category=Hostile(), args=args):
        perf_tracer.instant(None, category=[], args=args)
    with perf_tracer.trace_scope("list", args=[1, 2]):
        perf_tracer.instant("list", args="text")
    assert args == before
    perf_tracer.register_task(Hostile())
    assert perf_tracer.register_session([1]) is None
    session_id = begin_session("t" * 5000)
    for event in (None, 3, Hostile(), "", "_start", "x_end"):
        tracer.session_tracer.record_event(session_id, event)
        perf_tracer.trace_session_event(event, session_id=session_id)
    perf_tracer.trace_session_event("mark_finalized", session_id=Hostile(), status="accepted")
    perf_tracer.trace_session_event("mark_finalized", task_id=[1], status="accepted")
    tracer.session_tracer.increment_counter(session_id, Hostile(), "many")
    with perf_tracer.trace_session_phase(Hostile(), start_payload=3, end_payload=[Hostile()]):
        pass
    tell("mark_finalized", session_id, status=Hostile(), reason=Hostile())
    perf_tracer.save(step="x", force=True)
    found = spans(server, run, 5)
    assert tracer._client.dropped() == {"spans": 0, "starts": 0, "metrics": 0}
    assert "secret" not in str(found)


def test_memory_does_not_grow_with_sessions(tracer):
    sessions = tracer.session_tracer
    for task_id in range(6000):
        session_id = sessions.register_session(task_id)
        sessions.record_event(session_id, SessionTraceEvent.GENERATE_START)
        sessions.record_event(session_id, SessionTraceEvent.FINALIZED, status="accepted")
    assert len(sessions._sessions) == len(sessions._tasks) == 4096
    assert len(tracer._client._recorder.open) <= 4096


def test_off_costs_next_to_nothing():
    @perf_tracer.trace_perf("f")
    def function():
        pass

    def scope():
        with perf_tracer.trace_scope("s"):
            pass

    for call in (function, scope, lambda: perf_tracer.instant("i"), lambda: perf_tracer.trace_session_event("mark_finalized", 1)):
        assert min(timeit.repeat(call, timer=time.process_time, number=20_000, repeat=5)) / 20_000 < 3e-6


SCRIPT = """
import sys
from rollscope.compat import areal as perf_tracer
config = perf_tracer.PerfTracerConfig("exp", "t1", sys.argv[1], enabled=False, session_tracer=perf_tracer.SessionTracerConfig(enabled=True))
perf_tracer.configure(config, rank=1, role="rollout")
session_id = perf_tracer.register_session(4)
perf_tracer.set_session_id(session_id)
with perf_tracer.trace_session_phase("generate"):
    pass
with perf_tracer.trace_scope("not recorded"):
    pass
perf_tracer.trace_session_event("mark_finalized", session_id=session_id, status="accepted")
"""


def test_without_a_server_a_folder_below_fileroot_is_a_spool_that_is_complete_at_exit(server, tmp_path):
    subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path)], check=True)
    [file] = tmp_path.glob("logs/*/exp/t1/rollscope/*.jsonl*")
    report = json.loads(server.rollscope("live", str(file), "--as", "otlp", "--scope", "all", "--once", "--format", "json"))
    assert report["run"] == "exp/t1"
    assert [(row["session"], row["status"], row["task"]) for row in report["rows"]] == [("[rollout]r1-t4-s0", "accepted", "4")]


def test_a_session_tracer_of_its_own(server, run, to_server, tmp_path):
    tracer = SessionTracer(SessionTracerConfig(True), output_path=str(tmp_path / "sessions.jsonl"), rank=0, role="eval")
    session_id = tracer.register_session(1)
    tracer.record_event(session_id, SessionTraceEvent.FINALIZED, status="dropped", reason="queue_full")
    tracer.flush(force=True)
    sessions(server, run, lambda rows: [(row["session"], row["status"], row["reason"]) for row in rows] == [("[eval]r0-t1-s0", "dropped", "queue_full")])
    tracer.client.close()


def test_every_public_name_is_there():
    names = "configure is_configured reset get_tracer get_session_tracer trace_scope atrace_scope instant trace_perf save trace_session_event"
    names += " trace_session_phase atrace_session_phase trace_session session_context register_task register_session set_task_id get_task_id"
    names += " set_session_id get_session_id PerfTracer SessionTracer PerfTraceCategory Category SessionTraceEvent PerfTracerConfig SessionTracerConfig"
    assert all(hasattr(areal, name) for name in names.split())
    assert [category.value for category in Category] == ["compute", "comm", "io", "sync", "scheduler", "instr", "misc"]
    for name in "enabled set_enabled session_tracer trace_scope atrace_scope instant merge_profiler_trace save reset".split():
        assert hasattr(PerfTracer, name)
    for name in "register_task register_session get_session_ids record_event increment_counter flush reset".split():
        assert hasattr(SessionTracer, name)
