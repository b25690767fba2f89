"""XTuner's main branch by rollscope.compat.xtuner: spans named and not of a sample, its rollout calls, its configuration."""
import asyncio
import copy
import inspect
import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pydantic
import pytest
from hostile import raised_by
from test_compat_hostile import IDS, VALUES
from xtuner_parts import Status, arrived, sample, sessions, traced, unsaid  # noqa: F401

from rollscope.compat import xtuner
from rollscope.compat.xtuner import TraceConfig, close_trace, configure_trace, rollout_api, trace_function, trace_span

PATH = "xtuner.span_name_path"


def state(rollout_id=2**127 + 1, **more):
    """A sample of main, which has 1891's `uid` as well."""
    facts = {"group_id": 5, "session_id": 9, "task_name": "gsm8k", "status": Status.INIT, "prompt_ids": [1, 2, 3], "extra_fields": {"producer_future_step": 4}}
    done = {"response_ids": None, "finish_reason": None, "error_msg": None, "reward": None}
    return SimpleNamespace(rollout_id=rollout_id, uid=rollout_id, **{**facts, **done, **more})


def path(span):
    return json.loads(span["attributes"][PATH])


# ── trace_function ──


@trace_function
def bare(x):
    return x


@trace_function()
def empty(x):
    return x


@trace_function("phase.load")
def named(x):
    return x


@trace_function("phase.more", {"phase.count": 3, "xtuner.stage": "load"})
def with_attributes(x):
    return x


@trace_function(name="phase.words", attributes={"phase.count": 4})
async def by_name(x):
    return x


class Loader:
    @trace_function
    async def load(self, x):
        return x

    @trace_function()
    @staticmethod
    def fixed(x):
        return x

    @trace_function
    @classmethod
    def of_class(cls, x):
        return cls, x


def test_every_form_of_the_decorator_is_a_span_of_the_function(server, run, traced):
    assert [bare(1), empty(2), named(3), with_attributes(4), asyncio.run(by_name(5))] == [1, 2, 3, 4, 5]
    assert [asyncio.run(Loader().load(6)), Loader.fixed(7), Loader.of_class(8)] == [6, 7, (Loader, 8)]
    spans = arrived(server, run, 8)
    module = __name__
    own = [f"{module}.bare", f"{module}.empty", "phase.load", "phase.more", "phase.words", f"{module}.Loader.load", f"{module}.Loader.fixed", f"{module}.Loader.of_class"]
    assert [span["name"] for span in spans] == own
    assert {(span["kind"], span["session"], span["outcome"]) for span in spans} == {("op", None, "ok")}
    assert [path(span) for span in spans] == [[name] for name in own]
    assert [span["attributes"].get("phase.count") for span in spans[3:5]] == ["3", "4"] and spans[3]["stage"] == "load"
    assert sessions(server, run) == []


def test_a_function_that_takes_a_function_is_called_and_one_that_names_spans_is_asked(server, run, traced):
    """`@trace_function` without parentheses, and 1891's `trace_function(name_getter)`, are told apart by whether the function has a name already."""

    @trace_function
    def apply(callback):
        return callback(20)

    def name_of(callback):
        return "named.%s" % callback.__name__

    @trace_function(name_of)
    def asked(callback):
        return callback(30)

    assert apply(lambda n: n + 1) == 21 and asked(lambda n: n + 2) == 32
    assert trace_function(lambda *args: "lambda's")(lambda n: n)(4) == 4
    names = [span["name"] for span in arrived(server, run, 3)]
    assert names == [f"{__name__}.test_a_function_that_takes_a_function_is_called_and_one_that_names_spans_is_asked.<locals>.apply", "named.<lambda>", "lambda's"]


def test_a_wrapped_function_that_has_a_name_is_called_like_it(server, run, traced):
    """`load = trace_function(load)`, as code that patches does."""

    def load(where):
        return where * 2

    wrapped = trace_function(load)
    assert wrapped("ab") == "abab" and wrapped(where=3) == 6
    assert len(arrived(server, run, 2)) == 2


def test_they_nest_raise_and_are_cancelled_as_spans_do(server, run, traced):
    @trace_function("outer")
    async def outer():
        with trace_span("middle"):
            await inner()

    @trace_function("inner")
    async def inner():
        await asyncio.sleep(3600)

    @trace_function("raises")
    def raises():
        raise RuntimeError("boom")

    async def cancel():
        task = asyncio.create_task(outer())
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    with pytest.raises(RuntimeError):
        raises()
    first, second, third, error = arrived(server, run, 4)
    assert [path(span) for span in (first, second, third)] == [["outer"], ["outer", "middle"], ["outer", "middle", "inner"]]
    assert (second["parent_id"], third["parent_id"]) == (first["span_id"], second["span_id"])
    assert [span["outcome"] for span in (first, second, third)] == ["cancelled"] * 3
    assert (error["outcome"], error["error_type"], error["error_message"], error["attributes"]["error"], path(error)) == ("error", "RuntimeError", "boom", "true", ["raises"])


def test_in_1891s_words_a_call_without_samples_is_work_of_the_process(server, run, traced):
    """A sampler whose dataset is empty, and one that fails; with samples there are the spans of these and no other."""

    @trace_function("xtuner.producer.sample_group", trace_kwargs_getter=lambda count: {"train_step": 3})
    def sampler(count):
        if count < 0:
            raise ValueError("no data")
        return [sample(uid) for uid in range(count)]

    assert (sampler(0), len(sampler(2))) == ([], 2)
    with pytest.raises(ValueError):
        sampler(-1)
    spans = arrived(server, run, 4)
    found = [(span["kind"], span["session"], span["train_step"], span["outcome"]) for span in spans]
    assert found == [("op", None, 3, "ok"), ("phase", "gsm8k:0", 3, "ok"), ("phase", "gsm8k:1", 3, "ok"), ("op", None, 3, "error")]


def test_a_sample_of_main_stays_in_the_session_around_it(server, run, traced):
    """It has 1891's fields too, and must not become a second session."""

    @trace_function("phase.load")
    def load(rollout_state):
        return rollout_state

    with trace_span("run", attributes={"xtuner.rollout_id": 7}):
        load(state(7))
    spans = arrived(server, run, 2)
    assert [(span["name"], span["session"]) for span in spans] == [("run", "7"), ("phase.load", "7")]


def test_generators_of_mains_form_live_as_long_as_they_are_read(server, run, traced):
    @trace_function("stream", {"n": 1})
    def stream():
        yield 1
        yield 2

    assert list(stream()) == [1, 2]
    [span] = arrived(server, run, 1)
    assert (span["name"], span["kind"], span["attributes"]["n"], path(span)) == ("stream", "op", "1", ["stream"])


# ── spans in other processes ──

CHILD = """
import json, sys
from rollscope.compat.xtuner import close_trace, trace_function, trace_span
@trace_function("grandchild")
def work():
    pass
with trace_span(name="child", parent_carrier=json.loads(sys.argv[1])):
    work()
close_trace()
"""


def test_what_continues_an_op_elsewhere_is_no_session(server, run, traced):
    """S1 of the review: it was a session named after the trace, queued for ever."""
    with trace_span("driver"):
        with trace_span("call"):
            carrier = xtuner.inject_trace_context({"mine": "1"})
            subprocess.run([sys.executable, "-c", CHILD, json.dumps(carrier)], check=True, env={**os.environ, **xtuner.get_trace_env_vars()})
    assert carrier["mine"] == "1"
    driver, call, child, grandchild = arrived(server, run, 4)
    assert child["trace_id"] == driver["trace_id"] and child["parent_id"] == call["span_id"] and child["pid"] != call["pid"]
    assert [path(span) for span in (call, child, grandchild)] == [["driver", "call"], ["driver", "call", "child"], ["driver", "call", "child", "grandchild"]]
    assert sessions(server, run) == [] and server.live(run)["rows"] == []
    stages = server.get(f"runs/{run}/hotspots", scope="all")["stage_stats"]
    assert {stage["stage"]: stage["kind"] for stage in stages} == dict.fromkeys(("driver", "call", "child", "grandchild"), "op")


@pytest.mark.parametrize("baggage", ["", "xtuner.span_name_path=", "xtuner.span_name_path=%7B%7D", "xtuner.span_name_path=" + "%5B" * 2000, "xtuner.span_name_path=%5B1,null%5D"], ids=range(5))
def test_a_path_that_cannot_be_read_is_left_out(server, run, traced, baggage):
    with trace_span("driver"):
        carrier = {**xtuner.inject_trace_context(), "baggage": baggage}
    with trace_span("child", parent_carrier=carrier):
        pass
    driver, child = arrived(server, run, 2)
    assert path(child) == ["child"] and child["parent_id"] == driver["span_id"]


def test_a_path_is_bounded(server, run, traced):
    """Recursion: thousands of spans in each other."""

    @trace_function("long.name.of.a.span" * 4)
    def down(n):
        return xtuner.inject_trace_context() if n == 0 else down(n - 1)

    carrier = down(200)
    assert len(carrier["baggage"]) < 8192
    spans = arrived(server, run, 201)
    assert {len(path(span)) for span in spans} == set(range(1, 65))


# ── calls by name, and what is not known ──


def test_calls_by_name_and_what_nobody_knows(server, run, traced, caplog):
    with trace_span(name="read", attributes={"k": 1}, colour="red"):
        xtuner.trace_event(name="miss", attributes={"key": "a"})
        xtuner.set_trace_attributes(None)
        xtuner.set_trace_attributes(5)
    with trace_span(target=sample(1), name="work"):
        pass
    with trace_span("", attributes=5):
        pass
    assert trace_function(5)(lambda: 1)() == 1
    assert not xtuner.trace_magic("x") and xtuner.get_tracer().magic(1).more is not None
    read, work, unknown, own = arrived(server, run, 4)
    assert (read["name"], read["attributes"]["k"], [e["name"] for e in json.loads(read["attributes"]["otel.events"])]) == ("read", "1", ["miss"])
    assert (work["session"], unknown["name"]) == ("gsm8k:1", "unknown") and own["name"].endswith("<lambda>")
    said = [record.getMessage() for record in caplog.records]
    for part in ("trace_span(colour=…): no such argument", "attributes of set_trace_attributes: 5", "attributes of trace_span: 5", "trace_function: name: 5", "xtuner.trace_magic", "TraceRuntime.magic"):
        assert len([line for line in said if part in line]) == 1, (part, said)
    assert len(said) == 6


@pytest.mark.parametrize("call", ["configure_trace", "flush_trace", "get_trace_env_vars", "merge_trace_runtime_env", "set_trace_attributes", "inject_trace_context", "trace_event", "trace_span"])
def test_a_call_with_too_much_is_one_warning_and_a_nothing_of_its_shape(tmp_path, caplog, call):
    for _ in range(2):
        with getattr(xtuner, call)(*range(7)) or xtuner.trace_nothing:
            pass
    said = [record.getMessage() for record in caplog.records if call in record.getMessage()]
    assert len(said) == 1 and "it does nothing" in said[0]
    assert trace_function("a", {}, 5)(len) is len and rollout_api.trace_rollout_endpoint()(len) is len
    assert not xtuner.TraceRuntime(config=TraceConfig(), recorder=None, store=None).enabled
    handle = xtuner.start_trace_viewer(5)
    assert handle.url == "none" and not handle.close()


CALLS = {f"{module.__name__.rpartition('.')[2]}.{name}": getattr(module, name) for module in (xtuner, xtuner.api, xtuner.runtime, rollout_api) for name in module.__all__ if inspect.isfunction(getattr(module, name))}
#: These take any arguments: a decorated call, and the caller's own.
ANY = ("build_trace_event", "trace_event", "trace_function", "trace_rollout_remote", "trace_span")


@pytest.mark.parametrize("call", [call for name, call in CALLS.items() if name.rpartition(".")[2] not in ANY], ids=lambda call: call.__qualname__)
def test_no_call_raises_because_of_its_arguments(tmp_path, caplog, call):
    """Neither of too many, nor of one that it does not know."""
    required = [p for p in inspect.signature(call).parameters.values() if p.default is p.empty]
    given = [{} if p.name == "actor_options" else None for p in required]
    for _ in range(2):
        call(*range(7))
        call(*given, no_such=1)
    said = [record.getMessage() for record in caplog.records]
    assert [line for line in said if "no_such" in line] == [f"rollscope: {call.__qualname__}(no_such=…): no such argument; left out"]
    assert len([line for line in said if "it does nothing" in line]) == 1
    close_trace()


def test_recorders_take_what_they_do_not_know(traced, caplog):
    recorder = xtuner.get_tracer()
    for each in (recorder, xtuner.NoopTraceRecorder()):
        assert each.record() is None and each.record(1, 2, 3) is None
        assert not each.record_many() and not asyncio.run(each.mark()) and not asyncio.run(each.mark_many(1, 2, 3))
    said = [record.getMessage().partition(": ")[2].partition(":")[0] for record in caplog.records]
    assert said == ["TraceRuntime.record", *(f"NoopTraceRecorder.{name}" for name in ("record_many", "mark", "mark_many", "record"))]


def test_options_of_an_actor_that_are_none_stay_as_they_are(traced, caplog):
    assert xtuner.merge_trace_runtime_env(5) == 5
    assert [record.getMessage() for record in caplog.records] == ["rollscope: actor_options of merge_trace_runtime_env: 5 (expected: a dictionary); left as it is"]


def test_the_context_of_a_sample_is_attached_to_nothing_by_a_call_that_does_not_fit(caplog):
    with rollout_api.attach_rollout_trace_carrier(), xtuner.use_trace_recorder():
        assert rollout_api.trace_rollout_remote() is xtuner.trace_nothing
    assert [record.getMessage().split(": ")[1] for record in caplog.records] == [
        "attach_rollout_trace_carrier",
        "use_trace_recorder",
        "trace_rollout_remote",
        "rollscope.compat.xtuner.trace_nothing",
    ]


def test_an_error_of_the_remote_call_stays_one():
    with pytest.raises(TypeError, match="theirs"):
        rollout_api.trace_rollout_remote(SimpleNamespace(remote=raises))


def raises():
    raise TypeError("theirs")


@pytest.mark.parametrize("bad, mapping, error", [value[1:] for value in VALUES], ids=IDS)
def test_nothing_hurts_mains_calls(traced, bad, mapping, error):
    """Whatever is given as a name, as attributes, as a carrier or as a sample."""
    os.environ["XTUNER_TRACE_ENABLE_ROLLOUT"] = "1"
    endpoint = rollout_api.trace_rollout_endpoint("e", initial_attributes=lambda owner, target: mapping)
    broken = SimpleNamespace(**{**dict.fromkeys(vars(state()), bad), "extra_fields": dict.fromkeys((rollout_api.TRACE_CARRIER_EXTRA_FIELD, rollout_api.TRACE_CALL_CHAIN_EXTRA_FIELD, "task_name"), bad)})

    def use():
        for attributes in (mapping, bad, {"k": bad, "xtuner.rollout_id": bad, PATH: bad}):
            with trace_span("s", attributes=attributes, parent_carrier=mapping), trace_span("t", attributes, parent_carrier=bad):
                pass
            assert trace_function("f", attributes)(lambda *a: 7)(bad) == 7
        for target in (broken, bad, [bad], mapping):
            assert endpoint(lambda rollout_state: 7)(target) == 7
            assert rollout_api.trace_rollout_endpoint(bad)(lambda rollout_state: 7)(target) == 7
            assert rollout_api.trace_rollout_remote(SimpleNamespace(remote=lambda *a: 7), target) == 7
        with pytest.raises(type(error)):
            trace_function("raises")(lambda: (_ for _ in ()).throw(error))()
        xtuner.inject_trace_context(mapping)

    assert raised_by(use) is None


# ── rollout_api ──


@pytest.fixture
def rollouts(traced):
    close_trace()
    yield configure_trace(TraceConfig(enabled=True, service_name="agent", enable_rollout_trace=True))


class Remote:
    """A method of an actor: what it is called with is a copy of what was given."""

    def __init__(self, function):
        self._function = function
        self.carriers = []

    def remote(self, *args, **kwargs):
        args, kwargs = copy.deepcopy((args, kwargs))
        self.carriers += [each.extra_fields.get(rollout_api.TRACE_CARRIER_EXTRA_FIELD) for each in (*args, *kwargs.values())]
        return self._function(*args, **kwargs)


@rollout_api.trace_rollout_endpoint("rollout.worker.generate")
async def generate(rollout_state):
    with trace_span("engine.request"):
        pass
    rollout_state.response_ids, rollout_state.finish_reason, rollout_state.status = [1, 2], "stop", Status.COMPLETED
    return rollout_state


@rollout_api.trace_rollout_endpoint("judger.run")
async def judge(rollout_state):
    rollout_state.reward = {"score": 0.5, "pass": True}
    return rollout_state


class Loop:
    def __init__(self, fails=False):
        self.worker = Remote(generate)
        self.fails = fails

    @rollout_api.trace_rollout_endpoint("single_turn_agent_loop.run")
    async def run(self, rollout_state):
        rollout_state = await rollout_api.trace_rollout_remote(self.worker, rollout_state=rollout_state)
        if self.fails:
            raise RuntimeError("boom")
        return await judge(rollout_state)


def test_a_sample_is_one_session_wherever_it_is_worked_on(server, run, rollouts):
    given, loop = state(), Loop()
    done = asyncio.run(loop.run(given))
    chain = ["single_turn_agent_loop.run", "rollout.worker.generate", "judger.run"]
    assert given.extra_fields == done.extra_fields == {"producer_future_step": 4}
    assert [sorted(carrier) for carrier in loop.worker.carriers] == [["baggage", "traceparent"]]
    agent, worker, engine, judger = arrived(server, run, 4)
    assert [span["name"] for span in (agent, worker, judger)] == chain
    assert {span["session"] for span in (agent, worker, engine, judger)} == {str(2**127 + 1)}
    assert [path(agent), path(worker), path(judger)] == [chain[:1], chain[:2], chain]
    assert (worker["parent_id"], engine["parent_id"], judger["parent_id"]) == (agent["span_id"], worker["span_id"], agent["span_id"])
    assert (agent["task"], agent["task_name"], agent["train_step"], agent["stage"]) == ("5", "gsm8k", 4, "single_turn_agent_loop.run")
    facts = {"prompt.tokens": "3", "completion.tokens": "2", "finish_reason": "stop", "reward.score": "0.5", "reward.pass": "true", "service.name": "agent", "xtuner.session_id": "9"}
    assert {key: agent["attributes"].get(key) for key in facts} == facts
    [session] = sessions(server, run)
    assert (session["session"], session["status"], session["source_status"], session["task"]) == (str(2**127 + 1), "completed", "completed", "5")


def test_a_rollout_that_fails_leaves_the_sample_as_it_was(server, run, rollouts):
    given = state(3)
    with pytest.raises(RuntimeError):
        asyncio.run(Loop(fails=True).run(given))
    assert given.extra_fields == {"producer_future_step": 4}
    agent = arrived(server, run, 3)[0]
    assert (agent["outcome"], agent["error_message"]) == ("error", "boom")
    assert [(s["status"], s["reason"]) for s in sessions(server, run)] == [("failed", "RuntimeError: boom")]


def test_a_list_or_no_sample_is_work_of_the_process(server, run, rollouts, caplog):
    """Batch judging, which XTuner leaves out."""

    @rollout_api.trace_rollout_endpoint("judger.batch")
    async def batch(rollout_state):
        return len(rollout_state)

    @rollout_api.trace_rollout_endpoint("other", target_arg="who", initial_attributes=lambda owner, who: 1 / 0)
    def other(who):
        return who

    assert asyncio.run(batch([state(1), state(2)])) == 2
    assert other(5) == 5 and other(state(8)).rollout_id == 8
    with pytest.raises(TypeError, match="who"):
        other()
    assert rollout_api.trace_rollout_remote(SimpleNamespace(remote=lambda *args: args), state(1), state(2))[0].rollout_id == 1
    spans = arrived(server, run, 3)
    assert [(span["name"], span["kind"], span["session"]) for span in spans] == [("judger.batch", "op", None), ("other", "op", None), ("other", "phase", "8")]
    said = [record.getMessage() for record in caplog.records]
    assert [part in line for part, line in zip(("int (expected: a sample)", "ZeroDivisionError", "2 samples among the arguments"), said)] == [True] * 3 and len(said) == 3


def test_without_the_switch_rollouts_are_not_traced(server, run, traced):
    """`enable_rollout_trace` is off unless it is said; the rest is traced."""
    given = state(1)
    assert not rollout_api.is_rollout_trace_enabled()
    asyncio.run(Loop().run(given))
    assert [span["name"] for span in arrived(server, run, 1)] == ["engine.request"]


def test_children_are_told_by_their_environment(rollouts):
    variables = xtuner.get_trace_env_vars()
    assert (variables["XTUNER_TRACE_ENABLE_ROLLOUT"], variables["OTEL_SERVICE_NAME"], variables["XTUNER_TRACE_ENABLED"]) == ("1", "agent", "1")
    code = "from rollscope.compat.xtuner import rollout_api; print(rollout_api.is_rollout_trace_enabled())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **variables})
    assert told.stdout == "True\n"
    close_trace()
    assert xtuner.get_trace_env_vars() == {} and "XTUNER_TRACE_ENABLE_ROLLOUT" not in os.environ


def test_attributes_of_a_sample_that_is_broken_are_left_out(rollouts):
    class Broken:
        def __getattr__(self, name):
            raise RuntimeError(name)

    assert rollout_api.rollout_state_initial_attributes(Broken()) == {} == rollout_api.rollout_state_final_attributes(Broken())
    assert rollout_api.extract_rollout_trace_parent_carrier(Broken()) is None
    assert rollout_api.rollout_state_final_attributes(state(1, reward=[1], response_ids=5))["xtuner.rollout_id"] == 1
    with rollout_api.attach_rollout_trace_carrier(Broken(), {"a": "b"}):
        pass


# ── TraceConfig ──

MAIN = {
    "enabled": True,
    "output_dir": "/tmp/x",
    "service_name": "xtuner-agent-rollout",
    "xtuner_viewer_enabled": True,
    "xtuner_viewer_host": "0.0.0.0",
    "xtuner_viewer_port": 18080,
    "xtuner_viewer_jaeger_query_url": "http://127.0.0.1:16686",
    "enable_rollout_trace": True,
}


def test_the_config_of_main_has_its_eight_fields():
    assert TraceConfig(**MAIN).model_dump() == MAIN
    assert TraceConfig(service_name="s").model_dump() == {**dict.fromkeys(MAIN), "enabled": False, "service_name": "s", "xtuner_viewer_enabled": False, "xtuner_viewer_host": "127.0.0.1", "xtuner_viewer_port": 18080, "enable_rollout_trace": False}
    assert TraceConfig(**MAIN).viewer == ("0.0.0.0", 18080) and TraceConfig(service_name="s", enabled=True).viewer is None
    assert TraceConfig(**MAIN).model_copy(update={"output_dir": "~/y"}).output_dir == os.path.expanduser("~/y")
    assert TraceConfig(viewer_port=5).service_name == "xtuner-rollout" and TraceConfig(**MAIN).max_events == 100_000


def test_xtuners_own_config_object_is_taken_too():
    class Original(pydantic.BaseModel):
        enabled: bool = True
        output_dir: object = None
        service_name: str = "s"
        xtuner_viewer_enabled: bool = True
        xtuner_viewer_host: str = "127.0.0.1"
        xtuner_viewer_port: int = 5
        xtuner_viewer_jaeger_query_url: object = None
        enable_rollout_trace: bool = True

    assert TraceConfig.of(Original()) == TraceConfig(enabled=True, service_name="s", xtuner_viewer_enabled=True, xtuner_viewer_port=5, enable_rollout_trace=True)
    assert TraceConfig.model_validate({"service_name": "t"}).service_name == "t"


@pytest.mark.parametrize("wrong", [{"xtuner_viewer_port": 70_000}, {"service_name": ""}, {"enable_rollout_trace": "maybe"}, {"service": "x"}])
def test_mistakes_in_it_are_errors_that_name_what_was_expected(wrong):
    with pytest.raises(ValueError, match=r"\(expected: .+\)"):
        TraceConfig(**wrong)
