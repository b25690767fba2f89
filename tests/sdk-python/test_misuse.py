"""Nothing but init and the definition of a metric raises: a call that does not fit is one warning, and goes on."""
import inspect
import threading

import pytest

import rollscope
from rollscope import _misuse
from test_encoding import PROTOBUF, Memory, attributes


@pytest.fixture(autouse=True)
def forget_warnings():
    _misuse._warned.clear()


@pytest.fixture
def memory():
    return Memory(PROTOBUF)


@pytest.fixture
def rs(memory):
    with rollscope.Rollscope(run="r", transport=memory) as client:
        yield client


CALLS = [
    ("phase", "name", lambda rs: rs.phase("p", name="n", x=1).end(), {"name": "n", "x": 1}),
    ("phase", "name", lambda rs: rs.phase().end(), {}),
    ("phase", "name", lambda rs: rs.phase(n=1).end(), {"n": 1}),
    ("phase", "argument 3", lambda rs: rs.phase("p", {"n": 1}, 2, x=3).end(), {"n": 1, "x": 3}),
    ("phase", "attributes", lambda rs: rs.phase("p", attributes=5).end(), {"rollscope.unreadable": "<int>"}),
    ("phase", "attributes", lambda rs: rs.phase("p", 5, x=1).end(), {"rollscope.unreadable": "<int>", "x": 1}),
    ("child", "name", lambda rs: rs.session("s").phase("p", name="n").end(), {"name": "n"}),
    ("task", "id", lambda rs: rs.task("t", id="other").end(), {"rl.task.id": "t", "id": "other"}),
    ("task", "id", lambda rs: rs.task().end(), {"rl.task.id": "unknown"}),
    ("session", "id", lambda rs: rs.session("s", id="other", n=1).end(), {"rl.session.id": "s", "id": "other", "n": 1}),
    ("session", "argument 3", lambda rs: rs.session("s", {"n": 1}, "x").end(), {"rl.session.id": "s", "n": 1}),
    ("session", "attributes", lambda rs: rs.batch(1).session("s", 7).end(), {"rl.session.id": "s"}),
    ("batch", "train_step", lambda rs: rs.batch(1, train_step=2).end(), {"rl.train_step": 1, "train_step": 2}),
    ("batch", "argument 4", lambda rs: rs.batch(1, 2, 3, 4).end(), {"rl.train_step": 1, "rl.future_step": 3}),
    ("state", "name", lambda rs: rs.state(lane="l").end(), {"rl.state": "unknown", "rl.lane": "l"}),
    ("state", "name", lambda rs: rs.state("s", "l", name="n").end(), {"rl.state": "s", "name": "n"}),
    ("set", "argument 2", lambda rs: rs.phase("p").set({"n": 1}, 2, x=3).end(), {"n": 1, "x": 3}),
    ("set", "attributes", lambda rs: rs.phase("p").set(5).end(), {"rollscope.unreadable": "<int>"}),
    ("fail", "error", lambda rs: do(rs.phase("p"), "fail"), {"error.message": "unknown"}),
    ("event", "name", lambda rs: do(rs.phase("p"), "event", n=1), {}),
    ("add_event", "text", lambda rs: do(rs.phase("p"), "add_event", "e", text=1), {}),
    ("set_attribute", "value", lambda rs: do(rs.phase("p"), "set_attribute", "k"), {"k": "unknown"}),
    ("tokens", "total", lambda rs: do(rs.phase("p"), "tokens", input=1, total=2), {"gen_ai.usage.input_tokens": 1}),
    ("accepted", "argument 1", lambda rs: do(rs.session("s"), "accepted", "why"), {"rl.status": "accepted"}),
    ("rejected", "because", lambda rs: do(rs.session("s"), "rejected", "why", because=1), {"rl.reason": "why"}),
    ("count", "counter", lambda rs: do(rs.session("s"), "count"), {"rl.counter.unknown": 1}),
    ("end", "end_tme", lambda rs: rs.phase("p", n=1).end(end_tme=5), {"n": 1}),
    ("end", "argument 2", lambda rs: rs.phase("p", n=1).end(None, 5, 6), {"n": 1}),
    ("end", "self", lambda rs: rs.state("s", "l").end(self=5), {"rl.lane": "l"}),
    ("trace", "color", lambda rs: rs.trace("f", color="red")(lambda: 7)(), {"color": "red"}),
    ("phase", "attributes", lambda rs: rs.trace("f", attributes=5)(lambda: 7)(), {"rollscope.unreadable": "<int>"}),
]


#: Each is a call of a session with arguments that do not fit.
ON_A_SPAN = [
    lambda span: span.set(5, 6, self=7),
    lambda span: span.event(),
    lambda span: span.event("e", self=1),
    lambda span: span.fail(),
    lambda span: span.tokens(1, 2, 3, total=4),
    lambda span: span.update_name(),
    lambda span: span.update_name("a", "b", c=1),
    lambda span: span.set_status(),
    lambda span: span.set_status(1, 2, 3, why=4),
    lambda span: span.add_event(),
    lambda span: span.add_event("e", text=1),
    lambda span: span.add_link(),
    lambda span: span.add_link(1, 2, 3, to=4),
    lambda span: span.set_attribute("k"),
    lambda span: span.set_attribute(k=1),
    lambda span: span.set_attributes(),
    lambda span: span.set_attributes({}, 5, k=1),
    lambda span: span.record_exception(),
    lambda span: span.record_exception(ValueError(), message="m"),
    lambda span: span.accepted("why", because=1),
    lambda span: span.rejected("why", "because", self=1),
    lambda span: span.count(),
    lambda span: span.reward(),
    lambda span: span.child(self=1).end(),
    lambda span: span.phase(5, 6, 7, self=8).end(),
    lambda span: span.end(1, 2, end_tme=3),
]


def do(span, method, *args, **more):
    getattr(span, method)(*args, **more)
    span.end()


@pytest.mark.parametrize("call, argument, work, wanted", CALLS, ids=["%s-%s-%d" % (c[0], c[1], n) for n, c in enumerate(CALLS)])
def test_an_argument_that_does_not_fit_is_one_warning_with_its_name(rs, memory, caplog, call, argument, work, wanted):
    before = rs.stats()["misused"]
    for _ in range(3):
        work(rs)
    assert rs.close()
    [message] = caplog.messages
    assert message.startswith(f"rollscope: {call}: {argument}: ") and "(expected: " in message, message
    assert "test_misuse.py:" in message
    assert rs.stats()["misused"] == before + 3
    spans = memory.spans()
    assert len(spans) == 3 and all(wanted.items() <= attributes(span).items() for span in spans), [attributes(s) for s in spans]


OTHERS = [
    ("inject", "carrier", lambda rs: rs.inject(5), 5),
    ("inject", "headers", lambda rs: "traceparent" in rs.inject(headers={}), True),
    ("reward", "value", lambda rs: rs.session("s").reward(), None),
    ("reward", "value", lambda rs: rs.session("s").reward("high"), None),
    ("runtime_env", "mine", lambda rs: rs.runtime_env(5)["env_vars"]["ROLLSCOPE_RUN"], "r"),
    ("runtime_env", "mine", lambda rs: rs.runtime_env({"env_vars": 5})["env_vars"]["ROLLSCOPE_RUN"], "r"),
    ("environment", "argument 1", lambda rs: rs.environment("x")["ROLLSCOPE_RUN"], "r"),
    ("bind", "function", lambda rs: rs.bind(5)(1, 2, x=3), None),
    ("flush", "timeout_s", lambda rs: rs.flush("soon"), True),
    ("flush", "timeout_s", lambda rs: rs.flush(timeout_s=[]), True),
    ("close", "timeout_s", lambda rs: rs.close("soon"), True),
    ("dropped", "argument 1", lambda rs: rs.dropped(1)["spans"], 0),
    ("stats", "since", lambda rs: rs.stats(since=1)["spans"]["dropped"], 0),
    ("extract", "carrier", lambda rs: rs.extract(5).__class__.__name__, "Extracted"),
    ("add", "argument 3", lambda rs: rs.counter("c").add(1, {}, 7), None),
    ("set", "argument 3", lambda rs: rs.gauge("g").set(1, {}, 7), None),
    ("record", "value", lambda rs: rs.histogram("h").record(), None),
]


@pytest.mark.parametrize("call, argument, work, wanted", OTHERS, ids=["%s-%s-%d" % (c[0], c[1], n) for n, c in enumerate(OTHERS)])
def test_other_calls_warn_and_go_on(rs, caplog, call, argument, work, wanted):
    with rs.session("s"):
        assert work(rs) == wanted
    assert caplog.messages[0].startswith(f"rollscope: {call}: {argument}: ")


@pytest.mark.parametrize("misuse", ON_A_SPAN, ids=range(len(ON_A_SPAN)))
def test_a_span_that_is_off_takes_what_one_that_is_on_takes(rs, misuse):
    off = rollscope.Rollscope()
    for span in (rs.session("s"), off.session("s"), off.batch(1), off.task("t"), off.phase("p"), off.state("s"), rollscope.phase("p")):
        misuse(span)
    assert off.session("s").set(self=1).is_recording() is False


def test_the_end_of_a_span_that_is_off_is_the_same_warning(caplog):
    for _ in range(2):
        rollscope.Rollscope().session("s").end(None, 5, end_tme=6)
    said = [message.split(" at ")[0] for message in caplog.messages]
    assert said == [
        "rollscope: end: argument 2: 5 (expected: one time, in nanoseconds)",
        "rollscope: end: end_tme: 6 (expected: end_time)",
    ]


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), 1e300, "1", 0])
def test_any_number_of_seconds_will_do(rs, seconds):
    rs.phase("p").end()
    assert rs.flush(seconds) in (True, False)
    assert rs.close(seconds) in (True, False)


def test_names_that_python_uses_are_attributes(rs, memory):
    rs.phase("p", self=1, worker=None, attributes={"a": 2}).set(self=3).end()
    with rs.session(self=4) as session:
        session.event("e", self=5)
    rs.close()
    p, session = memory.spans()
    assert attributes(p) == {"rl.kind": "op", "self": 3, "a": 2}
    assert attributes(session)["self"] == 4 and attributes(session.events[0]) == {"self": 5}


def test_what_comes_after_the_end_is_one_warning(rs, memory, caplog):
    with rs.phase("p", a=1) as phase:
        pass
    for _ in range(3):
        phase.set(b=2)
        phase.event("e")
        phase.fail("no")
        phase.tokens(1, 2)
        phase.end()
    rs.close()
    assert attributes(memory.spans()[0]) == {"rl.kind": "op", "a": 1}
    assert [message.split(": ")[1] for message in caplog.messages] == ["set", "event", "fail", "tokens"]


def test_a_mistake_in_many_places_warns_a_bounded_number_of_times(rs, caplog):
    for n in range(5000):
        rs.inject(**{f"odd{n}": 1})
    assert 900 < len(caplog.messages) <= 1000 and len(_misuse._warned) <= 1000


def test_values_in_warnings_are_cut_and_cannot_steer_a_terminal(rs, caplog):
    rs.phase("p", attributes="\x1b[2J" + "x" * 10_000).end()
    [message] = caplog.messages
    assert "\x1b" not in message and len(message) < 400


def test_errors_of_the_training_are_never_taken_for_misuse(rs, memory):
    """A TypeError of the function that is traced, of a callback of ours, or in a block stays what it is."""

    @rs.trace
    def fails():
        raise TypeError("theirs")

    with pytest.raises(TypeError, match="theirs"):
        fails()
    with pytest.raises(TypeError, match="block"), rs.session("s"):
        raise TypeError("block")
    with pytest.raises(TypeError, match="bound"):
        rs.bind(raises)()
    with pytest.raises(TypeError):
        rs.trace("f")(lambda a: a)()
    rs.close()
    assert [attributes(s).get("error.type") for s in memory.spans()] == ["TypeError"] * 3


def raises():
    raise TypeError("bound")


def test_many_threads_that_misuse_at_once(rs, memory, caplog):
    def work():
        for _ in range(200):
            rs.phase("p", name=1).end()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rs.close()
    assert len(memory.spans()) == 1600 and 1 <= len(caplog.messages) <= 8


def test_signatures_stay_readable():
    assert list(inspect.signature(rollscope.session).parameters) == ["id", "attributes", "worker", "more"]
    assert list(inspect.signature(rollscope.Session.reward).parameters) == ["self", "value"]


@pytest.mark.parametrize("name", ["fase", "begin_session"])
def test_a_name_that_does_not_exist_is_an_error_of_python(name):
    """Libraries ask with hasattr what a span can do; see docs/decisions/0010-sdks.md."""
    assert not hasattr(rollscope, name) and not hasattr(rollscope.Span, name)
    with pytest.raises(AttributeError, match=name):
        getattr(rollscope.phase("p"), name)
