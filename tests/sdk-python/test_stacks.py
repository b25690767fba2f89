"""What is stuck says where (contracts.md 3.20): real threads, tasks and executors, a real server, beats as they come."""
import json
import os
import subprocess
import sys
import threading
import time

import pytest

import rollscope
from rollscope import Result, Rollscope
from rollscope._stacks import MAX_FRAMES, MAX_TEXT, MOST_A_MINUTE, Stacks
from server import PATIENCE, ROOT, Server, wait_until

HERE = os.path.dirname(os.path.realpath(__file__))
SDK = os.path.join(ROOT, "sdk", "python", "src")


class Stuck:
    """A process in which much is stuck, until it is left alone."""

    def __init__(self, program, server, run, **environment):
        self.server, self.run = server, run
        clean = {key: value for key, value in os.environ.items() if not key.startswith("ROLLSCOPE_")}
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, program), server.otlp, run],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**clean, "ROLLSCOPE_QUIET": "1", **environment, "PYTHONPATH": SDK},
        )
        assert self.process.stdout.readline() == "stuck\n"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        out, _ = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, out

    def spans(self, session):
        return [span for span in self.server.get(f"runs/{self.run}/sessions/{session}")["spans"] if span["kind"] != "session"]

    def stack(self, session):
        """Asks until it is there."""
        return self.server.wait_for(lambda: self.spans(session)[0]["stack"], lambda stack: stack is not None)


@pytest.fixture(scope="module")
def stuck(tmp_path_factory):
    """More are stuck than are asked for in a minute: the last comes with the next."""
    server = Server(tmp_path_factory.mktemp("stacks") / "data")
    with Stuck("stuck.py", server, "stuck") as one:
        yield one
    server.stop()


def functions(stack):
    return [frame.split(" ")[0].rpartition(".")[2] for frame in stack["frames"]]


def assert_follow(stack, *wanted):
    """These functions, in this order, with others between them."""
    rest = iter(functions(stack))
    assert all(name in rest for name in wanted), stack


def test_a_thread_in_a_socket_read(stuck):
    stack = stuck.stack("thread")
    assert_follow(stack, "readinto", "urlopen", "ask_tool", "call_tool")
    assert stack["summary"].startswith("waiting in urllib.urlopen → socket."), stack
    assert ", stuck.py:" in stack["summary"]
    assert time.time() - 3600 < stack["at_s"] <= time.time()


def test_no_argument_and_no_local_is_sent(stuck):
    stuck.stack("thread")
    assert "hunter2" not in json.dumps(stuck.server.get("runs/stuck/sessions/thread"))


def test_a_task_that_awaits_what_never_comes(stuck):
    stack = stuck.stack("task")
    assert_follow(stack, "ask_model", "middle", "solve")
    assert stack["summary"].startswith("in ask_model, stuck.py:"), stack


@pytest.mark.parametrize("session", ["to_thread", "executor"])
def test_work_that_a_task_gave_to_a_thread(stuck, session):
    stack = stuck.stack(session)
    assert_follow(stack, "wait", "judge_all", "judge")
    assert stack["summary"].startswith("waiting in threading."), stack


def test_tasks_that_a_task_waits_for(stuck):
    stack = stuck.stack("many")
    assert_follow(stack, "wait", "one_of_many", "wait_for", "many")


def test_a_generator(stuck):
    assert_follow(stuck.stack("generator"), "next_sample", "samples", "generator")


def test_a_pool_that_a_thread_waits_for(stuck):
    assert_follow(stuck.stack("pool"), "wait", "judge_all", "result", "submit")


def test_the_command_prints_the_line(stuck):
    summary = stuck.stack("thread")["summary"]
    printed = stuck.server.rollscope("session", stuck.server.url, "thread", "--run", stuck.run)
    assert any(line.startswith("tool  " + summary) and line.endswith(" ago") for line in printed.splitlines()), printed
    answer = json.loads(stuck.server.rollscope("session", stuck.server.url, "thread", "--run", stuck.run, "--format", "json"))
    assert [span["stack"]["summary"] for span in answer["spans"] if span["stack"]] == [summary]


def test_it_outlives_the_server(stuck):
    """The last of this file's shared process: the server comes back with what it knew."""
    before = stuck.stack("thread")
    stuck.server.stop()
    stuck.server.start()
    assert stuck.stack("thread") == before
    assert stuck.server.sql("select attributes['rollscope.stack.frames'] f from spans where session = 'thread' and name = 'tool'") == [
        {"f": "\n".join(before["frames"])}
    ]


HUNDRED = """
import sys, threading
import rollscope as rs
rs.init(sys.argv[2], url=sys.argv[1])
def hang():
    with rs.phase("tool"):
        threading.Event().wait()
with rs.session("all"):
    for _ in range(25):
        with rs.phase("tool"):
            pass
    for _ in range(100):
        threading.Thread(target=rs.bind(hang), daemon=True).start()
    print("stuck", flush=True)
    sys.stdin.read()
"""


def test_a_hundred_stuck_spans_are_answered_six_a_minute(tmp_path, server, run):
    program = tmp_path / "hundred.py"
    program.write_text(HUNDRED)

    def stacks():
        return [span["stack"] for span in one.spans("all") if span["stack"]]

    with Stuck(str(program), server, run) as one:
        server.wait_for(lambda: len(stacks()), MOST_A_MINUTE)
        wanted = "attributes['rollscope.stack.at'] is not null"
        server.wait_for(lambda: len(server.spans(run, wanted)), lambda count: count > MOST_A_MINUTE)
        times = sorted(int(span["attributes"]["rollscope.stack.at"]) for span in server.spans(run, wanted))
        assert times[MOST_A_MINUTE] - times[0] > 50e9, times


@pytest.mark.parametrize("off", [{"ROLLSCOPE_STACKS": "0"}])
def test_who_does_not_want_it_is_asked_in_vain(tmp_path, server, run, off):
    """A second process that does answer shows that the server has asked by then."""
    program = tmp_path / "hundred.py"
    program.write_text(HUNDRED)
    with Stuck(str(program), server, run, **off) as one, Stuck(str(program), server, run + "-on") as other:
        server.wait_for(lambda: any(span["stack"] for span in other.spans("all")), True)
        beats = server.wait_for(lambda: one.spans("all")[0]["duration_s"], lambda age: True)
        server.wait_for(lambda: one.spans("all")[-1]["duration_s"], lambda age: age > beats + 11)
        assert not any(span["stack"] for span in one.spans("all"))


class Asking:
    """A transport that asks for the stack of every open span, whenever something is sent."""

    content_type = "application/json"

    def __init__(self, ask):
        self.ask, self.stacks = ask, []

    def send(self, signal, body, timeout):
        for resource in json.loads(body).get("resourceLogs", ()):
            for scope in resource["scopeLogs"]:
                self.stacks += [record for record in scope["logRecords"] if record["eventName"] == "rollscope.stack"]
        return self.ask()

    def close(self):
        pass


def frames_of(record):
    (attribute,) = record["attributes"]
    assert attribute["key"] == "rollscope.stack.frames"
    return attribute["value"]["stringValue"].split("\n")


def in_a_thread(work):
    """Runs it until it waits; returns what lets it go on."""
    waits, goes_on = threading.Event(), threading.Event()

    def wait():
        waits.set()
        goes_on.wait(PATIENCE)

    thread = threading.Thread(target=work, args=(wait,), daemon=True)
    thread.start()
    assert waits.wait(PATIENCE)
    return lambda: (goes_on.set(), thread.join(PATIENCE))


def test_any_transport_may_ask_and_each_span_answers_once():
    client = None
    transport = Asking(lambda: Result("sent", want_stack=",".join("%016x" % span for span in list(client._recorder.open) if client._recorder)))
    client = Rollscope(run="r", transport=transport)
    with client.phase("tool") as span:
        wait_until(lambda: transport.stacks, "a stack")
        for _ in range(3):
            client.flush()
    client.close()
    assert [record["spanId"] for record in transport.stacks] == ["%016x" % span.span_id]
    assert [record["traceId"] for record in transport.stacks] == ["%032x" % span.trace_id]
    assert any("test_any_transport_may_ask" in frame for frame in frames_of(transport.stacks[0]))
    assert not any(os.path.dirname(rollscope.__file__) in frame for frame in frames_of(transport.stacks[0]))


@pytest.mark.parametrize("answer", ["", ",,,", "zz", "-1", "0x", "\0", "f" * 100_000, "1," * 100_000, "é"], ids=lambda answer: repr(answer[:4]))
def test_a_question_that_makes_no_sense_changes_nothing(answer, caplog):
    client = Rollscope(run="r", transport=Asking(lambda: Result("sent", want_stack=answer)))
    with client.phase("tool"):
        assert client.flush(PATIENCE)
        assert client.flush(PATIENCE)
    assert client.close(PATIENCE)
    assert client.dropped() == {"spans": 0, "starts": 0, "metrics": 0}
    assert caplog.records == []


def test_a_transport_from_before_asks_nothing():
    class Old:
        outcome, refused_items, message, retry_after_s = "sent", 0, "", None

    transport = Asking(Old)
    client = Rollscope(run="r", transport=transport)
    with client.phase("tool"):
        assert client.flush(PATIENCE)
    assert client.close(PATIENCE)
    assert client.dropped()["spans"] == 0 and transport.stacks == []


def test_it_can_be_switched_off():
    client = None
    transport = Asking(lambda: Result("sent", want_stack=",".join("%016x" % span for span in list(client._recorder.open) if client._recorder)))
    client = Rollscope(run="r", transport=transport, stacks=False)
    with client.phase("tool"):
        for _ in range(3):
            assert client.flush(PATIENCE)
    client.close()
    assert transport.stacks == []


@pytest.fixture
def client():
    with Rollscope(run="r", transport=Asking(lambda: Result("sent"))) as one:
        yield one


def records(client, span, stacks=None):
    return (stacks or Stacks()).records({span.span_id: span}, "%016x" % span.span_id)


def test_a_deep_stack_is_cut_to_the_innermost_frames(client):
    def deep(n, wait):
        if n:
            deep(n - 1, wait)
        else:
            wait()

    spans = []

    def work(wait):
        with client.phase("deep") as span:
            spans.append(span)
            deep(200, wait)

    go_on = in_a_thread(work)
    (record,) = records(client, spans[0])
    go_on()
    lines = record.attributes["rollscope.stack.frames"].split("\n")
    assert len(lines) == MAX_FRAMES and len("\n".join(lines)) <= MAX_TEXT
    assert lines[-1].split(" ")[0].endswith("deep")


def test_names_that_mean_harm_are_cleaned_and_cut(client):
    path = "/x/" + "d" * 5000 + "/\x1b[2J<b>\u202e.py"
    code = compile("def f(wait):\n    wait()\n", path, "exec")
    scope = {}
    exec(code, scope)
    spans = []

    def work(wait):
        with client.phase("harm") as span:
            spans.append(span)
            scope["f"](wait)

    go_on = in_a_thread(work)
    (record,) = records(client, spans[0])
    go_on()
    line = next(line for line in record.attributes["rollscope.stack.frames"].split("\n") if line.startswith("f "))
    assert line.endswith("/\ufffd[2J<b>\ufffd.py:2") and len(line) < 250


def test_six_a_minute(client):
    now = [0.0]
    stacks = Stacks(lambda: now[0])
    spans = [client.phase("tool") for _ in range(20)]
    open_spans = {span.span_id: span for span in spans}
    wanted = ",".join("%016x" % span.span_id for span in spans)
    assert len(stacks.records(open_spans, wanted)) == MOST_A_MINUTE
    now[0] = 59
    assert stacks.records(open_spans, wanted) == []
    now[0] = 61
    assert len(stacks.records(open_spans, wanted)) == MOST_A_MINUTE


def test_a_span_that_is_not_open_any_more_has_no_stack(client):
    with client.phase("tool") as span:
        pass
    assert Stacks().records({}, "%016x" % span.span_id) == []


def test_a_thread_that_ended_leaves_nothing_to_say(client):
    spans = []
    thread = threading.Thread(target=lambda: spans.append(client.phase("tool")))
    thread.start()
    thread.join()
    wait_until(lambda: spans[0].thread not in sys._current_frames(), "the thread to go")
    assert records(client, spans[0]) == []
