"""Bodies as networks and clients deliver them: announced, in chunks, slowly, halfway."""
import gzip
import time

from otlp_conformance.registry import EXTRA, Skipped, check, expect
from otlp_conformance.signals import TRACES
from otlp_conformance.target import CONTENT_TYPES, FORMS, PROTOBUF, decode, encode

PAUSE = 0.1


def _type(form=PROTOBUF):
    return ("Content-Type", CONTENT_TYPES[form])


def _chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def _in_pieces(body, count):
    size = max(1, -(-len(body) // count))
    return [body[i : i + size] for i in range(0, len(body), size)]


@check("http.expect-continue", EXTRA, "A sender that asks with Expect: 100-continue is told to go on, and then answered")
def expect_continue(target):
    body = encode(target.request(TRACES), PROTOBUF)
    with target.connect() as connection:
        connection.head("POST", TRACES.path, [_type(), ("Content-Length", len(body)), ("Expect", "100-continue")])
        if not connection.answered(5):
            connection.send(body)
            decode(TRACES, PROTOBUF, connection.read())
            raise Skipped("never says 100 Continue, but takes the body when it comes (allowed by HTTP)")
        interim = connection.interim()
        expect(interim == 100, f"{interim} (expected: 100)")
        connection.send(body)
        answer = connection.read()
    decode(TRACES, PROTOBUF, answer)
    return f"100, then {answer}"


@check("http.expect-continue.refused", EXTRA, "A sender that asks with Expect: 100-continue for too large a body gets a refusal or 100, not silence")
def expect_continue_refused(target):
    with target.connect() as connection:
        connection.head("POST", TRACES.path, [_type(), ("Content-Length", 1 << 40), ("Expect", "100-continue")])
        expect(connection.answered(10), "nothing within 10 s (expected: 413 or 417, or 100)")
        status = connection.interim()
    expect(status in (100, 413, 417), f"{status} (expected: 413 or 417, or 100)")
    return str(status)


@check("http.{form}.chunked", EXTRA, "A body of unknown length in chunks is taken", form=FORMS)
def chunked(target, form):
    body = encode(target.request(TRACES, 10), form)
    with target.connect() as connection:
        connection.head("POST", TRACES.path, [_type(form), ("Transfer-Encoding", "chunked")])
        for piece in _in_pieces(body, 7):
            connection.send(_chunk(piece))
        connection.send(_chunk(b""))
        answer = connection.read()
    decode(TRACES, form, answer)
    return str(answer)


@check("http.chunked.gzip", EXTRA, "A compressed body in chunks is taken")
def chunked_gzip(target):
    body = gzip.compress(encode(target.request(TRACES, 10), PROTOBUF))
    with target.connect() as connection:
        connection.head("POST", TRACES.path, [_type(), ("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip")])
        for piece in _in_pieces(body, 5):
            connection.send(_chunk(piece))
        connection.send(_chunk(b""))
        answer = connection.read()
    decode(TRACES, PROTOBUF, answer)
    return str(answer)


@check("http.gzip.members", EXTRA, "A gzip stream of several members, as streaming compressors write it, is taken")
def gzip_members(target):
    body = encode(target.request(TRACES, 10), PROTOBUF)
    squeezed = b"".join(gzip.compress(piece) for piece in _in_pieces(body, 3))
    answer = target.post(TRACES, PROTOBUF, squeezed, headers=[("Content-Encoding", "gzip")])
    decode(TRACES, PROTOBUF, answer)
    return str(answer)


@check("http.slow", EXTRA, "A body that arrives slowly is taken when it is complete")
def slow(target):
    body = encode(target.request(TRACES, 10), PROTOBUF)
    with target.connect() as connection:
        connection.head("POST", TRACES.path, [_type(), ("Content-Length", len(body))])
        for piece in _in_pieces(body, 20):
            connection.send(piece)
            time.sleep(PAUSE)
        answer = connection.read()
    decode(TRACES, PROTOBUF, answer)
    return f"{answer}, after {20 * PAUSE:.0f} s"


@check("http.slow.others", EXTRA, "A hundred senders that stop halfway keep nobody else waiting")
def slow_others(target):
    body = encode(target.request(TRACES), PROTOBUF)
    stuck = []
    try:
        for _ in range(100):
            connection = target.connect()
            stuck.append(connection)
            connection.head("POST", TRACES.path, [_type(), ("Content-Length", len(body))])
            connection.send(body[: len(body) // 2])
        begin = time.monotonic()
        answer = target.post(TRACES, PROTOBUF, body)
        seconds = time.monotonic() - begin
    finally:
        for connection in stuck:
            connection.close()
    decode(TRACES, PROTOBUF, answer)
    expect(seconds < 5, f"{answer} after {seconds:.1f} s (expected: within 5 s)")
    return f"{answer} after {seconds:.2f} s"


@check("http.truncated", EXTRA, "A body that ends early is never acknowledged, and harms nobody else")
def truncated(target):
    body = encode(target.request(TRACES, 2), PROTOBUF)
    # Cut between two spans, the first half would be a request of its own.
    for sent, headers in (
        (body[:-10], [("Content-Length", len(body))]),
        (_chunk(body), [("Transfer-Encoding", "chunked")]),
    ):
        with target.connect(timeout=5) as connection:
            connection.head("POST", TRACES.path, [_type(), *headers])
            connection.send(sent)
            connection.finish_sending()
            try:
                status = connection.read().status
            except (OSError, ValueError, ConnectionError) as e:
                status = type(e).__name__
            expect(status != 200, "200 (expected: no success)")
    answer = target.post(TRACES, PROTOBUF, body)
    decode(TRACES, PROTOBUF, answer)
    return f"{status}, then {answer} to another"
