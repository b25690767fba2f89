"""rollscope.compat.areal: the acceptance list of AReaL's format (§16), read as “what arrives at the server”."""
import asyncio
import copy
import json
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from rollscope.compat import areal
from rollscope.compat import areal as perf_tracer
from rollscope.compat.areal import Category, PerfTracer, PerfTracerConfig, SessionTraceEvent, SessionTracer, SessionTracerConfig


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


def spans(server, run, count, where="true"):
    perf_tracer.save(force=True)
    found = server.wait_for(lambda: server.spans(run, where), lambda spans: len(spans) == count)
    # Long numbers are text in JSON.
    return [{**span, "start_ns": int(span["start_ns"]), "end_ns": int(span["end_ns"] or 0)} for span in found]


def sessions(server, run, accept=bool):
    perf_tracer.save(force=True)
    question = f"select session, status, source_status, reason, task, finalised from sessions where run = '{run}' order by session"
    return server.wait_for(lambda: server.sql(question), accept)


def instants(spans):
    return [event["name"] for span in spans for event in json.loads(span["attributes"].get("otel.events", "[]"))]


def begin_session(task_id=0):
    perf_tracer.register_task(task_id)
    session_id = perf_tracer.register_session(task_id)
    perf_tracer.set_session_id(session_id)
    return session_id


def tell(method, session_id, **payload):
    perf_tracer.trace_session_event(method, session_id=session_id, **payload)


def test_a02_a_scope_and_instants_in_and_after_it(server, run, tracer):
    with perf_tracer.trace_scope("unit-block", category=Category.COMPUTE):
        perf_tracer.instant("inside", args={"data": 8})
    perf_tracer.instant("after")
    block, after = spans(server, run, 2)
    assert (block["name"], block["kind"], block["attributes"]["areal.cat"]) == ("unit-block", "op", "compute")
    assert block["session"] is None
    [inside] = json.loads(block["attributes"]["otel.events"])
    assert (inside["name"], inside["attributes"]) == ("inside", {"areal.cat": "misc", "areal.data": 8})
    assert (after["name"], after["attributes"]["rollscope.point"], after["start_ns"]) == ("after", "true", after["end_ns"])


def test_a03_everything_carries_role_and_rank(server, run, to_server):
    perf_tracer.configure(config(), rank=0, role="actor")
    with perf_tracer.trace_scope("work", args={"global_step": 4}):
        pass
    perf_tracer.instant("point")
    begin_session()
    found = spans(server, run, 3)
    assert {(span["worker_role"], span["worker_rank"]) for span in found} == {("actor", 0)}
    assert found[0]["train_step"] == 4
    [row] = server.live(run)["rows"]
    assert row["worker"] == "[actor] rank 0"


def test_a04_without_a_role_the_rank_alone_names_the_process(server, run, to_server):
    perf_tracer.configure(config(), rank=3)
    begin_session()
    [row] = server.wait_for(lambda: server.live(run)["rows"], bool)
    assert row["worker"] == "rank 3"
    [span] = spans(server, run, 1)
    assert (span["worker_role"], span["worker_rank"]) == (None, 3)


def test_a06_configured_once_and_before_it_is_used(to_server):
    assert not perf_tracer.is_configured() and perf_tracer.GLOBAL_TRACER is None
    with pytest.raises(RuntimeError, match="not configured"):
        perf_tracer.get_tracer()
    tracer = perf_tracer.configure(config(), rank=0)
    with pytest.raises(RuntimeError, match="already configured"):
        perf_tracer.configure(config(), rank=0)
    assert perf_tracer.get_tracer() is tracer is perf_tracer.GLOBAL_TRACER
    perf_tracer.reset()
    assert not perf_tracer.is_configured()
    perf_tracer.configure(config(), rank=1)


def test_a07_overlapping_asynchronous_scopes(server, run, tracer):
    async def session(session_id, mine, other):
        for step in range(4):
            async with perf_tracer.atrace_scope(f"step-{step}", category="custom.cat", args={"session_id": session_id}):
                mine.set()
                await other.wait()

    async def main():
        one, other = asyncio.Event(), asyncio.Event()
        await asyncio.gather(session("a", one, other), session("b", other, one))

    asyncio.run(main())
    found = spans(server, run, 8)
    assert {span["attributes"]["areal.cat"] for span in found} == {"custom.cat"}
    ranges = {}
    for each in "ab":
        mine = [span for span in found if span["attributes"]["areal.session_id"] == each]
        assert [span["name"] for span in mine] == ["step-0", "step-1", "step-2", "step-3"]
        ranges[each] = (mine[0]["start_ns"], mine[-1]["end_ns"])
    assert ranges["a"][0] < ranges["b"][1] and ranges["b"][0] < ranges["a"][1]


CATEGORIES = [(None, "misc"), ("", "misc"), ("  ", "misc"), (7, "misc"), (" IO ", "io"), ("Communication", "comm"), ("Foo", "Foo"), ("My.Cat", "My.Cat")]


def test_a09_categories_and_exceptions(server, run, tracer):
    for category, _ in CATEGORIES:
        with perf_tracer.trace_scope("scope", category=category):
            pass
    with pytest.raises(KeyError):
        with perf_tracer.trace_scope("broken", category=Category.SYNC):
            raise KeyError("x")
    found = spans(server, run, len(CATEGORIES) + 1)
    assert [span["attributes"]["areal.cat"] for span in found] == [expected for _, expected in CATEGORIES] + ["sync"]
    assert (found[-1]["error_type"], found[-1]["outcome"]) == ("KeyError", "error")
    assert found[-1]["end_ns"] > found[-1]["start_ns"]


def test_a11_an_accepted_session(server, run, to_server):
    perf_tracer.configure(config(session_tracer=SessionTracerConfig(enabled=True, flush_threshold=1)), rank=2, role="critic")
    session_id = begin_session(5)
    tell("mark_generate_start", session_id)
    tell("mark_generate_end", session_id)
    tell("mark_finalized", session_id, status="accepted")
    [session] = sessions(server, run, lambda rows: bool(rows) and rows[0]["status"] == "accepted")
    expected = {"session": "[critic]r2-t5-s0", "status": "accepted", "source_status": "accepted", "reason": None, "task": "5", "finalised": True}
    assert session == expected


def test_a11_without_a_role_the_id_begins_with_the_rank(server, run, tracer):
    begin_session(7)
    begin_session(7)
    assert [row["session"] for row in sessions(server, run, lambda rows: len(rows) == 2)] == ["r0-t7-s0", "r0-t7-s1"]


def test_a12_phases_are_spans(server, run, tracer):
    session_id = begin_session()
    with perf_tracer.trace_session_phase("generate"):
        pass
    with perf_tracer.trace_session_phase("reward", start_payload={"judge": "rule"}, end_payload={"score": 0.5}):
        pass
    tell("mark_finalized", session_id, status="accepted")
    generate, reward = spans(server, run, 2, "kind = 'phase'")
    assert (generate["name"], reward["name"], {generate["session"], reward["session"]}) == ("generate", "reward", {"r0-t0-s0"})
    assert generate["end_ns"] > generate["start_ns"] and reward["end_ns"] > reward["start_ns"]
    assert (reward["attributes"]["areal.judge"], reward["attributes"]["areal.score"]) == ("rule", "0.5")


def test_a13_an_exception_in_a_phase_ends_it(server, run, tracer):
    session_id = begin_session()

    @perf_tracer.trace_session("generate")
    async def generate():
        raise ValueError("engine")

    with pytest.raises(ValueError):
        asyncio.run(generate())
    tell("mark_finalized", session_id, status="failed", reason="workflow_exception")
    [span] = spans(server, run, 1, "kind = 'phase'")
    assert (span["outcome"], span["error_type"]) == ("error", "ValueError") and span["end_ns"] > span["start_ns"]
    [session] = sessions(server, run, lambda rows: bool(rows) and rows[0]["status"] == "failed")
    assert session["reason"] == "workflow_exception"


def test_a14_sessions_are_off_unless_asked_for(server, run, to_server):
    perf_tracer.configure(config(session_tracer=SessionTracerConfig(enabled=False)), rank=0)
    assert perf_tracer.get_session_tracer() is None and perf_tracer.register_session(1) is None
    perf_tracer.set_session_id(0)
    with perf_tracer.trace_session_phase("generate"):
        pass
    tell("mark_finalized", 0, status="accepted")
    with perf_tracer.trace_scope("only"):
        pass
    [span] = spans(server, run, 1)
    assert span["name"] == "only"


def test_a15_an_end_without_a_start_is_a_span_of_no_length(server, run, tracer):
    tell("mark_reward_end", begin_session())
    [span] = spans(server, run, 1, "kind = 'phase'")
    assert (span["name"], span["start_ns"]) == ("reward", span["end_ns"])


def test_a15_what_means_nobody_does_nothing(server, run, tracer):
    perf_tracer.trace_session_event("mark_finalized", status="accepted")
    perf_tracer.trace_session_event("mark_finalized", task_id=99, status="accepted")
    perf_tracer.trace_session_event("mark_finalized", session_id=99, status="accepted")
    session_id = begin_session()
    tell("no_such_method", session_id)
    tell("mark_nothing", session_id)
    [session] = sessions(server, run)
    assert session["status"] == "running"
    assert len(spans(server, run, 1)) == 1


def test_a15_a_forced_flush_shows_a_live_session_as_pending(server, run, tracer):
    session_id = begin_session()
    tell("mark_generate_start", session_id)
    tracer.session_tracer.flush(force=True)
    open_ones = spans(server, run, 2)
    assert [(span["kind"], span["end_ns"]) for span in open_ones] == [("session", 0), ("phase", 0)]
    [session] = sessions(server, run)
    assert (session["status"], session["source_status"], session["finalised"]) == ("running", "pending", False)
    tell("mark_generate_end", session_id)
    tell("mark_finalized", session_id, status="accepted")
    sessions(server, run, lambda rows: rows[0]["status"] == "accepted")


def test_a16_closed_spans_of_a_phase_add_up_and_open_ones_do_not(server, run, tracer):
    session_id = begin_session()
    for _ in range(2):
        tell("mark_generate_start", session_id)
        time.sleep(0.01)
        tell("mark_generate_end", session_id)
    tell("mark_generate_start", session_id)
    tell("mark_reward_start", session_id)
    tell("mark_finalized", session_id, status="accepted")
    found = spans(server, run, 4, "kind = 'phase'")
    closed = [span for span in found if span["end_ns"]]
    assert [span["name"] for span in closed] == ["generate", "generate"]
    assert sum(span["end_ns"] - span["start_ns"] for span in closed) >= 20_000_000
    assert sorted(span["name"] for span in found if not span["end_ns"]) == ["generate", "reward"]
    [session] = sessions(server, run, lambda rows: rows[0]["status"] == "accepted")
    assert session["finalised"]


def test_a17_counters_without_zeros_and_the_last_verdict(server, run, tracer):
    session_id = begin_session()
    tell("increment_counter", session_id, name="turns", value=2)
    tell("increment_counter", session_id, name="errors", value=0)
    perf_tracer.get_session_tracer().increment_counter(session_id, "tools")
    tell("mark_finalized", session_id, status="accepted")
    tell("mark_finalized", session_id, status="rejected", reason="x")
    [session] = sessions(server, run, lambda rows: rows[0]["status"] == "rejected")
    assert session["reason"] == "x"
    [span] = spans(server, run, 1)
    counters = {key: value for key, value in span["attributes"].items() if key.startswith("rl.counter.")}
    assert counters == {"rl.counter.turns": "2", "rl.counter.tools": "1"}


# ── beyond the list ──


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
    import rollscope.compat._recording as recording

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
    assert perf_tracer.register_session([1]) is None or True
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
    found = spans(server, run, 6)
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
    import timeit

    @perf_tracer.trace_perf("f")
    def function():
        pass

    def scope():
        with perf_tracer.trace_scope("s"):
            pass

    for call in (function, scope, lambda: perf_tracer.instant("i"), lambda: perf_tracer.trace_session_event("mark_finalized", 1)):
        assert min(timeit.repeat(call, number=20_000, repeat=5)) / 20_000 < 3e-6


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
    [file] = tmp_path.glob("logs/*/exp/t1/rollscope/*.jsonl")
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
