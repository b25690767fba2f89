"""What is said to data that cannot be decoded."""
import gzip

from otlp_conformance import grpc_client
from otlp_conformance.registry import EXTRA, MUST, SHOULD, check, expect
from otlp_conformance.signals import SIGNALS, TRACES
from otlp_conformance.target import FORMS, JSON, PROTOBUF, decode_status, encode

GARBAGE = b"\xff" * 64


def _truncated(target, signal, form):
    return encode(target.request(signal), form)[:-3]


def _refused(answer, form, status=400):
    expect(answer.status == status, f"{answer}: {answer.body[:200]!r} (expected: {status})")
    return f"{answer.status}: {decode_status(form, answer).message}"


@check(
    "http.{form}.{signal}.malformed",
    MUST,
    "Data that cannot be decoded is answered with 400 and a google.rpc.Status in the form of the request",
    form=FORMS,
    signal=SIGNALS,
)
def malformed(target, form, signal):
    _refused(target.post(signal, form, GARBAGE), form)
    return _refused(target.post(signal, form, _truncated(target, signal, form)), form)


@check(
    "http.{form}.{signal}.malformed-gzip",
    MUST,
    "Compressed data that cannot be decoded is answered like other bad data",
    form=FORMS,
    signal=SIGNALS,
)
def malformed_gzip(target, form, signal):
    return _refused(target.post(signal, form, _truncated(target, signal, form), gzip=True), form)


@check(
    "http.{form}.not-gzip",
    MUST,
    "A body that is not gzip although the header says so is bad data: 400",
    form=FORMS,
)
def not_gzip(target, form):
    body = encode(target.request(TRACES), form)
    return _refused(target.post(TRACES, form, body, headers=[("Content-Encoding", "gzip")]), form)


@check(
    "http.{form}.broken-gzip",
    MUST,
    "A gzip stream that ends early is bad data: 400",
    form=FORMS,
)
def broken_gzip(target, form):
    body = gzip.compress(encode(target.request(TRACES, 50), form))[:-20]
    return _refused(target.post(TRACES, form, body, headers=[("Content-Encoding", "gzip")]), form)


@check(
    "http.json.empty-body",
    EXTRA,
    "Nothing is not a JSON object: 400",
)
def empty_body(target):
    return _refused(target.post(TRACES, JSON, b""), JSON)


@check(
    "http.json.wrong-shape",
    MUST,
    "JSON of another shape than the message (a list, a number where an object belongs, a text where a list belongs) is bad data: 400",
)
def wrong_shape(target):
    shapes = (b"[]", b"7", b'"traces"', b'{"resourceSpans":"none"}', b'{"resourceSpans":[7]}', b'{"resourceSpans":{}}')
    for body in shapes:
        answer = target.post(TRACES, JSON, body)
        expect(answer.status == 400, f"{answer} to {body.decode()} (expected: 400)")
    return f"400 to {len(shapes)} shapes"


@check(
    "http.{form}.other-form",
    MUST,
    "A body in the other form than its content type says is bad data: 400",
    form=FORMS,
)
def other_form(target, form):
    other = PROTOBUF if form == JSON else JSON
    return _refused(target.post(TRACES, form, encode(target.request(TRACES), other)), form)


@check(
    "http.protobuf.invalid-utf8",
    EXTRA,
    "A text that is not UTF-8 breaks no receiver: 400, or taken",
)
def invalid_utf8(target):
    body = encode(target.request(TRACES), PROTOBUF).replace(b"conformance span", b"conformance \xff\xfe\xfd\xfc")
    answer = target.post(TRACES, PROTOBUF, body)
    expect(answer.status in (200, 400), f"{answer} (expected: 200 or 400)")
    return str(answer)


@check(
    "grpc.{signal}.malformed",
    MUST,
    "Data that cannot be decoded is refused with a code that asks for no retry",
    signal=SIGNALS,
)
def grpc_malformed(target, signal):
    for body in (GARBAGE, _truncated(target, signal, PROTOBUF)):
        reply = target.call(signal, body)
        expect(reply.code != "OK" and not grpc_client.is_retryable(reply), f"{reply} (expected: an error without retry)")
    return str(reply)


@check(
    "grpc.{signal}.invalid-argument",
    SHOULD,
    "The code for data that cannot be decoded is INVALID_ARGUMENT",
    signal=SIGNALS,
)
def grpc_invalid_argument(target, signal):
    reply = target.call(signal, GARBAGE)
    expect(reply.code == "INVALID_ARGUMENT", f"{reply} (expected: INVALID_ARGUMENT)")
    return str(reply)
