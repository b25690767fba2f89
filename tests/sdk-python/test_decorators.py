"""`@rs.trace`: the function stays what it was, and each call is a phase."""
import asyncio
import functools
import inspect
import pickle

import pytest
from opentelemetry import trace

import rollscope
from faults import FaultyServer


@pytest.fixture
def away():
    with FaultyServer() as server:
        yield server


@pytest.fixture
def rs(away, run):
    with rollscope.Rollscope(run=run, url=away.url) as client:
        client.spans = lambda: client.flush() and [s for s in _spans(away)]
        yield client


def _spans(away):
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    for path, _, body in away.requests:
        if path == "/v1/traces":
            for group in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in group.scope_spans:
                    yield from scope.spans


def said(span):
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in span.attributes}


def plain(a, b=2, *args, c: int = 3, **more) -> str:
    """Adds."""
    return a + b


async def coroutine(a, b=2):
    await asyncio.sleep(0)
    return a + b


def generator(n):
    got = []
    for each in range(n):
        got.append((yield each))
    return got


async def async_generator(n):
    for each in range(n):
        await asyncio.sleep(0)
        yield each


@pytest.mark.parametrize("function", [plain, coroutine, generator, async_generator], ids=lambda f: f.__name__)
def test_it_looks_like_the_function_it_stands_for(rs, function):
    function.mark = "kept"
    traced = rs.trace("name")(function)
    assert inspect.signature(traced) == inspect.signature(function)
    for is_one in (inspect.iscoroutinefunction, asyncio.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction):
        assert is_one(traced) == is_one(function), is_one
    for attribute in ("__name__", "__qualname__", "__doc__", "__module__", "__annotations__", "mark"):
        assert getattr(traced, attribute) == getattr(function, attribute)
    assert not hasattr(traced, "__wrapped__")  # Ray would look behind it


def test_a_plain_function(rs):
    traced = rs.trace("adds", attributes={"kind": "sum"})(plain)
    assert (traced(1), traced(1, b=5), traced(1, 2, 3, c=4, d=5)) == (3, 6, 3)
    spans = rs.spans()
    assert [span.name for span in spans] == ["adds"] * 3 and said(spans[0])["kind"] == "sum"


def test_without_a_name_it_is_the_functions(rs):
    @rs.trace
    def judge():
        return 1

    @rs.trace()
    def other():
        return 2

    assert judge() + other() == 3
    assert [span.name for span in rs.spans()] == [judge.__qualname__, other.__qualname__]


def test_a_coroutine(rs):
    assert asyncio.run(rs.trace("c")(coroutine)(1, b=4)) == 5
    [span] = rs.spans()
    assert span.name == "c" and span.end_time_unix_nano > span.start_time_unix_nano


def test_a_generator_sends_throws_and_returns(rs):
    traced = rs.trace("g")(generator)
    running = traced(3)
    assert (next(running), running.send("a"), running.send("b")) == (0, 1, 2)
    with pytest.raises(StopIteration) as stop:
        running.send("c")
    assert stop.value.value == ["a", "b", "c"]

    @rs.trace("h")
    def stubborn():
        try:
            yield 1
        except KeyError:
            yield "caught"

    running = stubborn()
    next(running)
    assert running.throw(KeyError("x")) == "caught"
    with pytest.raises(ValueError):
        running.throw(ValueError("y"))
    assert [(span.name, span.status.code) for span in rs.spans()] == [("g", 0), ("h", 2)]


def test_a_generators_phase_is_current_inside_and_not_outside(rs):
    @rs.trace("g")
    def work():
        for _ in range(2):
            with rs.phase("inside"):
                pass
            yield trace.get_current_span()

    with rs.session("s1") as session:
        for inside in work():
            assert inside.name == "g" and trace.get_current_span() is session
            with rs.phase("outside") as outside:
                assert outside.parent_id == session.span_id
    spans = {span.name: span for span in rs.spans()}
    assert spans["inside"].parent_span_id == spans["g"].span_id


def test_generators_that_interleave_and_end_early_leave_no_context(rs):
    @rs.trace("g")
    def work(n):
        for _ in range(n):
            with rs.phase(f"step-{n}") as step:
                assert trace.get_current_span() is step
            yield

    one, other = work(5), work(7)
    next(one), next(other), next(one)
    one.close()
    next(other)
    del other
    assert trace.get_current_span() is trace.INVALID_SPAN
    spans = [span for span in rs.spans() if span.name == "g"]
    assert [said(span)["error.type"] for span in spans] == ["GeneratorExit"] * 2


def test_an_async_generator(rs):
    traced = rs.trace("ag")(async_generator)

    async def main():
        assert [n async for n in traced(3)] == [0, 1, 2]
        early = traced(10)
        assert await early.__anext__() == 0
        await early.aclose()
        assert trace.get_current_span() is trace.INVALID_SPAN

    asyncio.run(main())
    assert [(span.name, span.status.code) for span in rs.spans()] == [("ag", 0), ("ag", 2)]


def test_an_async_generator_takes_what_is_sent_and_thrown(rs):
    @rs.trace("ag")
    async def echo():
        got = None
        while True:
            try:
                got = yield got
            except KeyError:
                got = "caught"

    async def main():
        running = echo()
        await running.asend(None)
        assert await running.asend("a") == "a"
        assert await running.athrow(KeyError("x")) == "caught"
        with pytest.raises(ValueError):
            await running.athrow(ValueError("y"))

    asyncio.run(main())
    assert [span.status.code for span in rs.spans()] == [2]


def test_methods_of_all_kinds(rs):
    class Judge:
        @rs.trace("method", attributes=lambda self, x: {"x": x})
        def method(self, x):
            return self, x

        @rs.trace("class")
        @classmethod
        def of_class(cls, x):
            return cls, x

        @classmethod
        @rs.trace("class")
        def of_class_too(cls, x):
            return cls, x

        @rs.trace("static")
        @staticmethod
        def static(x):
            return x

        @staticmethod
        @rs.trace("static")
        def static_too(x):
            return x

        @rs.trace("async")
        async def later(self, x):
            return x

    judge = Judge()
    assert judge.method(1) == (judge, 1) and judge.of_class(2) == (Judge, 2) == Judge.of_class_too(2)
    assert judge.static(3) == Judge.static_too(3) == 3 and asyncio.run(judge.later(4)) == 4
    assert inspect.iscoroutinefunction(judge.later) and list(inspect.signature(judge.method).parameters) == ["x"]
    spans = rs.spans()
    assert [span.name for span in spans] == ["method", "class", "class", "static", "static", "async"] and said(spans[0])["x"] == 1


def test_odd_callables(rs):
    class Callable:
        def __call__(self, x):
            return x

    assert rs.trace("len")(len)([1, 2]) == 2
    assert rs.trace("partial")(functools.partial(plain, 1))(b=1) == 2
    assert rs.trace("object")(Callable())(5) == 5
    assert asyncio.run(rs.trace("async partial")(functools.partial(coroutine, 1))()) == 3
    assert [span.name for span in rs.spans()] == ["len", "partial", "object", "async partial"]


def test_what_is_decorated_travels_by_pickle(rs):
    """Ray pickles the classes of a driver's script by value, with all that their functions hold."""
    cloudpickle = pytest.importorskip("ray.cloudpickle")
    tokens = rs.counter("tokens", unit="1")

    def work(x):
        tokens.add(1)
        return x

    there = pickle.loads(cloudpickle.dumps(rs.trace("f", attributes=lambda x: {"x": x})(work)))
    assert there(5) == 5 and rs.spans() == []
    assert pickle.loads(pickle.dumps(rs)) is rollscope.get() is pickle.loads(pickle.dumps(rollscope.phase)).__self__


@pytest.mark.parametrize("answer", [lambda *a: 1 / 0, lambda: {}, lambda *a: 7, lambda *a: ["odd"]], ids=["raises", "other arguments", "a number", "a list"])
def test_a_callback_that_fails_is_reported_once_and_never_hurts(rs, caplog, answer):
    traced = rs.trace("f", attributes=answer)(lambda x: x)
    assert [traced(n) for n in range(5)] == list(range(5))
    assert len(rs.spans()) == 5
    assert len([m for m in caplog.messages if "attributes of f" in m]) == 1


def test_exceptions_and_cancellation(rs):
    @rs.trace("fails")
    def fails():
        raise ValueError("x" * 1000)

    @rs.trace("waits")
    async def waits():
        await asyncio.sleep(60)

    with pytest.raises(ValueError):
        fails()
    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(asyncio.wait_for(waits(), 0.01))
    one, other = rs.spans()
    assert said(one)["error.type"] == "ValueError" and len(said(one)["error.message"]) == 500
    assert [event.name for event in one.events] == ["exception"]
    assert said(other)["error.type"].endswith("CancelledError")


@pytest.mark.parametrize("call", ["plain", "coroutine", "generator", "async_generator"])
def test_disabled_it_only_calls(call):
    rs = rollscope.Rollscope()
    called = []
    traced = rs.trace("f", attributes=lambda *a, **k: called.append(1))(globals()[call])
    if call == "plain":
        assert traced(1) == 3
    elif call == "coroutine":
        assert asyncio.run(traced(1)) == 3
    elif call == "generator":
        assert list(traced(3)) == [0, 1, 2]
    else:
        async def main():
            return [n async for n in traced(3)]

        assert asyncio.run(main()) == [0, 1, 2]
    assert not called


def test_decorated_before_and_enabled_later(away, run):
    """Decorators run at import, `init` in main()."""
    rs = rollscope.Rollscope()
    traced = rs.trace("f")(plain)
    traced(1)
    rs._configure(rollscope._settings.from_code({}, {"run": run, "url": away.url}))
    traced(1)
    rs.close()
    traced(1)
    assert away.spans() == ["f"]
