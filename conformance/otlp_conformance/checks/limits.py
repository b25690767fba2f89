"""How large a message may be, before and after decompression."""
import gzip

import grpc

from otlp_conformance import grpc_client, messages
from otlp_conformance.registry import EXTRA, MUST, SHOULD, check, expect
from otlp_conformance.signals import SIGNALS, TRACES
from otlp_conformance.target import CONTENT_TYPES, JSON, PROTOBUF, decode, decode_status, encode

GZIP = [("Content-Encoding", "gzip")]
LIMIT = "The size of a message is limited, also after decompression (recommended: 64 MiB): "
OVER = LIMIT + "what is over is refused in a way that asks for no retry"


def _sized(target, more, signal=TRACES):
    return messages.padded(target.request(signal), target.http_limit + more)


def _squeezed(data):
    return gzip.compress(data, 1)


def _refused(answer, form=PROTOBUF):
    permanent = 400 <= answer.status < 500 and answer.status != 429
    expect(permanent, f"{answer}: {answer.body[:200]!r} (expected: an error without retry)")
    return f"{answer.status}: {decode_status(form, answer).message}"


def bomb(target, signal):
    """A few kilobytes that decompress to one byte more than the limit."""
    return target.post(signal, PROTOBUF, _squeezed(_sized(target, 1, signal)), headers=GZIP)


@check("http.limit.{signal}.bomb", MUST, OVER, signal=SIGNALS)
def http_bomb(target, signal):
    return _refused(bomb(target, signal))


@check("http.limit.json-bomb", MUST, OVER)
def json_bomb(target):
    body = b'{"future":"' + b"0" * target.http_limit + b'"}'
    return _refused(target.post(TRACES, JSON, _squeezed(body), headers=GZIP), JSON)


@check("http.limit.members-bomb", MUST, OVER)
def members_bomb(target):
    """Every member of the gzip stream is small; all together are not."""
    body = _sized(target, 1)
    step = target.http_limit // 8
    squeezed = b"".join(_squeezed(body[i : i + step]) for i in range(0, len(body), step))
    return _refused(target.post(TRACES, PROTOBUF, squeezed, headers=GZIP))


@check("http.limit.identity", MUST, OVER)
def identity(target):
    return _refused(target.post(TRACES, PROTOBUF, _sized(target, 1)))


@check("http.limit.chunked", MUST, OVER)
def chunked(target):
    body = _sized(target, 1)
    headers = [("Content-Type", CONTENT_TYPES[PROTOBUF]), ("Transfer-Encoding", "chunked")]
    with target.connect() as connection:
        connection.head("POST", TRACES.path, headers)
        connection.send_large(b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n")
        return _refused(connection.read())


@check("http.limit.status", SHOULD, LIMIT + "what is over is answered with 413")
def status(target):
    for answer in (bomb(target, TRACES), target.post(TRACES, PROTOBUF, _sized(target, 1))):
        expect(answer.status == 413, f"{answer}: {answer.body[:200]!r} (expected: 413)")
    return f"413: {decode_status(PROTOBUF, answer).message}"


@check("http.limit.reached", SHOULD, "A message of exactly the limit is taken (64 MiB unless --http-limit says otherwise)")
def reached(target):
    body = _sized(target, 0)
    plain = target.post(TRACES, PROTOBUF, body)
    decode(TRACES, PROTOBUF, plain)
    squeezed = target.post(TRACES, PROTOBUF, _squeezed(body), headers=GZIP)
    decode(TRACES, PROTOBUF, squeezed)
    return f"{target.http_limit} bytes: {plain}; compressed: {squeezed}"


@check("http.limit.after", EXTRA, "After a message that was too large, others are taken")
def after(target):
    _refused(bomb(target, TRACES))
    answer = target.post(TRACES, PROTOBUF, encode(target.request(TRACES), PROTOBUF))
    decode(TRACES, PROTOBUF, answer)
    return str(answer)


def grpc_call(target, more, compression=None, signal=TRACES):
    return target.call(signal, messages.padded(target.request(signal), target.grpc_limit + more), compression)


def _exhausted(reply):
    expect(reply.code != "OK", f"{reply} (expected: an error)")
    expect(not grpc_client.is_retryable(reply), f"{reply} (expected: an error without retry, and without RetryInfo)")
    return str(reply)


@check("grpc.limit.{signal}.bomb", MUST, OVER, signal=SIGNALS)
def grpc_bomb(target, signal):
    return _exhausted(grpc_call(target, 1, grpc.Compression.Gzip, signal))


@check("grpc.limit.identity", MUST, OVER)
def grpc_identity(target):
    return _exhausted(grpc_call(target, 1))


@check("grpc.limit.code", SHOULD, LIMIT + "what is over is answered with RESOURCE_EXHAUSTED")
def code(target):
    for compression in (grpc.Compression.NoCompression, grpc.Compression.Gzip):
        reply = grpc_call(target, 1, compression)
        expect(reply.code == "RESOURCE_EXHAUSTED", f"{reply} (expected: RESOURCE_EXHAUSTED)")
    return str(reply)


@check("grpc.limit.reached", SHOULD, "A message of exactly the limit is taken (64 MiB unless --grpc-limit says otherwise)")
def grpc_reached(target):
    for compression in (grpc.Compression.NoCompression, grpc.Compression.Gzip):
        reply = grpc_call(target, 0, compression)
        expect(reply.code == "OK", f"{reply} (expected: OK)")
    return f"{target.grpc_limit} bytes: {reply}"


@check("grpc.limit.after", EXTRA, "After a message that was too large, others are taken")
def grpc_after(target):
    _exhausted(grpc_call(target, 1, grpc.Compression.Gzip))
    reply = target.call(TRACES, target.request(TRACES).SerializeToString())
    expect(reply.code == "OK", f"{reply} (expected: OK)")
    return str(reply)
