"""What arrives at the server is what was recorded."""
import asyncio
import threading

import pytest


def test_a_phase_is_visible_while_it_is_open(server, rs, run):
    with rs.batch(train_step=7, model_step=6), rs.task("gsm8k-17", "gsm8k"), rs.session("s1"):
        with rs.phase("generate", prompt_tokens=12):
            row = server.wait_for(lambda: server.live(run)["rows"], lambda rows: bool(rows), 5)[0]
    assert (row["session"], row["status"], row["open_span"], row["task"]) == ("s1", "running", "generate", "gsm8k-17")
    assert (row["batch"], row["worker"]) == ("train_step=7/model_step=6", "[rollout] rank 7")


def test_a_span_arrives_with_everything_said_about_it(server, rs, run):
    with rs.session("s1"):
        with rs.phase("generate", {"gen_ai.request.model": "qwen3"}, n=3, share=0.5, ok=True, list=[1, 2]) as phase:
            phase.set(completion_tokens=88)
    assert rs.flush()
    [span] = server.wait_for(lambda: server.spans(run, "kind = 'phase'"), lambda spans: len(spans) == 1)
    said = {key: span["attributes"][key] for key in ("gen_ai.request.model", "n", "share", "ok", "list", "completion_tokens")}
    assert said == {"gen_ai.request.model": "qwen3", "n": "3", "share": "0.5", "ok": "true", "list": "[1,2]", "completion_tokens": "88"}
    assert (span["name"], span["session"], span["outcome"]) == ("generate", "s1", "ok")
    assert span["end_ns"] > span["start_ns"]


def verdict_cases():
    def plain(session):
        pass

    def fails(session):
        raise ValueError("no reward")

    def is_cancelled(session):
        raise asyncio.CancelledError()

    yield "no verdict", plain, ("completed", None)
    yield "accepted", lambda s: s.accepted(), ("accepted", None)
    yield "rejected", lambda s: s.rejected("all rewards equal"), ("rejected", "all rewards equal")
    yield "failed", lambda s: s.failed(KeyError("x")), ("failed", "KeyError: 'x'")
    yield "dropped", lambda s: s.dropped("too old"), ("dropped", "too old")
    yield "cancelled", lambda s: s.cancelled("pause"), ("cancelled", "pause")
    yield "exception", fails, ("failed", "ValueError: no reward")
    yield "cancellation", is_cancelled, ("cancelled", "asyncio.exceptions.CancelledError")
    yield "the last counts", lambda s: (s.rejected("first"), s.accepted()), ("accepted", None)


@pytest.mark.parametrize("verdict, expected", [pytest.param(v, e, id=name) for name, v, e in verdict_cases()])
def test_a_verdict_arrives(server, rs, run, verdict, expected):
    try:
        with rs.session("s1") as session:
            verdict(session)
    except BaseException:
        pass
    rs.flush()
    question = f"select status, reason from sessions where run = '{run}'"
    status, reason = expected
    server.wait_for(lambda: server.sql(question), [{"status": status, "reason": reason}])


def test_a_verdict_may_come_after_the_end(server, rs, run):
    with rs.session("s1") as session:
        session.accepted()
    rs.flush()
    session.rejected("stale")
    rs.flush()
    question = f"select status, reason from sessions where run = '{run}'"
    server.wait_for(lambda: server.sql(question), [{"status": "rejected", "reason": "stale"}])


def test_threads_that_were_bound_continue_the_session(server, rs, run):
    with rs.session("s1"):
        def work():
            with rs.phase("tool"):
                pass
        threads = [threading.Thread(target=rs.bind(work)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    rs.flush()
    tools = server.wait_for(lambda: server.spans(run, "name = 'tool'"), lambda spans: len(spans) == 8)
    assert {span["session"] for span in tools} == {"s1"}
