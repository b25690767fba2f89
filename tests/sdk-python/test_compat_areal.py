"""rollscope.compat.areal: what AReaL's own tests ask, read as “what arrives at the server”."""
import asyncio
import json
import time

import pytest
from areal_parts import begin_session, config, sessions, spans, tell, to_server, tracer  # noqa: F401

from rollscope.compat import areal as perf_tracer
from rollscope.compat.areal import Category, SessionTracerConfig


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
    found = spans(server, run, 3, still_open=1)
    assert {(span["worker_role"], span["worker_rank"]) for span in found} == {("actor", 0)}
    assert found[0]["train_step"] == 4
    [row] = server.live(run)["rows"]
    assert row["worker"] == "[actor] rank 0"


def test_a04_without_a_role_the_rank_alone_names_the_process(server, run, to_server):
    perf_tracer.configure(config(), rank=3)
    begin_session()
    [row] = server.wait_for(lambda: server.live(run)["rows"], bool)
    assert row["worker"] == "rank 3"
    [span] = spans(server, run, 1, still_open=1)
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
    assert len(spans(server, run, 1, still_open=1)) == 1


def test_a15_a_forced_flush_shows_a_live_session_as_pending(server, run, tracer):
    session_id = begin_session()
    tell("mark_generate_start", session_id)
    tracer.session_tracer.flush(force=True)
    open_ones = spans(server, run, 2, still_open=2)
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
    found = spans(server, run, 4, "kind = 'phase'", still_open=2)
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
