"""rollscope.compat.xtuner beyond its acceptance list: groups, other processes, cancellation, and whatever a training may throw at it."""
import asyncio
import copy
import inspect
import json
import os
import subprocess
import sys
import timeit

import pytest
from xtuner_parts import arrived, sample, sessions, traced  # noqa: F401

from rollscope.compat import xtuner
from rollscope.compat.xtuner import TraceConfig, close_trace, configure_trace, trace_event, trace_function, trace_span


def test_a_list_gives_one_span_per_sample_and_each_ends_as_it_was_returned(server, run, traced):
    group = [sample(uid) for uid in (1, 2, 3)]

    @trace_function("xtuner.producer.generate_group", target="group", train_step=5)
    def generate(group):
        done = [copy.copy(each) for each in group[:2]]
        done[0].status, done[1].status = "completed", "aborted"
        return done

    generate(group)
    spans = arrived(server, run, 3)
    assert [(s["session"], s["stage"], s["train_step"]) for s in spans] == [(f"gsm8k:{n}", "producer.generate", 5) for n in (1, 2, 3)]
    statuses = [(s["session"], s["status"], s["source_status"]) for s in sessions(server, run)]
    assert statuses == [("gsm8k:1", "completed", "completed"), ("gsm8k:2", "cancelled", "aborted"), ("gsm8k:3", "queued", "init")]


WORDS = [("completed", "completed"), ("archived", "completed"), ("failed", "failed"), ("aborted", "cancelled"), ("expired", "dropped")]


@pytest.mark.parametrize("word, status", WORDS + [("filtered", "rejected"), ("init", "queued")])
def test_a_status_word_decides(server, run, traced, word, status):
    with trace_span(sample(status=word), "work"):
        pass
    arrived(server, run, 1)
    assert [(s["status"], s["source_status"]) for s in sessions(server, run)] == [(status, word)]


def test_a_running_sample_is_seen_where_it_is(server, run, traced):
    with trace_span(sample(2**127 + 1), "xtuner.rollout_worker.generate", worker_rank=3):
        [row] = server.wait_for(lambda: server.live(run)["rows"], lambda rows: bool(rows), 5)
    assert (row["session"], row["status"], row["open_span"]) == (f"gsm8k:{2**127 + 1}", "running", "xtuner.rollout_worker.generate")
    assert (row["stage"], row["source_status"]) == ("rollout_worker.generate", "init")


def test_cancellation_leaves_no_ghost(server, run, traced):
    @trace_function("work")
    async def hangs(rollout_state):
        async with trace_span(rollout_state, "inner"):
            await asyncio.sleep(3600)

    async def main():
        task = asyncio.create_task(hangs(sample()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    spans = arrived(server, run, 2)
    assert [span["outcome"] for span in spans] == ["cancelled", "cancelled"]
    assert [session["status"] for session in sessions(server, run)] == ["cancelled"]


def test_samples_that_exist_only_at_the_end_have_the_whole_call(server, run, traced):
    @trace_function("xtuner.producer.sample_group")
    def sampler(count):
        return [sample(uid) for uid in range(count)]

    sampler(2)
    spans = arrived(server, run, 2)
    assert [(s["session"], s["stage"]) for s in spans] == [("gsm8k:0", "sampler"), ("gsm8k:1", "sampler")]
    assert all(span["end_ns"] > span["start_ns"] for span in spans)


def test_what_is_nested_in_a_process_has_its_parent(server, run, traced):
    group = [sample(1), sample(2)]

    @trace_function("inner")
    async def inner(rollout_state):
        await asyncio.sleep(0)

    @trace_function("outer", target="group")
    async def outer(group):
        await asyncio.gather(*(inner(each) for each in group))

    asyncio.run(outer(group))
    spans = arrived(server, run, 4)
    outers = {span["session"]: span["span_id"] for span in spans if span["name"] == "outer"}
    assert {span["session"]: span["parent_id"] for span in spans if span["name"] == "inner"} == outers


WORKER = """
from types import SimpleNamespace
from rollscope.compat.xtuner import close_trace, trace_function
@trace_function("xtuner.rollout_worker.generate", worker_rank=4)
def generate(rollout_state):
    pass
generate(SimpleNamespace(uid=9, task_name="gsm8k", status="init"))
close_trace()
"""


def test_another_process_records_into_the_same_session(server, run, traced):
    options = xtuner.merge_trace_runtime_env({})
    with trace_span(sample(9, "completed"), "xtuner.rollout_controller.generate"):
        subprocess.run([sys.executable, "-c", WORKER], check=True, env={**os.environ, **options["runtime_env"]["env_vars"]})
    controller, worker = arrived(server, run, 2)
    assert worker["pid"] != controller["pid"]
    assert (worker["session"], worker["trace_id"], worker["worker_rank"]) == (controller["session"], controller["trace_id"], 4)
    stages = server.get(f"runs/{run}/hotspots", scope="all")["stage_stats"]
    own = {stage["stage"]: (stage["self_s"], stage["total_s"]) for stage in stages}
    assert own["rollout_worker.generate"][0] == own["rollout_worker.generate"][1] > 0
    assert own["rollout.generate"][0] < own["rollout.generate"][1]


def test_starts_and_ends_told_as_events_are_spans(server, run, traced):
    async def work():
        state = sample()
        await trace_event(state, "a.start", timestamp_s=1780000000.5)
        await trace_event(state, "a.end", timestamp_s=1780000002.0)
        await trace_event(state, "b.end", timestamp_s=1780000003.0, elapsed_s=0.5)
        await trace_event(state, "c.error", timestamp_s=1780000004.0, elapsed_s=1, error_msg="TimeoutError: judge took too long")
        await trace_event(state, "d.end", timestamp_s=1780000005.0)

    asyncio.run(work())
    spans = {span["name"]: span for span in arrived(server, run, 4)}
    second = 10**9
    times = {name: (s["start_ns"] - 1780000000 * second, s["end_ns"] - 1780000000 * second) for name, s in spans.items()}
    assert times["a"] == (second // 2, 2 * second) and times["b"] == (5 * second // 2, 3 * second)
    assert (spans["c"]["error_type"], spans["c"]["error_message"]) == ("TimeoutError", "judge took too long")
    assert spans["d.end"]["attributes"]["rollscope.point"] == "true"


def test_generators_are_spans_of_their_whole_life(server, run, traced):
    @trace_function("stream")
    async def stream(rollout_state):
        for n in range(3):
            await asyncio.sleep(0.01)
            yield n

    @trace_function("plain")
    def plain(rollout_state):
        received = yield 1
        yield received

    async def consume():
        return [n async for n in stream(sample())]

    assert asyncio.run(consume()) == [0, 1, 2]
    both = plain(sample())
    assert (next(both), both.send("x")) == (1, "x")
    both.close()
    ended, closed = arrived(server, run, 2)
    assert ended["end_ns"] - ended["start_ns"] >= 30_000_000 and ended["outcome"] == "ok"
    assert closed["outcome"] == "cancelled"


class Hostile:
    """Throws whatever it is asked, except that it has a uid."""

    uid = "h"
    status = "init"

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __str__(self):
        raise RuntimeError("str")


def explode(*args, **more):
    raise RuntimeError("getter")


def test_nothing_that_is_wrong_with_a_sample_or_a_getter_hurts_the_call(server, run, traced, caplog):
    @trace_function(explode, target_getter=explode, trace_kwargs_getter=explode)
    def getters(rollout_state):
        return 1

    @trace_function("hostile")
    def hostile(rollout_state, *args, **more):
        return 2

    @trace_function("fields", trace_kwargs_getter=lambda *args: {"train_step": "x", "worker_rank": Hostile(), "status": object(), "odd": {1: 2}})
    def fields(rollout_state):
        return 3

    assert getters(sample()) == 1
    assert hostile(Hostile(), [1] * 10, x=Hostile()) == 2
    assert hostile(sample(Hostile())) == 2
    assert hostile(sample("long" * 10_000)) == 2
    assert hostile(sample("half \ud800 pair")) == 2
    assert fields(sample(7)) == 3
    asyncio.run(trace_event(sample(8), None))
    asyncio.run(trace_event([sample(9), None, 3], "b" * 5000, timestamp_s=float("nan")))
    with pytest.raises(TypeError, match="rollout_state"):
        fields()
    assert getters(sample()) == 1
    reports = [record.getMessage() for record in caplog.records]
    assert len(reports) == 3 and all("the call goes on without it" in report for report in reports)
    spans = arrived(server, run, 7)
    assert traced.dropped() == {"spans": 0, "starts": 0, "metrics": 0}
    assert {"gsm8k:7", "gsm8k:8", "gsm8k:9", "unknown:h"} <= {span["session"] for span in spans}
    [odd] = [span for span in spans if span["session"] == "gsm8k:7" and span["name"] == "fields"]
    assert (odd["attributes"]["xtuner.odd"], odd["train_step"], odd["worker_rank"]) == ("{1: 2}", None, None)


def test_the_callers_objects_stay_as_they_were(server, run, traced):
    state = sample(5)
    state.extra_fields = {"_trace_train_step": 4, "_trace_produce_batch_id": "b", "mine": [1]}
    before = copy.deepcopy(state)
    arguments = {"train_step": 1, "note": "n"}
    with trace_span(state, "work", **arguments):
        asyncio.run(trace_event([state], "point", **arguments))
    assert state == before and arguments == {"train_step": 1, "note": "n"}
    [span] = arrived(server, run, 1)
    assert (span["batch"], span["train_step"], span["attributes"]["xtuner.note"]) == ("b", 1, "n")


def test_prompts_are_not_sent(server, run, traced):
    with trace_span(sample(), "work", prompt="secret", completion="secret"):
        pass
    [span] = arrived(server, run, 1)
    assert "secret" not in str(span)


def test_a_decorated_function_is_what_it_was():
    @trace_function("f")
    async def function(rollout_state, n: int = 3) -> int:
        "Says what it does."
        return n

    assert inspect.iscoroutinefunction(function) and str(inspect.signature(function)) == "(rollout_state, n: int = 3) -> int"
    assert (function.__name__, function.__doc__) == ("function", "Says what it does.")
    # Ray looks at what it finds there before it reads the marks of @ray.method.
    assert not hasattr(function, "__wrapped__")


def test_off_costs_next_to_nothing_and_reads_no_sample():
    @trace_function("f", target_getter=explode)
    def function(rollout_state):
        return rollout_state

    close_trace()
    state = Hostile()
    assert function(state) is state
    with trace_span(state, "s"):
        pass
    each_s = min(timeit.repeat(lambda: function(state), number=20_000, repeat=5)) / 20_000
    assert each_s < 2e-6


def test_an_environment_that_leads_nowhere_does_not_hurt(monkeypatch, tmp_path, caplog):
    (tmp_path / "file").write_text("")
    close_trace()
    monkeypatch.setenv("XTUNER_TRACE_ENABLED", "1")
    monkeypatch.setenv("XTUNER_TRACE_OUTPUT_DIR", str(tmp_path / "file" / "d"))
    monkeypatch.setenv("XTUNER_TRACE_MAX_EVENTS", "many")

    @trace_function("f")
    def function(rollout_state):
        return 4

    assert [function(sample()) for _ in range(3)] == [4, 4, 4]
    assert not xtuner._runtime.client().close(0.2)
    assert [record for record in caplog.records if "Not a directory" in record.getMessage()]
    close_trace()


def test_without_a_server_the_output_folder_is_a_spool(server, tmp_path):
    folder = tmp_path / "exp7" / "producer_trace"
    configure_trace(TraceConfig(enabled=True, viewer_enabled=False), output_dir=folder)
    with trace_span(sample(1, "completed"), "xtuner.judger.judge"):
        pass
    close_trace()
    [file] = folder.iterdir()
    report = json.loads(server.rollscope("live", str(file), "--as", "otlp", "--scope", "all", "--once", "--format", "json"))
    assert report["run"] == "exp7"
    assert [(row["session"], row["status"]) for row in report["rows"]] == [("gsm8k:1", "completed")]
