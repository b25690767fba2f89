"""Stores, recorders and events of XTuner's pull request 1891, which its users' own tests are made of."""
import asyncio
import json
import os
import threading

import pytest
from xtuner_parts import Status, sample, traced, unsaid  # noqa: F401

from rollscope.compat import xtuner
from rollscope.compat.xtuner import (
    InMemoryTraceStore,
    NoopTraceRecorder,
    TraceConfig,
    TraceEvent,
    TraceRecorder,
    trace_event,
    trace_function,
    trace_span,
    use_trace_recorder,
)


def store(**more):
    return InMemoryTraceStore(TraceConfig(enabled=True, **more))


def test_what_is_traced_under_a_recorder_is_in_its_store_and_its_file(tmp_path):
    kept = store(output_dir=tmp_path / "d", max_events=20, max_events_per_trace=20)

    @trace_function("custom.fn")
    async def function(rollout_state):
        await trace_event(rollout_state, "custom.fn.inner")
        return rollout_state

    async def work(state):
        await trace_event(state, "custom.prepare")
        async with trace_span(state, "custom.work"):
            state.status = Status.COMPLETED
        await function(state)

    with use_trace_recorder(TraceRecorder(kept)):
        asyncio.run(work(sample(2**127)))
    assert kept.flush_jsonl() and kept.close() and kept.close()
    stages = ["custom.prepare", "custom.work.start", "custom.work.end", "custom.fn.start", "custom.fn.inner", "custom.fn.end"]
    timeline = kept.get_timeline(f"gsm8k:{2**127}")
    assert [event.stage for event in timeline] == stages
    assert [event.status for event in timeline] == ["init", "init", *["completed"] * 4]
    [file] = (tmp_path / "d").iterdir()
    assert file.name == f"producer_trace_{os.getpid()}_{file.name.split('_')[3]}_000000.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [TraceEvent.from_dict(line) for line in lines] == timeline and lines[0]["uid"] == 2**127
    assert list(lines[0]) == "trace_id stage timestamp_s status task_name uid session_uid train_step model_step producer_future_step produce_batch_id worker_rank elapsed_s error_msg".split()


def test_an_error_is_an_event_with_how_long_it_took_and_what_it_said():
    kept = store()

    @trace_function("fails", target="state", trace_kwargs_getter=lambda state: {"worker_rank": 7})
    def fails(state):
        raise ValueError("x" * 1000)

    with use_trace_recorder(TraceRecorder(kept)), pytest.raises(ValueError):
        fails(sample(1))
    start, error = kept.get_timeline("gsm8k:1")
    assert (start.stage, start.worker_rank, start.elapsed_s, error.stage, error.worker_rank) == ("fails.start", 7, None, "fails.error", 7)
    assert error.elapsed_s >= 0 and error.error_msg == ("ValueError: " + "x" * 1000)[:497] + "..."


def test_a_group_has_an_event_for_each_sample_and_ends_with_what_is_returned():
    kept = store()

    @trace_function("group")
    def group(states):
        return [sample(each.uid, Status.COMPLETED) for each in states]

    with use_trace_recorder(TraceRecorder(kept)):
        group([sample(1), sample(2)])
        one, two = asyncio.run(trace_event([sample(1), sample(2)], "both"))
        assert asyncio.run(trace_event(sample(None), "none")) is None
    assert (one.trace_id, two.trace_id) == ("gsm8k:1", "gsm8k:2")
    assert {key: [(e.stage, e.status) for e in value] for key, value in kept.get_all_timelines().items()} == {
        trace_id: [("group.start", "init"), ("group.end", "completed"), ("both", "init")] for trace_id in ("gsm8k:1", "gsm8k:2")
    }
    assert kept.has_stage("gsm8k:1", "both") and not kept.has_stage("gsm8k:1", "neither")
    assert kept.get_latest("gsm8k:2") is two and kept.query_latest() == {"gsm8k:1": one, "gsm8k:2": two} and kept.get_latest("x") is None


def test_a_store_is_bounded_per_trace_and_in_all():
    """Item 18 of the acceptance list."""
    kept = store(max_events=3, max_events_per_trace=2)
    recorder = TraceRecorder(kept)
    for uid, stage in [("1", "s0"), ("1", "s1"), ("1", "s2"), ("2", "s0"), ("2", "s1")]:
        recorder.record(None, stage, task_name="a", uid=uid)
    assert {key: [e.stage for e in value] for key, value in kept.get_all_timelines().items()} == {"a:1": ["s2"], "a:2": ["s0", "s1"]}
    for n in range(10_000):
        recorder.record(None, "s", task_name="a", uid=n)
    assert len(kept.get_all_timelines()) == 3 == len(kept._order)


def test_other_contexts_and_what_comes_after_are_not_the_recorders(server, run, traced):
    kept = store()
    with use_trace_recorder(TraceRecorder(kept)):
        thread = threading.Thread(target=lambda: trace_span(sample(1), "elsewhere").__enter__())
        thread.start()
        thread.join()
        with trace_span(sample(1), "inside"):
            assert isinstance(xtuner.current_trace_recorder(), TraceRecorder)
    with use_trace_recorder(NoopTraceRecorder()), trace_span(sample(1), "nowhere"):
        pass
    assert [event.stage for event in kept.get_timeline("gsm8k:1")] == ["inside.start", "inside.end"]
    event = xtuner.get_tracer().record(sample(1), "after", train_step=3)
    assert (event.stage, event.train_step, event.produce_batch_id) == ("after", 3, "train_step=3/model_step=none/producer_future_step=none")
    assert traced.flush()
    names = server.wait_for(lambda: [span["name"] for span in server.spans(run)], lambda names: "after" in names)
    assert sorted(names) == ["after", "elsewhere"]


def test_generators_are_recorded_too():
    kept = store()

    @trace_function("stream")
    def stream(rollout_state):
        yield 1

    with use_trace_recorder(TraceRecorder(kept)):
        assert list(stream(sample(1))) == [1]
    assert [event.stage for event in kept.get_timeline("gsm8k:1")] == ["stream.start", "stream.end"]


def test_a_disk_that_fails_costs_one_warning_and_the_events_stay(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    kept = store(output_dir=tmp_path / "file" / "d")
    for n in range(3):
        TraceRecorder(kept).record(sample(n), "s")
    assert len(kept.get_all_timelines()) == 3 and not kept.flush_jsonl() and not kept.close()
    assert [("events stay in memory only" in record.getMessage()) for record in caplog.records] == [True]


def test_a_recorder_or_a_field_that_is_broken_does_not_hurt(caplog):
    class Broken(TraceRecorder):
        def record(self, *args, **more):
            raise RuntimeError("no")

    @trace_function("f", trace_kwargs_getter=lambda *args: {1: 2})
    def function(rollout_state):
        return 3

    for recorder in (Broken(store()), TraceRecorder(store())):
        with use_trace_recorder(recorder):
            assert function(sample(1)) == 3
            asyncio.run(trace_event([sample(1), sample(2)], "both", stage="twice"))
    said = [record.getMessage() for record in caplog.records]
    assert [line.split(": ")[1] for line in said] == ["event f.start", "event f.end", "NoopTraceRecorder.record_many"]
    assert ["not recorded" in line or "it does nothing" in line for line in said] == [True] * 3


def test_shards_roll(tmp_path, monkeypatch):
    monkeypatch.setattr(xtuner._store, "TRACE_JSONL_SHARD_BYTES", 400)
    kept = store(output_dir=tmp_path)
    for n in range(5):
        TraceRecorder(kept).record(sample(n), "s")
    assert kept.close()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert [name[-12:-6] for name in names] == ["000000", "000001", "000002", "000003", "000004"][: len(names)] and len(names) > 1
    assert sum(len(path.read_text().splitlines()) for path in tmp_path.iterdir()) == 5


def test_the_store_of_the_process_is_empty_which_is_said_once(traced, caplog):
    assert traced.store.get_timeline("gsm8k:1") == [] == traced.store.get_timeline("gsm8k:2")
    assert [record.getMessage() for record in caplog.records] == ["rollscope: xtuner store: empty: what is recorded is sent to Rollscope, and not kept in memory"]
    xtuner.reset_trace_for_test()
    assert not traced.enabled


@pytest.mark.parametrize("line", [{"stage": "x", "timestamp_s": 1}, {"trace_id": "a", "timestamp_s": 1}, {"trace_id": "a", "stage": "x", "timestamp_s": "zz"}])
def test_a_line_without_what_is_needed_is_an_error(line):
    """Item 16: as in XTuner, whose tools catch these."""
    with pytest.raises((KeyError, ValueError)):
        TraceEvent.from_dict(line)


def test_a_line_is_read_as_xtuner_does():
    assert TraceEvent.from_dict({"trace_id": 5, "stage": "x", "timestamp_s": "1.5", "bogus": 1}) == TraceEvent("5", "x", 1.5)
