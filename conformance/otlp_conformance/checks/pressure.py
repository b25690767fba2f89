"""What a server says that cannot take more for now. Provoked only on demand: --pressure."""
import time

from otlp_conformance import grpc_client, messages, rpc_status
from otlp_conformance.registry import SHOULD, Failed, Skipped, check, expect
from otlp_conformance.signals import TRACES
from otlp_conformance.target import CONTENT_TYPES, PROTOBUF, decode_status

PATIENCE = 10


class Crowd:
    """Connections that hold almost whole messages, so that the server's memory is taken."""

    def __init__(self, target):
        if not target.pressure:
            raise Skipped("provoked only with --pressure MIB: it takes that much of the server's memory")
        self._target = target
        self._connections = []

    def __enter__(self):
        body = bytes(self._target.http_limit - 1)
        headers = [("Content-Type", CONTENT_TYPES[PROTOBUF]), ("Content-Length", len(body) + 1)]
        while len(self._connections) * len(body) < self._target.pressure << 20:
            connection = self._target.connect()
            self._connections.append(connection)
            connection.head("POST", TRACES.path, headers)
            connection.send_large(body)
        return self

    def __exit__(self, *_):
        for connection in self._connections:
            connection.close()


@check(
    "http.pressure",
    SHOULD,
    "A server that cannot take more for now says 429 or 503, with Retry-After in whole seconds if at all, and goes on afterwards",
)
def pressure(target):
    whole = messages.padded(target.request(TRACES), target.http_limit)
    with Crowd(target):
        answer = target.post(TRACES, PROTOBUF, whole)
        if answer.status == 200:
            raise Skipped(f"{target.pressure} MiB of half-sent requests are no burden to it")
        expect(answer.status in (429, 503), f"{answer}: {answer.body[:200]!r} (expected: 429 or 503)")
        delay = answer.headers.get("retry-after")
        expect(delay is None or delay.isdigit(), f"Retry-After: {delay} (expected: whole seconds)")
        status = decode_status(PROTOBUF, answer)
    _recovers(lambda: target.post(TRACES, PROTOBUF, whole).status, 200)
    return f"{answer.status}, Retry-After: {delay}: {status.message}; afterwards 200"


@check(
    "grpc.pressure",
    SHOULD,
    "A server that cannot take more for now says UNAVAILABLE, or RESOURCE_EXHAUSTED with RetryInfo, and goes on afterwards",
)
def grpc_pressure(target):
    whole = messages.padded(target.request(TRACES), target.grpc_limit)
    with Crowd(target):
        reply = target.call(TRACES, whole)
        if reply.code == "OK":
            raise Skipped(f"{target.pressure} MiB of half-sent requests are no burden to it")
        expect(reply.code in ("UNAVAILABLE", "RESOURCE_EXHAUSTED"), f"{reply} (expected: UNAVAILABLE)")
        expect(grpc_client.is_retryable(reply), f"{reply} without RetryInfo (expected: a retryable error)")
        delay = None if reply.status is None else rpc_status.retry_delay(reply.status)
    _recovers(lambda: target.call(TRACES, whole).code, "OK")
    return f"{reply}; RetryInfo: {delay} s; afterwards OK"


def _recovers(attempt, wanted):
    end = time.monotonic() + PATIENCE
    while (was := attempt()) != wanted:
        if time.monotonic() > end:
            raise Failed(f"{was} {PATIENCE} s after the burden was gone (expected: {wanted})")
        time.sleep(0.2)
