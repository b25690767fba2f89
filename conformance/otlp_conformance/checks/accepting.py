"""What every receiver takes: each signal, each way, compressed or not, empty, repeated, from the future."""
from otlp_conformance import messages
from otlp_conformance.registry import EXTRA, MUST, SHOULD, check, expect
from otlp_conformance.signals import METRICS, SIGNALS, TRACES
from otlp_conformance.target import GRPC, HTTP_JSON, HTTP_PROTOBUF, WAYS, expect_full_success

BINARY = (HTTP_PROTOBUF, GRPC)
FULL = "Full success is answered with 200 (HTTP) or OK (gRPC) and the export response of the signal, in the form of the request"


@check("{way}.{signal}.accepted", MUST, FULL, way=BINARY, signal=SIGNALS)
@check(
    "{way}.{signal}.accepted",
    SHOULD,
    "JSON is taken on the same port as binary Protobuf, told apart by the content type, and answered as JSON",
    way=(HTTP_JSON,),
    signal=SIGNALS,
)
def accepted(target, way, signal):
    return expect_full_success(signal, way.send(target, signal, target.request(signal, 3)))


@check(
    "{way}.{signal}.full",
    MUST,
    "partial_success is unset in a full success, or there for a warning: nothing rejected, and a message",
    way=WAYS,
    signal=SIGNALS,
)
def full(target, way, signal):
    outcome = way.send(target, signal, target.request(signal))
    observed = expect_full_success(signal, outcome)
    partial = outcome.response.partial_success
    is_unset = not outcome.response.HasField("partial_success")
    expect(is_unset or partial.error_message, f"{observed} (expected: partial_success unset, or a message)")
    return observed


@check("{way}.{signal}.gzip", MUST, "A server supports gzip besides no compression", way=WAYS, signal=SIGNALS)
def gzipped(target, way, signal):
    return expect_full_success(signal, way.send(target, signal, target.request(signal, 3), gzip=True))


@check(
    "{way}.{signal}.empty",
    SHOULD,
    "A request without any telemetry is answered with success",
    way=WAYS,
    signal=SIGNALS,
)
def empty(target, way, signal):
    return expect_full_success(signal, way.send(target, signal, signal.request()))


@check(
    "{way}.{signal}.empty-envelope",
    SHOULD,
    "A resource and a scope without items in them may be ignored; the request succeeds",
    way=WAYS,
    signal=SIGNALS,
)
def empty_envelope(target, way, signal):
    return expect_full_success(signal, way.send(target, signal, messages.envelope(signal)[0]))


@check(
    "{way}.traces.all-values",
    MUST,
    "Every kind of attribute value, events, links, status and flags of a span are understood",
    way=WAYS,
)
def all_values(target, way):
    return expect_full_success(TRACES, way.send(target, TRACES, messages.span_with_every_kind_of_value()))


@check(
    "{way}.metrics.all-kinds",
    MUST,
    "Gauge, sum, histogram, exponential histogram and summary are understood",
    way=WAYS,
)
def all_kinds(target, way):
    return expect_full_success(METRICS, way.send(target, METRICS, messages.metrics_of_all_kinds()))


@check(
    "{way}.{signal}.unknown-fields",
    MUST,
    "Fields of later versions of the protocol are ignored, at every depth and of every wire type",
    way=BINARY,
    signal=SIGNALS,
)
def unknown_fields(target, way, signal):
    return expect_full_success(signal, way.send(target, signal, messages.from_the_future(target.request(signal))))


@check(
    "{way}.{signal}.duplicate",
    MUST,
    "A sender that got no answer sends again; the repetition is accepted as if it were the first",
    way=WAYS,
    signal=SIGNALS,
)
def duplicate(target, way, signal):
    request = target.request(signal)
    for _ in range(3):
        observed = expect_full_success(signal, way.send(target, signal, request))
    return f"three times {observed}"


@check(
    "{way}.traces.many",
    EXTRA,
    "A request of 20,000 spans, as collectors make them, is taken whole",
    way=WAYS,
)
def many(target, way):
    return expect_full_success(TRACES, way.send(target, TRACES, target.request(TRACES, 20_000), gzip=True))
