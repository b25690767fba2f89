"""Ours and theirs nest in each other: one context, OpenTelemetry's."""
import asyncio
import contextvars
import logging
import os
import subprocess
import sys

import pytest
from opentelemetry import baggage, context, propagate, trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags

import rollscope

#: Spans of the OpenTelemetry SDK go elsewhere; the server infers those that have children here.
SENT = "name != '(not yet seen)'"


@pytest.fixture
def theirs():
    """The OpenTelemetry SDK beside us, with what it finished."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource.create({}))
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("theirs")
    tracer.finished = exporter.get_finished_spans
    return tracer


@pytest.fixture
def tracer(rs):
    return rs.tracer_provider.get_tracer("ours")


def by_name(server, rs, run, count):
    assert rs.flush()
    return {span["name"]: span for span in server.wait_for(lambda: server.spans(run, SENT), lambda spans: len(spans) == count)}


def test_their_spans_nest_in_ours_and_ours_in_theirs(server, rs, run, theirs):
    with rs.session("s1") as session:
        with theirs.start_as_current_span("http") as http:
            assert (http.parent.span_id, http.get_span_context().trace_id) == (session.span_id, session.trace_id)
            with rs.phase("judge") as judge:
                assert trace.get_current_span() is judge
                with theirs.start_as_current_span("db") as db:
                    assert db.parent.span_id == judge.span_id
            assert trace.get_current_span() is http
    assert [span.name for span in theirs.finished()] == ["db", "http"]
    spans = by_name(server, rs, run, 2)
    assert spans["judge"]["parent_id"] == "%016x" % http.get_span_context().span_id
    assert spans["judge"]["session"] == "s1"


def test_their_sampler_and_their_logs_see_our_span(rs, theirs):
    """Whoever writes trace ids into log lines asks the API for the current span."""
    with rs.session(), rs.phase("p") as phase:
        seen = trace.get_current_span().get_span_context()
    assert (seen.trace_id, seen.span_id, seen.is_valid, seen.trace_flags.sampled, seen.is_remote) == (phase.trace_id, phase.span_id, True, True, False)
    with rs.session() as session, theirs.start_as_current_span("x") as span:
        assert span.is_recording(), "parent-based sampling keeps what is below a sampled parent"
    assert span.parent.span_id == session.span_id


GLOBAL = """
import os
import rollscope as rs
from opentelemetry import trace, propagate
trace.set_tracer_provider(rs.get().tracer_provider)
library = trace.get_tracer("some.library", "1.0")
with rs.session("s1"):
    with library.start_as_current_span("library.call", kind=trace.SpanKind.CLIENT) as span:
        headers = {}
        propagate.inject(headers)
        assert headers["traceparent"].split("-")[2] == format(span.get_span_context().span_id, "016x")
        span.set_attribute("http.status_code", 200)
with library.start_as_current_span("alone"):
    pass
"""


def test_as_the_global_provider_it_records_what_libraries_do(server, run):
    environment = {**os.environ, "ROLLSCOPE_URL": server.otlp, "ROLLSCOPE_RUN": run}
    done = subprocess.run([sys.executable, "-c", GLOBAL], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    spans = {s["name"]: s for s in server.wait_for(lambda: server.spans(run), lambda found: len(found) == 3)}
    assert spans["library.call"]["parent_id"] == spans["session"]["span_id"] and spans["library.call"]["session"] == "s1"
    assert spans["library.call"]["attributes"]["http.status_code"] == "200"


def test_open_spans_of_libraries_are_visible(server, rs, run, tracer):
    with rs.session("s1"), tracer.start_as_current_span("slow request"):
        server.wait_for(lambda: [row["open_span"] for row in server.live(run)["rows"]], ["slow request"], 10)


def test_everything_the_api_can_say(server, rs, run, tracer):
    far = SpanContext(0xABC, 0xDEF, True, TraceFlags(1))
    with rs.session("s1"):
        span = tracer.start_span("call", kind=SpanKind.CLIENT, attributes={"a": 1}, links=[Link(far, {"why": "retry"})])
        assert span.is_recording() and isinstance(span, trace.Span)
        span.update_name("renamed")
        span.set_attributes({"b": [1, 2]})
        span.add_event("cache miss", {"key": "k"})
        span.add_link(far)
        span.add_link(trace.INVALID_SPAN_CONTEXT)
        span.record_exception(ValueError("handled"))
        span.end()
        span.set_attribute("late", 1)
        span.add_event("late")
        span.end()
        assert not span.is_recording() and len(span.events) == 2 and len(span.links) == 2
    found = by_name(server, rs, run, 2)["renamed"]
    assert found["attributes"]["a"] == "1" and found["attributes"]["b"] == "[1,2]" and "late" not in found["attributes"]
    assert found["outcome"] == "ok", "an exception that was handled is no failure"


@pytest.mark.parametrize(
    "statuses, outcome",
    [
        ([Status(StatusCode.ERROR, "bad")], "error"),
        ([StatusCode.ERROR, StatusCode.OK], "ok"),
        ([StatusCode.OK, StatusCode.ERROR], "ok"),
        ([StatusCode.ERROR, StatusCode.UNSET], "error"),
        ([StatusCode.UNSET], "ok"),
    ],
)
def test_status_follows_the_specification(server, rs, run, tracer, statuses, outcome):
    with tracer.start_as_current_span("call") as span:
        for status in statuses:
            span.set_status(status)
    assert by_name(server, rs, run, 1)["call"]["outcome"] == outcome


def test_exceptions_in_a_current_span(server, rs, run, tracer):
    with pytest.raises(KeyError):
        with tracer.start_as_current_span("fails"):
            raise KeyError("x")
    with pytest.raises(KeyError):
        with tracer.start_as_current_span("quiet", record_exception=False, set_status_on_exception=False):
            raise KeyError("x")
    spans = by_name(server, rs, run, 2)
    assert (spans["fails"]["outcome"], spans["fails"]["error_type"]) == ("error", "KeyError")
    assert spans["quiet"]["outcome"] == "ok"


def test_current_span_as_a_decorator(server, rs, run, tracer):
    @tracer.start_as_current_span("plain")
    def plain():
        return trace.get_current_span().name

    @tracer.start_as_current_span("async")
    async def later():
        await asyncio.sleep(0.01)
        return trace.get_current_span().name

    assert (plain(), plain(), asyncio.run(later())) == ("plain", "plain", "async")
    assert rs.flush()
    spans = server.wait_for(lambda: server.spans(run), lambda found: len(found) == 3)
    [slow] = [span for span in spans if span["name"] == "async"]
    assert int(slow["end_ns"]) - int(slow["start_ns"]) >= 10_000_000, "the span lasts as long as the coroutine"


def test_end_on_exit_may_be_declined(rs, tracer):
    with tracer.start_as_current_span("kept", end_on_exit=False) as span:
        pass
    assert span.is_recording()
    span.end()


def test_context_travels_as_w3c_headers_both_ways(server, rs, run, theirs):
    with rs.batch(train_step=7), rs.task("t1"), rs.session("s1"), rs.phase("request") as request:
        ours = rs.inject({"Accept": "text/plain"})
        plain = {}
        propagate.inject(plain)
    assert ours["Accept"] == "text/plain" and ours["traceparent"] == plain["traceparent"] == f"00-{request.trace_id:032x}-{request.span_id:016x}-01"
    # Their side reads ours …
    with theirs.start_as_current_span("engine", context=propagate.extract(ours)) as engine:
        assert (engine.parent.span_id, engine.get_span_context().trace_id) == (request.span_id, request.trace_id)
        headers = {}
        propagate.inject(headers)
    # … and we read theirs, whatever the case of the names.
    with rs.extract({name.title(): value for name, value in {**ours, **headers}.items()}):
        with rs.phase("answer") as answer:
            assert (answer.trace_id, answer.parent_id) == (request.trace_id, engine.get_span_context().span_id)
            assert rs.inject()["traceparent"].split("-")[2] == f"{answer.span_id:016x}"
        with rs.session("s2"):
            pass
    assert trace.get_current_span() is trace.INVALID_SPAN
    rs.flush()
    spans = server.wait_for(lambda: server.spans(run, SENT), lambda found: len(found) == 6)
    found = {(span["name"], span["session"]): span for span in spans}
    assert found["answer", "s1"]["kind"] == "phase"
    assert (found["session", "s2"]["task"], found["session", "s2"]["batch"]) == ("t1", "train_step=7")


def test_the_baggage_of_the_user_is_kept(rs):
    token = context.attach(baggage.set_baggage("tenant", "a b"))
    try:
        with rs.session("s=1, odd;"):
            carried = rs.inject()
            assert baggage.get_all() == {"tenant": "a b"}, "ours is added on the way out only"
    finally:
        context.detach(token)
    with rs.extract(carried):
        found = baggage.get_all()
    assert (found["tenant"], found["rl.session.id"]) == ("a b", "s=1, odd;")


@pytest.mark.parametrize("carrier", [{}, {"traceparent": "nonsense"}, {"traceparent": b"00-aa"}, {"traceparent": None, "baggage": 7}, {1: 2}, [("traceparent", "x")], None, 7])
def test_headers_that_make_no_sense_are_no_context(rs, carrier):
    with rs.session() as session:
        with rs.extract(carrier):
            assert trace.get_current_span() is session


def test_tracestate_is_passed_on(rs):
    headers = {"traceparent": f"00-{5:032x}-{6:016x}-01", "tracestate": "vendor=1"}
    with rs.extract(headers), rs.phase("p"):
        assert rs.inject()["tracestate"] == "vendor=1"


def test_a_process_started_below_a_span_belongs_to_it(server, run):
    code = "import rollscope as rs\nfrom opentelemetry import trace\nwith rs.get().tracer_provider.get_tracer('t').start_as_current_span('lib'):\n    with rs.session('own'): pass"
    carried = {"TRACEPARENT": f"00-{5:032x}-{6:016x}-01", "BAGGAGE": "rl.session.id=s1,rl.task.id=t1,rl.train_step=3"}
    environment = {**os.environ, **carried, "ROLLSCOPE_URL": server.otlp, "ROLLSCOPE_RUN": run}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    spans = {s["name"]: s for s in server.wait_for(lambda: server.spans(run), lambda found: len(found) == 2)}
    assert (spans["lib"]["trace_id"], spans["lib"]["parent_id"]) == (f"{5:032x}", f"{6:016x}")
    assert (spans["session"]["session"], spans["session"]["task"], spans["session"]["batch"]) == ("own", "t1", "train_step=3")


def test_setting_up_inside_a_span_does_not_adopt_it(server, run, theirs):
    """`init` in a function that somebody traces: what follows is not below that function for ever."""
    with theirs.start_as_current_span("main"):
        client = rollscope.Rollscope(run=run, url=server.otlp)
    with client.phase("later") as later:
        assert later.parent_id == 0
    client.close()


def test_provider_flushes_and_shuts_down(server, run):
    client = rollscope.Rollscope(run=run, url=server.otlp)
    provider = client.tracer_provider
    provider.get_tracer("t").start_span("s").end()
    assert provider.force_flush()
    provider.shutdown()
    assert not client.enabled
    assert not provider.get_tracer("t").start_span("after").is_recording()
    server.wait_for(lambda: [span["name"] for span in server.spans(run)], ["s"])


def test_nothing_is_logged_by_the_api(rs, theirs, caplog):
    def generator():
        with rs.phase("inside"):
            yield 1

    with caplog.at_level(logging.DEBUG, "opentelemetry"):
        running = generator()
        next(running)
        contextvars.Context().run(running.close)
    assert not caplog.messages
    # The generator was begun in this context and closed in another one: this one is put right here.
    context.attach(context.Context())
