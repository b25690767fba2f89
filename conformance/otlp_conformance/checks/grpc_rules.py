"""What OTLP leaves to gRPC: methods, compression, deadlines, many calls at once."""
import socket
from concurrent.futures import ThreadPoolExecutor

import grpc

from otlp_conformance import grpc_client
from otlp_conformance.registry import EXTRA, SHOULD, check, expect
from otlp_conformance.signals import SIGNALS, TRACES


def _body(target, signal=TRACES):
    return target.request(signal).SerializeToString()


@check("grpc.method.unknown", EXTRA, "A method that nobody has is answered with UNIMPLEMENTED")
def unknown_method(target):
    for method in (TRACES.method + "Stream", "/opentelemetry.proto.collector.nothing.v1.NothingService/Export"):
        reply = grpc_client.call(target.channel(), method, b"", target.headers)
        expect(reply.code == "UNIMPLEMENTED", f"{reply} (expected: UNIMPLEMENTED)")
    return str(reply)


@check("grpc.compression.unknown", EXTRA, "A compression that the server does not have is answered with UNIMPLEMENTED, one that it has with OK")
def unknown_compression(target):
    reply = target.call(TRACES, _body(target), grpc.Compression.Deflate)
    expect(reply.code in ("OK", "UNIMPLEMENTED"), f"{reply} to deflate (expected: UNIMPLEMENTED or OK)")
    again = target.call(TRACES, _body(target), grpc.Compression.Gzip)
    expect(again.code == "OK", f"{reply} to deflate, then {again} to gzip (expected: OK)")
    return f"{reply} to deflate"


@check("grpc.{signal}.deadline.kept", EXTRA, "A call with a deadline of ten seconds is answered before", signal=SIGNALS)
def deadline_kept(target, signal):
    reply = target.call(signal, _body(target, signal), timeout=10)
    expect(reply.code == "OK", f"{reply} (expected: OK)")
    return str(reply)


@check("grpc.deadline.passed", EXTRA, "Calls whose deadline passes, or that are cancelled, leave the connection usable")
def deadline_passed(target):
    passed = sum(target.call(TRACES, _body(target), timeout=0.0005).code == "DEADLINE_EXCEEDED" for _ in range(20))
    unary = target.channel().unary_unary(TRACES.method, request_serializer=bytes, response_deserializer=bytes)
    for _ in range(20):
        unary.future(_body(target), timeout=10, metadata=[(n.lower(), v) for n, v in target.headers]).cancel()
    reply = target.call(TRACES, _body(target))
    expect(reply.code == "OK", f"{reply} after {passed} deadlines and 20 cancellations (expected: OK)")
    return f"OK after {passed} deadlines and 20 cancellations"


@check("grpc.concurrent", SHOULD, "Many calls at once on one connection are answered, each with its own answer")
def concurrent(target):
    target.channel()

    def one(number):
        signal = SIGNALS[number % 3]
        body = _body(target, signal) if number % 4 else b"\xff"
        return target.call(signal, body).code == "OK", bool(number % 4)

    with ThreadPoolExecutor(50) as pool:
        outcomes = list(pool.map(one, range(400)))
    wrong = sum(was != expected for was, expected in outcomes)
    expect(wrong == 0, f"{wrong} of 400 calls with the answer of another")
    return "400 calls, 50 at a time, a quarter of them malformed"


@check("grpc.http1", EXTRA, "HTTP/1.1 on the gRPC port is refused or ignored; gRPC goes on")
def http1(target):
    authority = target.grpc_address.rpartition("://")[2]
    host, _, port = authority.rpartition(":")
    with socket.create_connection((host.strip("[]"), int(port)), timeout=5) as s:
        s.sendall(f"POST /v1/traces HTTP/1.1\r\nHost: {authority}\r\nContent-Length: 0\r\n\r\n".encode())
        try:
            first = s.recv(64)
        except OSError:
            first = b""
    expect(b" 200 " not in first, f"{first!r} (expected: no success)")
    reply = target.call(TRACES, _body(target))
    expect(reply.code == "OK", f"{reply} afterwards (expected: OK)")
    return f"{first.split(bytes([13]))[0]!r}, then OK to gRPC"
