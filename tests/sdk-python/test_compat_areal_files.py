"""ROLLSCOPE_COMPAT_FILES: AReaL's own files besides, for its converter and its plots."""
import getpass
import json
import math
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest
from areal_parts import begin_session, config, tell

from rollscope.compat import _recording as recording
from rollscope.compat import areal as perf_tracer
from rollscope.compat.areal import Category, PerfTracer, SessionTraceEvent, SessionTracer, SessionTracerConfig
from rollscope.compat.areal import _appender, _perf_file, _session_file


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Below it are AReaL's files; what Rollscope records goes into a folder beside."""
    monkeypatch.setenv("ROLLSCOPE_COMPAT_FILES", str(tmp_path / "files"))
    monkeypatch.setenv("ROLLSCOPE_SPOOL", str(tmp_path / "spool"))
    monkeypatch.delenv("ROLLSCOPE_URL", raising=False)
    recording._said.clear()
    yield tmp_path / "files"
    perf_tracer.reset()
    perf_tracer.set_task_id(None)
    perf_tracer.set_session_id(None)


def below(files, *last):
    return files.joinpath("logs", getpass.getuser(), "exp", "t1", *last)


def lines(path):
    """Each is JSON in the strict sense."""

    def refuse(word):
        raise ValueError(word)

    return [json.loads(line, parse_constant=refuse) for line in path.read_text(encoding="utf-8").splitlines()]


def traces(files, *role, rank=0):
    return lines(below(files, "perf_tracer", *role, f"traces-r{rank}.jsonl"))


def rows(files, *role, rank=0):
    return lines(below(files, "session_tracer", *role, f"sessions-r{rank}.jsonl"))


def names(events):
    return [event["name"] for event in events if event["ph"] != "M"]


def test_events_are_written_as_areal_writes_them(files):
    tracer = PerfTracer(config(), rank=0)
    with pytest.raises(KeyError):
        with tracer.trace_scope("unit-block", category=" IO ", args={"step": 1, "nested": {"a": [1, None]}, "rank": 7}):
            tracer.instant("inner", category=Category.SCHEDULER, args={"data": 8})
            raise KeyError("x")
    tracer.save()
    thread, process, order, inner, block = traces(files)
    pid, tid = os.getpid(), threading.get_native_id()
    assert list(thread.items()) == [("name", "thread_name"), ("ph", "M"), ("pid", pid), ("tid", tid), ("args", {"name": "MainThread"})]
    assert list(process.items()) == [("name", "process_name"), ("ph", "M"), ("pid", pid), ("args", {"name": "Rank 0, Process"})]
    assert list(order.items()) == [("name", "process_sort_index"), ("ph", "M"), ("pid", pid), ("args", {"sort_index": 0})]
    assert list(inner) == ["name", "ph", "ts", "pid", "tid", "cat", "args", "s"]
    assert (inner["ph"], inner["cat"], inner["args"], inner["s"]) == ("i", "scheduler", {"data": 8, "rank": 0}, "t")
    assert list(block) == ["name", "ph", "ts", "dur", "pid", "tid", "cat", "args"]
    assert (block["ph"], block["cat"], block["args"]) == ("X", "io", {"step": 1, "nested": {"a": [1, None]}, "rank": 7, "exception": "KeyError"})
    assert 0 <= block["ts"] <= inner["ts"] <= block["ts"] + block["dur"] and block["dur"] >= 1
    tracer.close()


def test_roles_and_ranks_have_files_of_their_own(files):
    for rank, role in ((0, "actor"), (1, "actor"), (0, None)):
        tracer = PerfTracer(config(), rank=rank, role=role)
        tracer.instant("mark")
        tracer.save()
        tracer.close()
    label = {(rank, role): [event["args"]["name"] for event in traces(files, *role, rank=rank) if event["name"] == "process_name"] for rank, role in ((0, ("actor",)), (1, ("actor",)), (0, ()))}
    assert label == {(0, ("actor",)): ["[actor] Rank 0, Process"], (1, ("actor",)): ["[actor] Rank 1, Process"], (0, ()): ["Rank 0, Process"]}
    assert traces(files, "actor", rank=1)[-1]["args"] == {"rank": 1, "role": "actor"}


def test_saved_at_the_last_step_of_each_interval(files):
    tracer = PerfTracer(config(save_interval=3), rank=0)
    for step in (0, 1):
        tracer.instant(f"mark-{step}")
        tracer.save(step=step)
        assert not files.exists()
    tracer.instant("mark-2")
    tracer.save(step=2)
    assert names(traces(files)) == ["mark-0", "mark-1", "mark-2"]
    for step in (3, 4):
        tracer.instant(f"mark-{step}")
        tracer.save(step=step)
    tracer.save(force=True)
    assert names(traces(files)) == [f"mark-{step}" for step in range(5)]
    tracer.close()


def test_decorated_functions_and_threads(files):
    perf_tracer.configure(config(), rank=0)

    @perf_tracer.trace_perf("call", category="compute")
    def call():
        return list(generate())

    @perf_tracer.trace_perf("generator")
    def generate():
        yield 1

    thread = threading.Thread(target=call, name="engine-1")
    thread.start()
    thread.join()
    call()
    perf_tracer.save()
    events = traces(files)
    assert names(events) == ["generator", "call"] * 2
    threads = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert [threads[event["tid"]] for event in events if event["name"] == "call"] == ["engine-1", "MainThread"]
    assert sum(event["name"] == "process_name" for event in events) == 1


def test_times_begin_again_after_reset_of_the_tracer(files):
    tracer = PerfTracer(config(), rank=0)
    time.sleep(0.05)
    tracer.instant("before")
    tracer.reset()
    tracer.instant("after")
    tracer.close()
    events = traces(files)
    before, after = (event for event in events if event["ph"] == "i")
    assert before["ts"] >= 50_000 > after["ts"] and sum(event["name"] == "thread_name" for event in events) == 2


def test_a_session_of_main(files):
    perf_tracer.configure(config(session_tracer=SessionTracerConfig(True, flush_threshold=1)), rank=2, role="critic")
    session_id = begin_session(456)
    tell("mark_toolcall_start", session_id)
    tell("mark_toolcall_end", session_id)
    for _ in range(2):
        with perf_tracer.trace_session_phase("generate"):
            time.sleep(0.01)
    tell("mark_reward_end", session_id)
    tell("mark_generate_start", session_id)
    tell("increment_counter", session_id, name="turns", value=2)
    tell("increment_counter", session_id, name="errors", value=0)
    before = time.time()
    tell("mark_finalized", session_id, status="rejected", reason="returned_none")
    perf_tracer.save(force=True)
    [row] = rows(files, "critic", rank=2)
    assert list(row) == "task_id session_id rank role status reason submit_ts finalized_ts total_s generate_s reward_s toolcall_s phases counters".split()
    assert [row[key] for key in ("task_id", "session_id", "rank", "role", "status", "reason", "counters")] == [456, 0, 2, "critic", "rejected", "returned_none", {"turns": 2}]
    assert list(row["phases"]) == ["generate", "reward", "toolcall"]
    first, second, third = row["phases"]["generate"]
    assert row["submit_ts"] < first["start_ts"] < first["end_ts"] <= second["start_ts"] < second["end_ts"] <= third["start_ts"]
    assert third["end_ts"] is None and row["reward_s"] == 0.0
    assert row["generate_s"] == pytest.approx(first["end_ts"] - first["start_ts"] + second["end_ts"] - second["start_ts"], abs=1e-6)
    assert row["total_s"] == pytest.approx(row["finalized_ts"] - row["submit_ts"], abs=1e-6) and before <= row["finalized_ts"] <= time.time()


def test_a_submission_of_pull_request_539(files):
    perf_tracer.configure(config(), rank=0)
    tracer = perf_tracer.get_session_tracer()
    first = tracer.register_submission()
    for event in ("mark_enqueued", "mark_execution_start", "mark_generate_start", "mark_generate_end", "mark_reward_start", "mark_reward_end"):
        perf_tracer.trace_session_event(first, event)
    perf_tracer.trace_session_event(first, "mark_execution_end", status="accepted", rollout_stats={"accepted": 8, "running": 56})
    perf_tracer.trace_session_event(first, "mark_consumed")
    dropped = tracer.register_submission()
    perf_tracer.trace_session_event(dropped, "mark_dropped", rejection_reason="input_queue_full")
    tracer.flush(force=True)
    one, other = rows(files)
    keys = "session_id rank status submit_ts enqueue_ts wait_return_ts rollout_stats queue_wait_s runner_wait_s execution_s post_wait_s total_s generate_s reward_calc_s phases"
    assert list(one) == keys.split()
    assert (one["session_id"], one["status"], one["rollout_stats"]) == (0, "accepted", {"accepted": 8, "running": 56})
    assert list(one["phases"]) == ["execution", "generate", "reward"]
    [execution] = one["phases"]["execution"]
    # A clock with an unknown zero, as theirs.
    assert abs(one["submit_ts"] - time.perf_counter()) < 60
    assert one["queue_wait_s"] == pytest.approx(one["enqueue_ts"] - one["submit_ts"], abs=1e-6)
    assert one["runner_wait_s"] == pytest.approx(execution["start_ts"] - one["enqueue_ts"], abs=1e-6)
    assert one["post_wait_s"] == pytest.approx(one["wait_return_ts"] - execution["end_ts"], abs=1e-6)
    assert one["execution_s"] == pytest.approx(execution["end_ts"] - execution["start_ts"], abs=1e-6)
    assert one["total_s"] == pytest.approx(one["wait_return_ts"] - one["submit_ts"], abs=1e-6)
    assert list(other) == "session_id rank status rejection_reason submit_ts execution_s phases".split()
    assert (other["status"], other["rejection_reason"], other["execution_s"]) == ("dropped", "input_queue_full", 0.0)


@pytest.mark.parametrize("threshold, finished, written", [(3, 2, 0), (3, 3, 3), (1, 1, 1), (0, 1, 1), ("2", 2, 2), (None, 1, 1), (2.9, 2, 2)])
def test_rows_are_written_when_enough_are_complete(files, threshold, finished, written):
    perf_tracer.configure(config(session_tracer=SessionTracerConfig(True, flush_threshold=threshold)), rank=0)
    begin_session()
    for _ in range(finished):
        tell("mark_finalized", begin_session(), status="accepted")
    file = perf_tracer.get_session_tracer()._file.appender
    assert file.wait(90)
    assert (len(rows(files)) if written else files.exists()) == written


def test_a_row_has_the_first_phases_of_a_session_that_has_very_many(files, caplog, monkeypatch):
    monkeypatch.setattr(_session_file, "_MOST_SPANS", 5)
    perf_tracer.configure(config(), rank=0)
    session_id = begin_session()
    for phase in ("generate", "toolcall") * 4:
        with perf_tracer.trace_session_phase(phase):
            pass
    tell("mark_finalized", session_id, status="accepted")
    perf_tracer.save(force=True)
    [row] = rows(files)
    assert {name: len(spans) for name, spans in row["phases"].items()} == {"generate": 3, "toolcall": 2}
    assert [text for text in warnings(caplog, "phases")] == ["rollscope: phases: session 0 has more than 5; its row has the first ones"]


def test_what_is_pending_is_written_when_it_is_forced_and_then_forgotten(files):
    perf_tracer.configure(config(), rank=0)
    session_id = begin_session(3)
    tell("mark_generate_start", session_id)
    perf_tracer.get_session_tracer().flush()
    assert not files.exists()
    perf_tracer.save(force=True)
    [row] = rows(files)
    assert (row["status"], row["phases"]["generate"][0]["end_ts"]) == ("pending", None)
    assert "finalized_ts" not in row and "total_s" not in row and "generate_s" not in row
    tell("mark_finalized", session_id, status="accepted")
    perf_tracer.save(force=True)
    assert len(rows(files)) == 1


def test_a_session_tracer_of_its_own_writes_where_it_is_asked_to(files, tmp_path):
    path = tmp_path / "own" / "sessions.jsonl"
    tracer = SessionTracer(SessionTracerConfig(True), output_path=str(path), rank=0)
    tracer.record_event(tracer.register_session(1), SessionTraceEvent.FINALIZED, status="dropped")
    tracer.flush(force=True)
    assert [row["status"] for row in lines(path)] == ["dropped"]
    tracer.close()
    tracer.client.close()


def test_without_the_variable_there_is_no_file(files, monkeypatch, tmp_path):
    monkeypatch.delenv("ROLLSCOPE_COMPAT_FILES")
    perf_tracer.configure(config(fileroot=str(tmp_path)), rank=0)
    tell("mark_finalized", begin_session(), status="accepted")
    perf_tracer.instant("mark")
    perf_tracer.save(force=True)
    assert not list(tmp_path.rglob("traces-*")) and not list(tmp_path.rglob("sessions-*"))


class Hostile:
    def __str__(self):
        raise RuntimeError("str")

    @property
    def __class__(self):
        raise RuntimeError("class")


def test_odd_values_are_written_as_text_and_lose_no_line(files):
    circle = []
    circle.append(circle)
    odd = {"nan": math.nan, "inf": [math.inf], "half": "\ud800", "big": 10**5000, "wide": 2**200, 3: Hostile(), "bytes": b"\xff", "circle": circle}
    perf_tracer.configure(config(), rank=0)
    with perf_tracer.trace_scope(Hostile(), category=Hostile(), args=odd):
        perf_tracer.instant("\ud800", args=[1])
    perf_tracer.instant("many", args={str(n): "x" * 100_000 for n in range(1000)})
    session_id = begin_session("t\ud800")
    tell("increment_counter", session_id, name="\udfff", value=1)
    tell("mark_finalized", session_id, status="failed", reason=Hostile())
    perf_tracer.save(force=True)
    point, scope, many = (event for event in traces(files) if event["ph"] != "M")
    args = scope["args"]
    assert (args["nan"], args["inf"], args["half"], args["3"], args["rank"]) == ("nan", ["inf"], "?", "<Hostile>", 0)
    assert (args["big"], args["wide"]) == ("<int>", str(2**200))
    assert point["name"] == "?" and len(many["args"]) <= 130 and len(json.dumps(many)) < 600_000
    [row] = rows(files)
    assert (row["task_id"], row["status"], row["reason"], row["counters"]) == ("t?", "failed", "<Hostile>", {"?": 1})


def test_arguments_are_copied_when_they_are_given(files):
    perf_tracer.configure(config(), rank=0)
    args = {"list": [1]}
    perf_tracer.instant("mark", args=args)
    args["list"].append(2)
    args["late"] = True
    perf_tracer.save()
    assert traces(files)[-1]["args"] == {"list": [1], "rank": 0} and args == {"list": [1, 2], "late": True}


def test_many_events_are_written_before_save_and_none_is_lost(files, monkeypatch):
    monkeypatch.setattr(_perf_file, "_MOST_EVENTS", 100)
    tracer = PerfTracer(config(save_interval=1000), rank=0)
    for number in range(250):
        tracer.instant(str(number))
    assert len(tracer._file._events) < 100
    tracer.close()
    assert names(traces(files)) == [str(number) for number in range(250)]


def warnings(caplog, of="traces-r0.jsonl"):
    return [record.getMessage() for record in caplog.records if of in record.getMessage()]


def test_a_full_disk_is_one_warning_and_what_is_written_is_whole(files, caplog, monkeypatch):
    """The limit on the size of a file stands for the disk: it takes a part of a write, too."""
    tracer = PerfTracer(config(), rank=0)
    tracer.instant("fits")
    tracer.save()
    path = below(files, "perf_tracer", "traces-r0.jsonl")
    size = path.stat().st_size
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    monkeypatch.setattr(tracer, "_client", None)  # its spool is on the same disk
    file = tracer._file
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, limits[1]))
    try:
        for number in range(3):
            file.instant(f"waits {number}", "misc", None)
            file.save()
            assert not file.appender.wait(90)
            assert path.stat().st_size == size
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    [warning] = warnings(caplog)
    assert "File too large; its lines wait for the next write" in warning
    file.instant("there is room again", "misc", None)
    file.save()
    assert file.appender.wait(90)
    assert names(traces(files)) == ["fits", "waits 0", "waits 1", "waits 2", "there is room again"]
    file.appender.close(5)
    assert len(warnings(caplog)) == 1


def test_what_never_fits_is_bounded_and_counted(files, caplog, monkeypatch):
    monkeypatch.setattr(_appender, "_MOST_BYTES", 1000)
    files.write_text("not a folder")
    tracer = PerfTracer(config(), rank=0)
    for number in range(50):
        tracer.instant(str(number))
        tracer.save()
    appender = tracer._file.appender
    assert appender._size <= 1000 and appender.lost > 30
    tracer.close()
    first, last = warnings(caplog)
    assert "Not a directory" in first and f"{50 + 3} lines are lost" in last


def test_a_disk_that_hangs_delays_save_and_nothing_else(files, caplog, monkeypatch):
    monkeypatch.setattr(_appender, "_MOST_LINES", 100)
    hangs, goes_on = threading.Event(), threading.Event()

    def write(self, body, real=_appender.Appender._write):
        hangs.set()
        assert goes_on.wait(90)
        real(self, body)

    monkeypatch.setattr(_appender.Appender, "_write", write)
    tracer = PerfTracer(config(), rank=0)
    tracer._file.instant("first", "misc", None)
    tracer._file.save()
    assert hangs.wait(90)
    for number in range(150):
        tracer._file.instant(str(number), "misc", None)
        tracer._file.save()
    appender = tracer._file.appender
    assert appender._added - appender._taken <= 100 and appender.lost == 50
    assert "the disk is too slow; lines are lost" in warnings(caplog)[0]
    goes_on.set()
    tracer.close()
    assert names(traces(files)) == ["first", *map(str, range(100))]
    assert "50 lines are lost" in warnings(caplog)[1]


SCRIPT = """
import os, sys, threading
from rollscope.compat import areal as perf_tracer
config = perf_tracer.PerfTracerConfig("exp", "t1", "", enabled=True, save_interval=100, session_tracer=perf_tracer.SessionTracerConfig(enabled=True))
perf_tracer.configure(config, rank=0)
perf_tracer.instant("parent")
perf_tracer.trace_session_event("mark_finalized", session_id=perf_tracer.register_session(4), status="accepted")
perf_tracer.register_session(5)
perf_tracer.save(step=0)
"""
FORKS = """
import warnings
warnings.simplefilter("ignore")
child = os.fork()
if child == 0:
    perf_tracer.instant("child")
    perf_tracer.save()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


def run_script(script):
    subprocess.run([sys.executable, "-c", script], check=True, timeout=90)


def test_at_exit_everything_is_written(files):
    run_script(SCRIPT)
    assert names(traces(files)) == ["parent"]
    assert [(row["task_id"], row["status"]) for row in rows(files)] == [(4, "accepted"), (5, "pending")]


def test_at_sigterm_too(files):
    process = subprocess.Popen([sys.executable, "-c", SCRIPT + "print('ready', flush=True)\nthreading.Event().wait(90)\n"], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    process.terminate()
    assert process.wait(90) == -15
    process.stdout.close()
    assert names(traces(files)) == ["parent"] and [row["status"] for row in rows(files)] == ["accepted", "pending"]


def test_a_forked_child_writes_what_is_its_own(files):
    run_script(SCRIPT + FORKS)
    events = traces(files)
    assert sorted(names(events)) == ["child", "parent"]
    assert len({event["pid"] for event in events}) == 2 and len(rows(files)) == 2
