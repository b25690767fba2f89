"""What OpenTelemetry's own classes read from our bytes is what was recorded."""
import json
import math
import random
import struct

import pytest
from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

import rollscope
from rollscope import Result

REQUESTS = {"traces": ExportTraceServiceRequest, "logs": ExportLogsServiceRequest, "metrics": ExportMetricsServiceRequest}


class Memory:
    """A transport that keeps what it gets."""

    def __init__(self, content_type):
        self.content_type = content_type
        self.bodies = []

    def send(self, signal, body, timeout):
        self.bodies.append((signal, body))
        return Result("sent")

    def close(self):
        pass

    def requests(self, signal):
        for each, body in self.bodies:
            if each != signal:
                continue
            if self.content_type == "application/x-protobuf":
                yield REQUESTS[signal].FromString(body)
            else:
                yield json_format.Parse(with_base64_ids(body), REQUESTS[signal]())

    def spans(self):
        return [s for r in self.requests("traces") for g in r.resource_spans for c in g.scope_spans for s in c.spans]

    def logs(self):
        return [x for r in self.requests("logs") for g in r.resource_logs for c in g.scope_logs for x in c.log_records]

    def metrics(self):
        return [m for r in self.requests("metrics") for g in r.resource_metrics for c in g.scope_metrics for m in c.metrics]


def with_base64_ids(body):
    """OTLP writes ids in hex where protobuf's JSON has base64."""
    import base64

    def walk(value):
        if isinstance(value, dict):
            return {
                k: base64.b64encode(bytes.fromhex(v)).decode() if k in ("traceId", "spanId", "parentSpanId") else walk(v) for k, v in value.items()
            }
        return [walk(v) for v in value] if isinstance(value, list) else value

    return json.dumps(walk(json.loads(body)))


def record(content_type, work, **settings):
    memory = Memory(content_type)
    client = rollscope.Rollscope(run="r", transport=memory, **settings)
    work(client)
    assert client.close()
    assert client.dropped() == {"spans": 0, "starts": 0, "metrics": 0}
    return memory


PROTOBUF, JSON = "application/x-protobuf", "application/json"
both = pytest.mark.parametrize("content_type", [PROTOBUF, JSON])


def plain(value):
    """An AnyValue as a value of Python."""
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [plain(each) for each in value.array_value.values]
    return getattr(value, kind) if kind else None


def attributes(thing):
    return {pair.key: plain(pair.value) for pair in thing.attributes}


class Breaks:
    def __str__(self):
        raise RuntimeError("no text")


class LooksOdd:
    @property
    def __class__(self):
        raise RuntimeError("no class")


class Shout(str):
    def __str__(self):
        return "never used"


HOSTILE = [
    ("text", "text"),
    ("", ""),
    ("ä€😀", "ä€😀"),
    ("half \ud83d pair", "half ? pair"),
    ("nul \0 end", "nul \0 end"),
    ("x" * 10_000, "x" * 4096),
    (Shout("loud"), "loud"),
    (0, 0),
    (-1, -1),
    (2**63 - 1, 2**63 - 1),
    (-(2**63), -(2**63)),
    (2**63, str(2**63)),
    (10**5000, "<int>"),
    (True, True),
    (False, False),
    (0.1, 0.1),
    (-0.0, -0.0),
    (math.inf, math.inf),
    (-math.inf, -math.inf),
    (5e-324, 5e-324),
    ([1, 2, 3], [1, 2, 3]),
    (["a", "\udc00"], ["a", "?"]),
    ((True, False), [True, False]),
    ([1, "a", None], ["1", "a", "None"]),
    ([], []),
    ([2**70], [str(2**70)]),
    (list(range(5000)), list(range(1024))),
    ({"a": {"b": [1]}}, "{'a': {'b': [1]}}"),
    ({1}, "{1}"),
    (b"bytes", "b'bytes'"),
    (Breaks(), "<Breaks>"),
    ([Breaks()], ["<Breaks>"]),
    (LooksOdd(), "<LooksOdd>"),
    (object, "<class 'object'>"),
]


@both
def test_every_value_arrives_as_it_was_or_as_text(content_type):
    def work(client):
        for index, (value, _) in enumerate(HOSTILE):
            client.phase("p", {"value": value}, index=index).end()

    spans = record(content_type, work).spans()
    assert len(spans) == len(HOSTILE)
    for span in spans:
        found = attributes(span)
        wanted = HOSTILE[found["index"]][1]
        assert found["value"] == wanted and type(found["value"]) is type(wanted), HOSTILE[found["index"]]


@both
def test_not_a_number_and_nothing(content_type):
    [span] = record(content_type, lambda client: client.phase("p", nan=math.nan, nothing=None).end()).spans()
    found = attributes(span)
    assert math.isnan(found.pop("nan"))
    assert found == {"rl.kind": "op"}


@both
def test_numpy_values(content_type):
    numpy = pytest.importorskip("numpy")
    given = {"f32": numpy.float32(0.5), "i64": numpy.int64(7), "yes": numpy.bool_(True), "f64": numpy.float64(2.5), "array": numpy.arange(3)}
    [span] = record(content_type, lambda client: client.phase("p", given).end()).spans()
    assert attributes(span) == {"rl.kind": "op", "f32": 0.5, "i64": 7, "yes": True, "f64": 2.5, "array": "[0 1 2]"}


class Unreadable(dict):
    def keys(self):
        raise RuntimeError("not today")

    def __iter__(self):
        raise RuntimeError("not today")

    __len__ = __bool__ = __iter__


UNREADABLE = [Unreadable(a=1), ["a", "b"], 7, object()]


@both
@pytest.mark.parametrize("given", UNREADABLE, ids=lambda given: type(given).__name__)
def test_attributes_that_cannot_be_read_never_hurt_the_caller(content_type, given):
    def work(client):
        client.phase("alone", given).end()
        client.phase("more", given, a=1).end()
        with client.session(None, given, b=2) as session:
            session.set(given)
            session.event("e", given, c=3)
            session.record_exception(ValueError("x"), given)
        client.batch(1, attributes=given, d=4).end()
        client.task("t", None, given, e=5).end()
        client.state("s", "lane", 1, given, f=6).end()
        client.gauge("g").set(1, given, label="x")

    memory = Memory(content_type)
    client = rollscope.Rollscope(run="r", transport=memory)
    work(client)
    client.close()
    assert client.dropped()["spans"] == 0
    by_name = {span.name: attributes(span) for span in memory.spans()}
    assert set(by_name) == {"alone", "more", "session", "batch", "task", "s"}
    assert [by_name[n][k] for n, k in (("more", "a"), ("session", "b"), ("batch", "d"), ("task", "e"), ("s", "f"))] == [1, 2, 4, 5, 6]


@both
def test_names_and_times_that_are_none(content_type):
    """Instrumentation passes on whatever it has for a name, and clocks in floats."""
    names = [None, 7, "", "x" * 2000, ["a"], Breaks(), "half \ud83d"]

    def work(client):
        tracer = client.tracer_provider.get_tracer("t")
        for name in names:
            client.phase(name).end()
        for odd in (-5, 2**80, 1.5e18, "soon", math.nan, math.inf):
            span = tracer.start_span("odd time", start_time=odd)
            span.add_event("e", timestamp=odd)
            span.end(end_time=odd)
        client.phase("after").end()

    spans = record(content_type, work).spans()
    assert [s.name for s in spans[: len(names)]] == ["None", "7", "unknown", "x" * 256, "['a']", "<Breaks>", "half ?"]
    assert [s.name for s in spans[len(names) :]] == ["odd time"] * 6 + ["after"]
    assert all(0 < s.start_time_unix_nano < 1 << 63 and 0 < s.end_time_unix_nano < 1 << 63 for s in spans)


@both
def test_what_is_too_much_is_cut_and_what_counts_is_kept(content_type):
    def work(client):
        with client.session("s", {f"key-{n}": n for n in range(10_000)}) as session:
            for n in range(300):
                session.set({f"later-{n}": n})
                session.count(f"c{n}")
            session.rejected("too much")
        try:
            with client.phase("p", {"k" * 9000: 1, **{f"key-{n}": n for n in range(10_000)}}):
                raise ValueError("no")
        except ValueError:
            pass

    session, phase = record(content_type, work).spans()
    found = attributes(session)
    assert len(found) == 131 and found["rl.kind"] == "session" and found["key-0"] == 0
    assert (found["rl.status"], found["rl.reason"], found["rl.session.id"]) == ("rejected", "too much", "s")
    found = attributes(phase)
    assert len(found) == 131 and found["k" * 4096] == 1 and found["error.type"] == "ValueError"


@both
def test_long_ids_stay_different(content_type):
    def work(client):
        for end in "ab":
            client.session("s" * 5000 + end).end()

    ids = [attributes(span)["rl.session.id"] for span in record(content_type, work).spans()]
    assert len(set(ids)) == 2 and {len(each) for each in ids} == {256}


CONTENT = ["prompt", "completion", "response", "gen_ai.prompt", "gen_ai.completion", "gen_ai.input.messages", "gen_ai.output.messages"]
CONTENT += ["gen_ai.system_instructions", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result"]


def with_content(client):
    with client.phase("p", {key: "secret " * 20_000 for key in CONTENT}) as phase:
        phase.set(prompt=["secret", {"role": "user"}])
        phase.event("e", {key: "secret" for key in CONTENT})
        client.flush()  # the start record


@both
def test_content_is_left_out_unless_it_is_asked_for(content_type):
    memory = record(content_type, with_content)
    assert memory.bodies and not any(b"secret" in body for _, body in memory.bodies)
    assert [attributes(span) for span in memory.spans()] == [{"rl.kind": "op"}]


@both
def test_a_label_called_like_content_does_not_let_content_through(content_type):
    """What is known of a key from a metric must not decide what a span sends."""
    memory = Memory(content_type)
    client = rollscope.Rollscope(run="r", transport=memory, resource={"response": "of the resource"})
    client.gauge("g").set(1, prompt="a label")
    assert client.flush()
    for _ in range(2):
        client.phase("p", prompt="secret", response="secret").end()
    client.close()
    assert not any(b"secret" in body for _, body in memory.bodies)


@both
def test_values_that_are_repeated_and_values_that_never_are(content_type):
    """Equal keys with values of other types, more texts than are kept, texts of every length around the limits of one byte."""
    lengths = [*range(50, 70), *range(110, 140), 255, 256, 257, 4096]
    values = [1, True, 1.0, "1", 127, 128, -1, 0, False, *[f"text-{n}" for n in range(200)], *["x" * n for n in lengths], *["\u00e4" * n for n in lengths]]

    def work(client):
        for _ in range(2):
            for value in values:
                client.phase("p", {"k": value}).end()

    found = [attributes(span)["k"] for span in record(content_type, work).spans()]
    assert found == values * 2 and [type(value) for value in found] == [type(value) for value in values] * 2


@both
@pytest.mark.parametrize("content, length", [(True, 4096), (10, 10), (20_000, 20_000)])
def test_content_is_cut_to_the_length_that_was_asked_for(content_type, content, length):
    memory = record(content_type, with_content, content=content)
    [span] = memory.spans()
    found = attributes(span)
    assert [len(found[key]) for key in CONTENT[1:]] == [length] * (len(CONTENT) - 1)
    assert found["prompt"] == "['secret', \"{'role': 'user'}\"]"[:length]
    assert [record.event_name for record in memory.logs() if record.event_name == "rollscope.span.start"]


@both
def test_everything_opentelemetry_knows_of_a_span(content_type):
    from opentelemetry import trace

    other = trace.SpanContext(5, 6, True, trace.TraceFlags(1), trace.TraceState([("v", "1")]))

    def work(client):
        tracer = client.tracer_provider.get_tracer("t")
        context = trace.set_span_in_context(trace.NonRecordingSpan(other))
        span = tracer.start_span("s", context, trace.SpanKind.CLIENT, {"a": 1}, [trace.Link(other, {"l": 2})], start_time=10)
        span.add_event("e", {"b": 3}, timestamp=11)
        span.set_status(trace.Status(trace.StatusCode.ERROR, "bad"))
        span.end(12)

    [span] = record(content_type, work).spans()
    assert (span.trace_id.hex(), span.parent_span_id.hex(), span.trace_state) == ("%032x" % 5, "%016x" % 6, "v=1")
    assert (span.name, span.kind, span.start_time_unix_nano, span.end_time_unix_nano) == ("s", 3, 10, 12)
    assert (attributes(span), span.status.code, span.status.message) == ({"a": 1}, 2, "bad")
    [event], [link] = span.events, span.links
    assert (event.name, event.time_unix_nano, attributes(event)) == ("e", 11, {"b": 3})
    assert (link.trace_id.hex(), link.span_id.hex(), attributes(link)) == ("%032x" % 5, "%016x" % 6, {"l": 2})


@both
def test_metrics(content_type):
    def work(client):
        client.counter("tokens", "1", "all of them").add(3, worker="w0", step=7)
        client.gauge("reward").set(-0.5)
        client.gauge("odd").set(math.nan)
        length = client.histogram("length", buckets=[1, 10])
        for value in (0.5, 1, 5, 50):
            length.record(value)

    found = {metric.name: metric for metric in record(content_type, work).metrics()}
    tokens, [point] = found["tokens"], found["tokens"].sum.data_points
    assert (tokens.unit, tokens.description, tokens.sum.is_monotonic, tokens.sum.aggregation_temporality) == ("1", "all of them", True, 2)
    assert (point.as_double, attributes(point)) == (3, {"worker": "w0", "rl.train_step": 7})
    assert 0 < point.start_time_unix_nano <= point.time_unix_nano
    assert found["reward"].gauge.data_points[0].as_double == -0.5 and math.isnan(found["odd"].gauge.data_points[0].as_double)
    [point] = found["length"].histogram.data_points
    assert (point.count, point.sum, list(point.bucket_counts), list(point.explicit_bounds)) == (4, 56.5, [2, 1, 1], [1, 10])
    assert (point.min, point.max, found["length"].histogram.aggregation_temporality) == (0.5, 50, 2)


@both
def test_a_start_record_is_shaped_as_agreed(content_type):
    def work(client):
        with client.session("s1"), client.phase("generate", n=3) as phase:
            client.flush()
            work.ids = phase.trace_id, phase.span_id, phase.parent_id, phase.start_ns

    starts = [each for each in record(content_type, work).logs() if each.event_name == "rollscope.span.start"]
    trace_id, span_id, parent_id, start_ns = work.ids
    start = starts[-1]
    assert (start.trace_id.hex(), start.span_id.hex(), start.time_unix_nano) == ("%032x" % trace_id, "%016x" % span_id, start_ns)
    assert attributes(start) == {"rollscope.span.name": "generate", "rollscope.span.parent_id": "%016x" % parent_id, "n": 3}


def random_value(source, depth=0):
    makers = [
        lambda: source.getrandbits(source.choice([1, 8, 63, 64, 200])) * source.choice([1, -1]),
        lambda: struct.unpack("<d", struct.pack("<Q", source.getrandbits(64) | source.choice([0, 2047]) << 52))[0],
        lambda: "".join(chr(source.choice([source.randrange(0x80), source.randrange(0xD000, 0xE000), source.randrange(0x110000)])) for _ in range(source.randrange(20))),
        lambda: source.random() < 0.5,
        lambda: None,
        lambda: [random_value(source, depth + 1) for _ in range(source.randrange(4))] if depth < 3 else 1,
        lambda: {str(n): random_value(source, depth + 1) for n in range(source.randrange(3))} if depth < 3 else 2,
    ]
    return source.choice(makers)()


def test_protobuf_and_json_say_the_same():
    """Both encoders, the same thousand random spans: message by message equal."""

    def work(client):
        source = random.Random(7)
        for n in range(1000):
            given = {str(random_value(source)): random_value(source) for _ in range(source.randrange(6))}
            span = client.phase(str(random_value(source)), {str(k): v for k, v in given.items()})
            span.trace_id, span.span_id, span.start_ns = n + 1, n + 1, n + 1
            if n % 7 == 0:
                span.fail(str(random_value(source)))
            if n % 5 == 0:
                span.add_event(str(random_value(source)), given, timestamp=n + 2)
            span.end(n + 3)

    one, other = [record(each, work).spans() for each in (PROTOBUF, JSON)]
    assert len(one) == len(other) == 1000
    for a, b in zip(one, other):
        assert str(a) == str(b)  # as text, because not a number is not equal to itself


def test_the_resource_says_which_process_it_is():
    import os
    import socket

    memory = record(PROTOBUF, lambda client: client.phase("p").end(), project="p1", role="rollout", rank=3, resource={"zone": "a", "process.pid": -1})
    found = attributes(next(memory.requests("traces")).resource_spans[0].resource)
    assert len(found.pop("service.instance.id")) == 36 and found.pop("telemetry.sdk.version")
    assert found == {
        "service.name": "p1", "host.name": socket.gethostname(), "process.pid": os.getpid(), "rl.run.id": "r", "rl.run.name": "r",
        "rl.project": "p1", "rl.worker.role": "rollout", "rl.worker.rank": 3, "zone": "a",
        "telemetry.sdk.name": "rollscope", "telemetry.sdk.language": "python",
    }  # fmt: skip


def test_one_span_that_cannot_be_written_is_lost_alone(caplog):
    memory = Memory(PROTOBUF)
    client = rollscope.Rollscope(run="r", transport=memory)
    for n in range(100):
        span = client.phase(f"p{n}")
        if n == 50:
            span.links = [("not a context", None)]
        span.end()
    client.close()
    assert len(memory.spans()) == 99 and client.dropped()["spans"] == 1
    assert sum("AttributeError" in message for message in caplog.messages) == 1


def test_a_request_never_grows_beyond_what_servers_take():
    memory = record(PROTOBUF, lambda client: [client.phase("p", {f"k{k}": "x" * 4096 for k in range(100)}).end() for _ in range(100)])
    sizes = [len(body) for signal, body in memory.bodies if signal == "traces"]
    assert len(memory.spans()) == 100 and len(sizes) > 1 and max(sizes) <= 8 << 20
