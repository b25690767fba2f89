"""Parents that are named, workers of single spans, and facts of sessions and calls."""
import copy
import multiprocessing
import pickle
import queue
import threading

import pytest

import rollscope
from test_encoding import PROTOBUF, Memory, attributes


@pytest.fixture
def memory():
    return Memory(PROTOBUF)


@pytest.fixture
def client(memory):
    with rollscope.Rollscope(run="r", transport=memory) as client:
        yield client


def by_name(memory):
    found = {span.name: span for span in memory.spans()}
    assert len(found) == len(memory.spans())
    return found


def test_a_batching_engine_thread_says_whose_work_it_does(server, rs, run):
    """An engine takes requests of many sessions from a queue; the context of none of them is its own."""
    requests = queue.Queue()

    def engine():
        with rs.phase("engine loop"):
            for session, turn in iter(requests.get, None):
                with session.phase("generate", worker="engine:1") as call:
                    with rs.phase("decode", turn=turn):
                        call.tokens(input=10 * turn, output=turn)

    thread = threading.Thread(target=engine)
    thread.start()
    with rs.batch(train_step=3) as batch:
        tasks = [batch.task(f"t{n}", "math") for n in range(2)]
        sessions = [task.session(f"s{n}") for n, task in enumerate(tasks)]
        for turn in (1, 2):
            for session in sessions:
                requests.put((session, turn))
        requests.put(None)
        thread.join()
        for each in (*sessions, *tasks):
            each.end()
        with batch.phase("update", worker="trainer"):
            pass
    assert rs.flush()
    rows = server.wait_for(lambda: server.spans(run, "name in ('generate', 'decode', 'update')"), lambda found: len(found) == 9)
    generated = [row for row in rows if row["name"] == "generate"]
    assert sorted(row["session"] for row in generated) == ["s0", "s0", "s1", "s1"]
    assert {(row["batch"], row["task"], row["worker_role"], int(row["worker_rank"])) for row in generated} == {
        ("train_step=3", "t0", "engine", 1),
        ("train_step=3", "t1", "engine", 1),
    }
    assert sorted(row["session"] for row in rows if row["name"] == "decode") == ["s0", "s0", "s1", "s1"]
    [update] = [row for row in rows if row["name"] == "update"]
    assert (update["kind"], update["batch"], update["session"], update["worker_role"]) == ("op", "train_step=3", None, "trainer")


def test_a_parent_that_is_named_wins_over_the_current_span(client, memory):
    with client.batch(train_step=1) as batch, batch.task("t") as task, task.session("named") as session, session.phase("outer") as outer:
        with client.batch(train_step=2), client.session("current"), client.phase("current phase"):
            batch.phase("of batch").end()
            task.phase("of task").end()
            session.phase("of session").end()
            session.child("child of session").end()
            outer.child("of phase").end()
            outer.child("with attributes", {"a": 1}, b=2).end()
    client.close()
    found = {span.name: span for span in memory.spans()}
    parents = {name: found[name].parent_span_id.hex() for name in found}
    ids = {span.span_id.hex(): attributes(span).get("rl.session.id") or span.name for span in memory.spans()}
    assert {name: ids[parents[name]] for name in ("of session", "child of session", "of phase", "outer")} == {
        "of session": "named",
        "child of session": "named",
        "of phase": "outer",
        "outer": "named",
    }
    for name, parent in (("of batch", batch), ("of task", task)):
        span = found[name]
        assert (span.trace_id.hex(), span.parent_span_id.hex()) == ("%032x" % parent.trace_id, "%016x" % parent.span_id)
        assert (attributes(span)["rl.kind"], attributes(span)["rl.train_step"]) == ("op", 1)
    assert attributes(found["of task"])["rl.task.id"] == "t"
    assert attributes(found["of phase"]) == {} and attributes(found["with attributes"]) == {"a": 1, "b": 2}


def test_children_of_a_state_and_of_an_opentelemetry_span(client, memory):
    with client.state("rollout", lane="l") as state:
        state.child("of state").end()
    tracer = client.tracer_provider.get_tracer("t")
    with client.session("s"):
        theirs = tracer.start_span("theirs")
    theirs.child("of theirs").end()
    theirs.end()
    client.close()
    found = by_name(memory)
    assert attributes(found["of state"]) == {"rl.kind": "op"}
    assert found["of theirs"].parent_span_id == found["theirs"].span_id and attributes(found["of theirs"]) == {}


def test_a_parent_that_has_ended_still_takes_children(client, memory):
    with client.batch(train_step=1) as batch, client.session("s") as session, client.phase("p") as phase:
        pass
    late = [phase.child("below p"), session.phase("below s"), batch.phase("below batch"), batch.session("other")]
    for span in late:
        span.end()
    client.close()
    found = {span.name: span for span in memory.spans()}
    assert found["below p"].parent_span_id == found["p"].span_id
    assert found["below s"].trace_id == found["p"].trace_id
    assert attributes(found["below batch"]) == {"rl.kind": "op", "rl.train_step": 1}


def test_a_phase_begins_at_the_call_and_ends_in_any_thread(client, memory):
    phase = client.phase("long")
    start = phase.start_ns
    thread = threading.Thread(target=phase.end)
    thread.start()
    thread.join()
    with phase:
        pass
    client.close()
    [span] = memory.spans()
    assert (span.start_time_unix_nano, span.end_time_unix_nano) == (start, phase.end_ns) and phase.end_ns >= start


def test_after_close_and_a_new_begin_a_parent_of_before_does_no_harm(memory):
    client = rollscope.Rollscope(run="r", transport=memory)
    batch = client.batch(train_step=1)
    session = batch.session("s")
    client.close()
    assert batch.phase("p") is batch.session() is session.phase("q").child("r") is session.child("s").task("t")
    session.phase("p").end()
    assert [span.name for span in memory.spans()] == []


def in_a_fork(client, session, answers):
    with session.phase("in the child"):
        pass
    client.flush()
    answers.put([span.name for span in client._transport.spans()])


def test_a_forked_child_goes_on_below_the_parents_spans(client):
    session = client.session("s")
    fork = multiprocessing.get_context("fork")
    answers = fork.SimpleQueue()
    process = fork.Process(target=in_a_fork, args=(client, session, answers))
    process.start()
    assert answers.get() == ["in the child"]
    process.join()


def test_a_span_that_was_pickled_takes_children_and_verdicts_where_it_arrives(memory):
    """Ray pickles what a remote function is called with."""
    rollscope.init(run="r", transport=memory, quiet=True)
    try:
        with rollscope.batch(train_step=1) as batch, batch.task("t") as task, task.session("s") as session, session.phase("p") as phase, rollscope.state("st") as state:
            sent = [pickle.loads(pickle.dumps(each)) for each in (batch, task, session, phase, state)]
            copied = copy.deepcopy({"batch": batch})["batch"]
        for each, name in zip(sent, ("b", "t", "s", "p", "st")):
            each.child("below " + name, worker="w:1").end()
            each.set(a=1).end()
        copied.session("of the copy").end()
        sent[2].rejected("elsewhere")
        sent[2].reward(0.25)
    finally:
        rollscope.close()
    found = {span.name: span for span in memory.spans() if span.name.startswith("below")}
    parents = [batch, task, session, phase, state]
    assert [(s.trace_id.hex(), s.parent_span_id.hex()) for s in found.values()] == [("%032x" % p.trace_id, "%016x" % p.span_id) for p in parents]
    assert len(memory.spans()) == 5 + 5 + 1
    last = [record for record in memory.logs() if record.event_name == "rollscope.session.final"][-1]
    assert attributes(last) == {"rl.status": "rejected", "rl.reason": "elsewhere", "rl.reward": 0.25}
    assert last.span_id.hex() == "%016x" % session.span_id
    assert pickle.loads(pickle.dumps(session)).phase("off").is_recording() is False


def test_when_nothing_is_recorded_parents_do_nothing():
    off = rollscope.Rollscope()
    span = off.batch(1).task("t").session("s", worker="e:1").phase("p", worker="e").child("c").phase()
    span.tokens(1, 2)
    span.reward(0.5)
    span.count("turns")
    assert span is off.phase("p") and off.stats()["spans"] == {"recorded": 0, "sent": 0, "dropped": 0, "queued": 0, "open": 0}


WORKERS = [("engine:1", {"rl.worker.role": "engine", "rl.worker.rank": 1}), ("engine", {"rl.worker.role": "engine"}), ("a:b:07", {"rl.worker.role": "a:b", "rl.worker.rank": 7})]
NO_WORKERS = [("engine", 1), 7, "", ":1", "engine:", "engine:x", "engine:-1", "engine:1.5", "e" * 300, "engine:" + "9" * 30, b"engine", ["e"], object()]


@pytest.mark.parametrize("given, wanted", WORKERS)
def test_a_span_says_which_worker_did_it(client, memory, given, wanted):
    with client.session("s", worker=given) as session:
        session.phase("a", worker=given).end()
        client.phase("b", {"n": 1}, worker=given, m=2).end()
        client.phase("c", {"rl.worker.role": "said"}, worker=given).child("d", worker=given).end()
    client.state("e", lane="l", worker=given).end()
    client.trace("f", worker=given)(lambda: None)()
    client.batch(1).session("other", worker=given).end()
    client.close()
    for span in memory.spans():
        found = attributes(span)
        assert wanted.items() <= found.items(), span.name
    assert len(memory.spans()) == 7


@pytest.mark.parametrize("given", NO_WORKERS, ids=lambda given: str(given)[:20])
def test_a_worker_that_is_none_is_one_warning(client, memory, caplog, given):
    forget_warnings()
    for _ in range(3):
        client.phase("p", worker=given).end()
    client.close()
    [message] = caplog.messages
    assert message.startswith("rollscope: phase: worker: ") and "expected: role or role:rank" in message and "test_parents.py" in message
    assert [attributes(span) for span in memory.spans()] == [{"rl.kind": "op"}] * 3


def forget_warnings():
    from rollscope import _misuse

    _misuse._warned.clear()


def finals(memory):
    return [attributes(record) for record in memory.logs() if record.event_name == "rollscope.session.final"]


def test_reward_tokens_and_counts_of_a_session(client, memory):
    with client.session("s") as session:
        session.reward(0.5)
        session.reward(1)
        session.tokens(input=412, output=88)
        session.count("turns")
        session.count("turns", 2)
        with session.phase("generate") as call:
            call.tokens(output=9)
    client.close()
    found = by_name(memory)
    facts = attributes(found["session"])
    assert facts["rl.reward"] == 1.0 and type(facts["rl.reward"]) is float
    assert (facts["gen_ai.usage.input_tokens"], facts["gen_ai.usage.output_tokens"], facts["rl.counter.turns"]) == (412, 88, 3)
    assert attributes(found["generate"]) == {"gen_ai.usage.output_tokens": 9}
    assert finals(memory) == []


def test_late_facts_travel_like_late_verdicts_and_each_record_repeats_them_all(client, memory):
    with client.session("s") as session:
        session.rejected("first")
    session.reward(0.7)
    session.tokens(input=5)
    session.accepted()
    client.close()
    reward, tokens, verdict = finals(memory)
    assert reward == {"rl.reward": 0.7}
    assert tokens == {**reward, "gen_ai.usage.input_tokens": 5}
    assert verdict == {"rl.status": "accepted", "rl.reward": 0.7, "gen_ai.usage.input_tokens": 5}


def test_a_count_after_the_end_is_left_out_with_a_warning(client, memory, caplog):
    forget_warnings()
    with client.session("s") as session:
        session.count("turns", 2)
    session.count("turns")
    client.close()
    assert attributes(memory.spans()[-1])["rl.counter.turns"] == 2 and finals(memory) == []
    assert [message.split(" at ")[0] for message in caplog.messages] == ["rollscope: count: span: session has ended (expected: one that is open)"]


def test_a_server_keeps_the_verdict_when_a_reward_follows(server, rs, run):
    with rs.session("s1") as session:
        session.accepted()
    assert rs.flush()
    session.rejected("stale")
    session.reward(0.7)
    assert rs.flush() and rs.stats()["verdicts"] == {"recorded": 2, "sent": 2, "dropped": 0, "queued": 0}
    question = f"select status, reason from sessions where run = '{run}'"
    server.wait_for(lambda: server.sql(question), [{"status": "rejected", "reason": "stale"}])


def test_facts_that_are_no_numbers_are_left_out(client, memory, caplog):
    forget_warnings()
    with client.session("s") as session:
        session.reward("high")
        session.reward(None)
        session.tokens(input="many", output=[1])
        session.phase("p").tokens(input={})
    session.reward(object())
    client.close()
    assert not {"rl.reward", "gen_ai.usage.input_tokens"} & attributes(memory.spans()[-1]).keys() and finals(memory) == []
    assert [message.split(": ")[1:3] for message in caplog.messages] == [["reward", "value"], ["tokens", "input_tokens"], ["tokens", "output_tokens"]]


def test_numbers_of_numpy_are_numbers(client, memory):
    numpy = pytest.importorskip("numpy")
    with client.session("s") as session:
        session.reward(numpy.float32(0.5))
        session.tokens(numpy.int64(3), numpy.int32(4))
    client.close()
    found = attributes(memory.spans()[0])
    assert (found["rl.reward"], found["gen_ai.usage.input_tokens"], found["gen_ai.usage.output_tokens"]) == (0.5, 3, 4)


def test_facts_have_room_however_much_was_said_before(client, memory):
    with client.session("s", {f"k{n}": n for n in range(500)}) as session:
        session.reward(0.5)
        session.tokens(1, 2)
    client.close()
    found = attributes(memory.spans()[0])
    assert (found["rl.reward"], found["gen_ai.usage.input_tokens"], found["gen_ai.usage.output_tokens"]) == (0.5, 1, 2)
