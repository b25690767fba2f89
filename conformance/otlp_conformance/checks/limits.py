"""How large a message may be, before and after decompression, and what a full server says."""
import gzip
import time

import grpc

from otlp_conformance import grpc_client, messages, rpc_status
from otlp_conformance.registry import EXTRA, MUST, SHOULD, Failed, Skipped, check, expect
from otlp_conformance.signals import SIGNALS, TRACES
from otlp_conformance.target import CONTENT_TYPES, PROTOBUF, decode, decode_status, encode

LIMIT = "The size of a message is limited, also after decompression (recommended: 64 MiB); "
OVER_HTTP = LIMIT + "what is over is answered with 413"
OVER_GRPC = LIMIT + "what is over is answered with RESOURCE_EXHAUSTED without RetryInfo"


def _sized(target, more, signal=TRACES):
    return messages.padded(target.request(signal), target.limit + more)


def _too_large(answer):
    expect(answer.status == 413, f"{answer}: {answer.body[:200]!r} (expected: 413)")
    return f"413: {decode_status(PROTOBUF, answer).message}"


@check("http.limit.{signal}.bomb", MUST, OVER_HTTP, signal=SIGNALS)
def bomb(target, signal):
    """A few kilobytes that decompress to one byte more than the limit."""
    squeezed = gzip.compress(_sized(target, 1, signal), 6)
    answer = target.post(signal, PROTOBUF, squeezed, headers=[("Content-Encoding", "gzip")])
    return f"{len(squeezed)} bytes: {_too_large(answer)}"


@check("http.limit.json-bomb", MUST, OVER_HTTP)
def json_bomb(target):
    body = b'{"future":"' + b"0" * target.limit + b'"}'
    answer = target.post(TRACES, "json", gzip.compress(body, 6), headers=[("Content-Encoding", "gzip")])
    expect(answer.status == 413, f"{answer}: {answer.body[:200]!r} (expected: 413)")
    return f"413: {decode_status('json', answer).message}"


@check("http.limit.members-bomb", MUST, OVER_HTTP)
def members_bomb(target):
    """Every member of the gzip stream is small; all together are not."""
    body = _sized(target, 1)
    step = target.limit // 8
    squeezed = b"".join(gzip.compress(body[i : i + step], 6) for i in range(0, len(body), step))
    return _too_large(target.post(TRACES, PROTOBUF, squeezed, headers=[("Content-Encoding", "gzip")]))


@check("http.limit.identity", MUST, OVER_HTTP)
def identity(target):
    return _too_large(target.post(TRACES, PROTOBUF, _sized(target, 1)))


@check("http.limit.chunked", MUST, OVER_HTTP)
def chunked(target):
    body = _sized(target, 1)
    with target.connect() as connection:
        connection.head("POST", TRACES.path, [("Content-Type", CONTENT_TYPES[PROTOBUF]), ("Transfer-Encoding", "chunked")])
        connection.send_large(b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n")
        answer = connection.read()
    return _too_large(answer)


@check("http.limit.reached", SHOULD, "A message of exactly the limit is taken (64 MiB unless --limit says otherwise)")
def reached(target):
    body = _sized(target, 0)
    plain = target.post(TRACES, PROTOBUF, body)
    decode(TRACES, PROTOBUF, plain)
    squeezed = target.post(TRACES, PROTOBUF, gzip.compress(body, 6), headers=[("Content-Encoding", "gzip")])
    decode(TRACES, PROTOBUF, squeezed)
    return f"{target.limit} bytes: {plain}; compressed: {squeezed}"


@check("http.limit.after", EXTRA, "After a message that was too large, others are taken")
def after(target):
    bomb(target, TRACES)
    answer = target.post(TRACES, PROTOBUF, encode(target.request(TRACES), PROTOBUF))
    decode(TRACES, PROTOBUF, answer)
    return str(answer)


def _exhausted(reply):
    expect(reply.code == "RESOURCE_EXHAUSTED", f"{reply} (expected: RESOURCE_EXHAUSTED)")
    expect(not grpc_client.is_retryable(reply), f"{reply} with RetryInfo (expected: none, as a retry cannot help)")
    return str(reply)


@check("grpc.limit.{signal}.bomb", MUST, OVER_GRPC, signal=SIGNALS)
def grpc_bomb(target, signal):
    return _exhausted(target.call(signal, _sized(target, 1, signal), grpc.Compression.Gzip))


@check("grpc.limit.identity", MUST, OVER_GRPC)
def grpc_identity(target):
    return _exhausted(target.call(TRACES, _sized(target, 1)))


@check("grpc.limit.reached", SHOULD, "A message of exactly the limit is taken (64 MiB unless --limit says otherwise)")
def grpc_reached(target):
    for compression in (grpc.Compression.NoCompression, grpc.Compression.Gzip):
        reply = target.call(TRACES, _sized(target, 0), compression)
        expect(reply.code == "OK", f"{reply} (expected: OK)")
    return f"{target.limit} bytes: {reply}"


@check("grpc.limit.after", EXTRA, "After a message that was too large, others are taken")
def grpc_after(target):
    grpc_bomb(target, TRACES)
    reply = target.call(TRACES, target.request(TRACES).SerializeToString())
    expect(reply.code == "OK", f"{reply} (expected: OK)")
    return str(reply)


class _Crowd:
    """Connections that hold almost whole messages, so that the server's memory is taken."""

    def __init__(self, target):
        if not target.pressure:
            raise Skipped("back-pressure is provoked only with --pressure MIB: it takes that much of the server's memory")
        self._target = target
        self._connections = []

    def __enter__(self):
        body = bytes(self._target.limit - 1)
        while len(self._connections) * self._target.limit < self._target.pressure << 20:
            connection = self._target.connect()
            self._connections.append(connection)
            connection.head(
                "POST", TRACES.path, [("Content-Type", CONTENT_TYPES[PROTOBUF]), ("Content-Length", self._target.limit)]
            )
            connection.send_large(body)
        return self

    def __exit__(self, *_):
        for connection in self._connections:
            connection.close()

    def whole(self):
        return messages.padded(self._target.request(TRACES), self._target.limit)


@check("http.pressure", SHOULD, "A server that cannot take more for now says 429 or 503, with Retry-After in whole seconds if at all, and goes on afterwards")
def pressure(target):
    with _Crowd(target) as crowd:
        answer = target.post(TRACES, PROTOBUF, crowd.whole())
        if answer.status == 200:
            raise Skipped(f"{target.pressure} MiB of half-sent requests are no burden to it")
        expect(answer.status in (429, 503), f"{answer}: {answer.body[:200]!r} (expected: 429 or 503)")
        delay = answer.headers.get("retry-after")
        expect(delay is None or delay.isdigit(), f"Retry-After: {delay} (expected: whole seconds)")
        status = decode_status(PROTOBUF, answer)
    _recovers(lambda: target.post(TRACES, PROTOBUF, crowd.whole()).status, 200)
    return f"{answer.status}, Retry-After: {delay}: {status.message}; afterwards 200"


@check("grpc.pressure", SHOULD, "A server that cannot take more for now says UNAVAILABLE, or RESOURCE_EXHAUSTED with RetryInfo, and goes on afterwards")
def grpc_pressure(target):
    with _Crowd(target) as crowd:
        reply = target.call(TRACES, crowd.whole())
        if reply.code == "OK":
            raise Skipped(f"{target.pressure} MiB of half-sent requests are no burden to it")
        expect(reply.code in ("UNAVAILABLE", "RESOURCE_EXHAUSTED"), f"{reply} (expected: UNAVAILABLE)")
        expect(grpc_client.is_retryable(reply), f"{reply} without RetryInfo (expected: a retryable error)")
        delay = None if reply.status is None else rpc_status.retry_delay(reply.status)
    _recovers(lambda: target.call(TRACES, crowd.whole()).code, "OK")
    return f"{reply}; RetryInfo: {delay} s; afterwards OK"


def _recovers(attempt, wanted):
    end = time.monotonic() + 10
    while (was := attempt()) != wanted:
        if time.monotonic() > end:
            raise Failed(f"{was} 10 s after the burden was gone (expected: {wanted})")
        time.sleep(0.2)
