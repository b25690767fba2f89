"""The calls of AReaL's pull requests 539 and 569, which main no longer has; told apart by their arguments."""
import asyncio
import time
import urllib.parse
from types import SimpleNamespace

import pytest
from areal_parts import begin_session, config, sessions, spans, tell, to_server, tracer  # noqa: F401

from rollscope.compat import _recording as recording
from rollscope.compat import areal as perf_tracer
from rollscope.compat.areal import SessionTraceEvent

tracing = pytest.mark.usefixtures("tracer")


def detail(server, run, session):
    return server.get(f"runs/{urllib.parse.quote(run, safe='')}/sessions/{urllib.parse.quote(session, safe='')}")


def executed(session_id, **end):
    """What the executor of pull request 539 does with a session that is not dropped."""
    perf_tracer.trace_session_event(session_id, "mark_enqueued")
    time.sleep(0.02)
    perf_tracer.trace_session_event(session_id, "mark_execution_start")
    perf_tracer.set_session_id(session_id)
    with perf_tracer.trace_session_phase(session_id, "generate"):
        time.sleep(0.03)
    with perf_tracer.trace_session_phase(session_id, "reward"):
        time.sleep(0.01)
    perf_tracer.trace_session_event(session_id, "mark_execution_end", **end)


def test_539_a_session_is_submitted_enqueued_executed_and_consumed(server, run, tracer):
    session_id = perf_tracer.get_session_tracer().register_submission()
    assert session_id == 0
    time.sleep(0.01)
    executed(session_id, status="accepted", rollout_stats=SimpleNamespace(accepted=8, enqueued=192, rejected=0, running=56))
    sessions(server, run, lambda rows: bool(rows) and (rows[0]["status"], rows[0]["source_status"]) == ("accepted", "accepted"))
    time.sleep(0.02)
    perf_tracer.trace_session_event(session_id, "mark_consumed")
    session, execution, generate, reward = spans(server, run, 4)
    row = {"session": "r0-t?-s0", "status": "accepted", "source_status": "accepted", "reason": None, "task": None, "finalised": True}
    assert sessions(server, run, lambda rows: rows == [row])
    assert [span["name"] for span in (execution, generate, reward)] == ["execution", "generate", "reward"]
    assert {generate["parent_id"], reward["parent_id"]} == {execution["span_id"]} and execution["parent_id"] == session["span_id"]
    said = session["attributes"]
    assert [said[f"areal.rollout_stats.{name}"] for name in ("accepted", "enqueued", "rejected", "running")] == ["8", "192", "0", "56"]
    # What 539 derives, and what the server accounts for by its own rules.
    found = detail(server, run, "r0-t?-s0")
    waits, (queue, runner, length, post) = found["waits"], (float(said[f"areal.{name}_s"]) for name in ("queue_wait", "runner_wait", "execution", "post_wait"))
    assert (queue, runner, length, post) > (0.01, 0.02, 0.04, 0.02)
    assert waits["queue_s"] == pytest.approx(queue + runner, abs=1e-6)
    assert waits["barrier_s"] == pytest.approx(post, abs=1e-6)
    assert (execution["end_ns"] - execution["start_ns"]) / 1e9 == pytest.approx(length, abs=1e-9)
    assert sum(waits[name] for name in ("gap_s", "siblings_s", "unaccounted_s", "outside_s")) == 0
    assert found["wall_s"] == pytest.approx(queue + runner + length + post, abs=1e-6)


@pytest.mark.parametrize("status, reason", [("rejected", "workflow_returned_none"), ("rejected", "should_accept_false"), ("failed", "workflow_exception")])
def test_539_what_is_not_accepted_is_over_with_its_execution(server, run, tracer, status, reason):
    executed(tracer.session_tracer.register_submission(), status=status, rejection_reason=reason, rollout_stats={"running": 3, "odd": "x"})
    sessions(server, run, lambda rows: [(row["status"], row["source_status"], row["reason"], row["finalised"]) for row in rows] == [(status, status, reason, True)])
    [session] = spans(server, run, 1, "kind = 'session'")
    stats = {key: value for key, value in session["attributes"].items() if "rollout_stats" in key}
    assert stats == {"areal.rollout_stats.running": "3"} and "areal.post_wait_s" not in session["attributes"]


def test_539_a_full_queue_drops_the_session_with_an_execution_of_no_length(server, run, tracer):
    session_id = tracer.session_tracer.register_submission()
    tracer.session_tracer.record_event(session_id, SessionTraceEvent.DROPPED, rejection_reason="input_queue_full", rollout_stats=None)
    sessions(server, run, lambda rows: [(row["status"], row["reason"]) for row in rows] == [("dropped", "input_queue_full")])
    session, execution = spans(server, run, 2)
    assert execution["name"] == "execution" and execution["start_ns"] == execution["end_ns"]
    assert session["attributes"]["areal.execution_s"] == "0.0"


def test_539_a_second_start_ends_the_execution_before(server, run, tracer):
    session_id = tracer.session_tracer.register_submission()
    for event in (SessionTraceEvent.EXECUTION_START, SessionTraceEvent.EXECUTION_START, SessionTraceEvent.EXECUTION_END, SessionTraceEvent.CONSUMED):
        tracer.session_tracer.record_event(session_id, event, **({"status": "accepted"} if event is SessionTraceEvent.EXECUTION_END else {}))
    first, second = spans(server, run, 2, "name = 'execution'")
    assert first["end_ns"] <= second["start_ns"] and first["end_ns"] and second["end_ns"]
    sessions(server, run, lambda rows: rows[0]["status"] == "accepted")


def test_539_an_execution_may_be_a_block_too(server, run, tracer):
    session_id = tracer.session_tracer.register_submission()

    async def main():
        async with perf_tracer.atrace_session_phase(session_id, "execution", end_payload={"status": "rejected", "rejection_reason": "late"}):
            async with perf_tracer.atrace_session_phase(session_id=session_id, phase="generate"):
                pass

    asyncio.run(main())
    sessions(server, run, lambda rows: [(row["status"], row["reason"]) for row in rows] == [("rejected", "late")])
    execution, generate = spans(server, run, 2, "kind = 'phase'")
    assert (execution["name"], generate["parent_id"]) == ("execution", execution["span_id"])


def test_569_numbers_its_tasks_itself(server, run, tracer):
    assert [perf_tracer.register_task(), perf_tracer.register_task()] == [0, 1]
    task_id = perf_tracer.get_session_tracer().register_task()
    session_id = perf_tracer.register_session(task_id)
    assert (task_id, session_id) == (2, 0)
    with perf_tracer.trace_session_phase(session_id, "generate"):
        pass
    perf_tracer.trace_session_event("mark_finalized", task_id=task_id, status="dropped", reason="queue_full")
    sessions(server, run, lambda rows: [(row["session"], row["status"], row["reason"]) for row in rows] == [("r0-t2-s0", "dropped", "queue_full")])
    assert [span["name"] for span in spans(server, run, 1, "kind = 'phase'")] == ["generate"]


@tracing
def test_569_numbers_start_again_after_reset():
    assert perf_tracer.register_task() == 0
    perf_tracer.get_session_tracer().reset()
    assert perf_tracer.register_task() == 0
    assert perf_tracer.register_task(7) is None


def test_without_sessions_nothing_is_numbered(to_server):
    assert perf_tracer.register_task() is None and perf_tracer.register_task(1) is None
    with perf_tracer.trace_session_phase(0, "generate"), perf_tracer.trace_session_phase("generate"):
        perf_tracer.trace_session_event(0, "mark_enqueued")


def test_a_session_that_is_named_counts_more_than_the_context(server, run, tracer):
    mine, other = begin_session(1), perf_tracer.register_session(1)
    with perf_tracer.trace_session_phase(other, "named"), perf_tracer.trace_session_phase("current"), perf_tracer.trace_session_phase(None, "none"):
        pass
    assert mine != other
    found = spans(server, run, 2, "kind = 'phase'")
    assert {span["name"]: span["session"] for span in found} == {"named": "r0-t1-s1", "current": "r0-t1-s0"}


@pytest.mark.parametrize("call", ["raises", "is cancelled"])
def test_a_verdict_after_an_exception_brings_areals_own_word(server, run, tracer, call):
    """As the executor of main does: the workflow raises, it catches, and finalises the task as failed."""
    perf_tracer.set_task_id(3)

    @perf_tracer.session_context()
    async def episode():
        raise ValueError("engine") if call == "raises" else asyncio.CancelledError()

    with pytest.raises(BaseException):
        asyncio.run(episode())
    sessions(server, run, lambda rows: [row["source_status"] for row in rows] == ["pending"])
    perf_tracer.trace_session_event("mark_finalized", task_id=3, status="failed", reason="workflow_exception")
    expected = {"session": "r0-t3-s0", "status": "failed", "source_status": "failed", "reason": "workflow_exception", "task": "3", "finalised": True}
    sessions(server, run, lambda rows: rows == [expected])
    report = server.get(f"runs/{run}/sessions", scope="all")
    assert report["status_counts"] == {"failed": 1}


@pytest.fixture
def said(caplog):
    recording._said.clear()
    return lambda: [record.getMessage().removeprefix("rollscope: ") for record in caplog.records if record.levelname == "WARNING"]


def test_what_a_later_areal_may_have_is_reported_once_and_does_nothing(server, run, tracer, said):
    for _ in range(2):
        with perf_tracer.trace_lane("lane", colour=3):
            perf_tracer.get_tracer().counter("tokens", 5)
        perf_tracer.get_session_tracer().record_token(1)
        begin_session()
        tracer.session_tracer.record_event(0, SessionTraceEvent.TRUNCATED)
        tell("mark_truncated", 0)
        tell("set_weight", 0)
    assert said() == [
        "perf_tracer.trace_lane: no such name in Rollscope; it does nothing",
        "PerfTracer.counter: no such name in Rollscope; it does nothing",
        "SessionTracer.record_token: no such name in Rollscope; it does nothing",
        "SessionTraceEvent.TRUNCATED: no such name in Rollscope; it does nothing",
        "event truncated: no such event of a session; it is not recorded",
        "trace_session_event(set_weight): no such event (expected: mark_… or increment_counter)",
    ]
    assert len(spans(server, run, 2, still_open=2)) == 2


def test_a_setting_of_a_wrong_type_is_no_error_at_set_up(to_server, said):
    perf_tracer.configure(config(profile_steps=2.5j), rank=0, colour="red")
    assert said() == ["configure(colour=…): no such argument; left out", "an entry of profile_steps: '2.5j' (expected: whole numbers); left out", "profile_steps: no effect: everything is sent within a second, and nothing is profiled"]


def test_arguments_that_are_unknown_or_of_a_wrong_type_are_attributes(server, run, tracer, said):
    with perf_tracer.trace_scope("scope", colour="red", args={"a": 1}):
        perf_tracer.instant("instant", size=3)
    with perf_tracer.trace_scope("five", args=5):
        pass
    session_id = begin_session()
    with perf_tracer.trace_session_phase("generate", end_payload="text"):
        pass
    perf_tracer.save(force=True, compress=True)
    perf_tracer.trace_session_event("mark_generate_start", session_id=99)
    with perf_tracer.trace_session_phase():
        assert perf_tracer.register_session() is None
    scope, five = spans(server, run, 2, "kind = 'op'")
    assert {key: value for key, value in scope["attributes"].items() if key.startswith("areal.")} == {"areal.cat": "misc", "areal.a": "1", "areal.colour": "red"}
    assert five["attributes"]["areal.args"] == "5"
    [phase] = spans(server, run, 1, "kind = 'phase'")
    assert phase["attributes"]["areal.end_payload"] == "text" and session_id == 0
    assert said() == [
        "trace_scope(colour=…): no such argument; kept as an attribute",
        "instant(size=…): no such argument; kept as an attribute",
        "args: 5 (expected: a mapping)",
        "end_payload: text (expected: a mapping)",
        "save(compress=…): no such argument; left out",
        "session: 99 is not registered, or was over long ago; its events are not recorded",
        "trace_session_phase: no phase was named; it does nothing",
        "register_session: missing a required argument: 'task_id' (expected: register_session(task_id: 'int') -> 'Optional[int]'); it does nothing",
    ]
