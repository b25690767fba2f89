"""What OTLP leaves to HTTP: methods, paths, content types and encodings, connections."""
from otlp_conformance.registry import EXTRA, MUST, check, expect
from otlp_conformance.signals import SIGNALS, TRACES
from otlp_conformance.target import CONTENT_TYPES, FORMS, PROTOBUF, decode, decode_status, encode, post


def _with_type(target, content_type):
    headers = [("Content-Type", content_type)] if content_type else []
    with target.connect() as connection:
        return connection.request("POST", TRACES.path, headers, encode(target.request(TRACES), PROTOBUF))


@check("http.content-type.unknown", EXTRA, "A content type that is neither Protobuf nor JSON is answered with 415")
def unknown_type(target):
    for content_type in ("text/plain", "application/xml", "application/octet-stream"):
        answer = _with_type(target, content_type)
        expect(answer.status == 415, f"{answer} to {content_type} (expected: 415)")
    return str(answer)


@check("http.content-type.missing", EXTRA, "Without a content type nobody knows what is in the body: 415 or 400")
def missing_type(target):
    answer = _with_type(target, None)
    expect(answer.status in (400, 415), f"{answer} (expected: 415 or 400)")
    return str(answer)


@check("http.encoding.unknown", EXTRA, "A content encoding that the server does not have is refused without asking for a retry: 415 or 400")
def unknown_encoding(target):
    for encoding in ("rot13", "gzip, rot13"):
        body = encode(target.request(TRACES), PROTOBUF)
        answer = target.post(TRACES, PROTOBUF, body, headers=[("Content-Encoding", encoding)])
        expect(answer.status in (400, 415), f"{answer} to {encoding} (expected: 415 or 400)")
    return str(answer)


@check("http.encoding.identity", EXTRA, "No compression may also be said: Content-Encoding: identity")
def identity(target):
    body = encode(target.request(TRACES), PROTOBUF)
    return _success(target.post(TRACES, PROTOBUF, body, headers=[("Content-Encoding", "identity")]))


@check("http.encoding.response", MUST, "An answer is compressed only for those who accept it, and then can be decompressed")
def compressed_response(target):
    body = encode(target.request(TRACES, 1, 1), PROTOBUF)
    plain = target.post(TRACES, PROTOBUF, body)
    expect("content-encoding" not in plain.headers, f"{plain.headers} (expected: no content encoding without Accept-Encoding)")
    squeezed = target.post(TRACES, PROTOBUF, body, headers=[("Accept-Encoding", "gzip")])
    decode(TRACES, PROTOBUF, squeezed)
    return f"{squeezed}, content encoding {squeezed.headers.get('content-encoding', 'none')}"


@check("http.{signal}.method", EXTRA, "Other methods than POST are answered with 405, which by HTTP names those allowed", signal=SIGNALS)
def method(target, signal):
    for verb in ("GET", "PUT", "DELETE"):
        with target.connect() as connection:
            answer = connection.request(verb, signal.path)
        expect(answer.status == 405, f"{answer} to {verb} (expected: 405)")
        expect("POST" in answer.headers.get("allow", ""), f"{answer} to {verb} without Allow: POST")
    return f"{answer}, Allow: {answer.headers['allow']}"


@check("http.path.unknown", EXTRA, "A path that is no signal's is answered with 404")
def path(target):
    for wrong in ("/v1/nothing", "/v1/traces/more", "/v2/traces"):
        with target.connect() as connection:
            answer = connection.request("POST", wrong, [("Content-Type", CONTENT_TYPES[PROTOBUF])])
        expect(answer.status == 404, f"{answer} to {wrong} (expected: 404)")
    return str(answer)


REFUSED = {
    "method": ("GET", []),
    "encoding": ("POST", [("Content-Encoding", "rot13")]),
}


@check(
    "http.{form}.refusal-body.{why}",
    MUST,
    "The body of every 4xx and 5xx answer is a google.rpc.Status with a message, in the form of the request",
    form=FORMS,
    why=tuple(REFUSED),
)
def refusal_body(target, form, why):
    method, headers = REFUSED[why]
    with target.connect() as connection:
        answer = connection.request(method, TRACES.path, [("Content-Type", CONTENT_TYPES[form]), *headers], b"x")
    expect(answer.status >= 400, f"{answer} (expected: a refusal)")
    return f"{answer.status}: {decode_status(form, answer).message}"


@check("http.keep-alive", EXTRA, "A connection serves many requests, one after the other, in both forms")
def keep_alive(target):
    with target.connect() as connection:
        for number in range(20):
            form = FORMS[number % 2]
            _success(post(connection, TRACES, form, encode(target.request(TRACES), form)), form)
    return "20 requests on one connection"


@check("http.keep-alive.after-error", EXTRA, "After a refusal the connection is usable, or its end was announced")
def after_error(target):
    body = encode(target.request(TRACES), PROTOBUF)
    kept = 0
    for wrong in (
        [("Content-Type", CONTENT_TYPES[PROTOBUF])],  # with a body that is none
        [("Content-Type", "text/plain")],
        [("Content-Type", CONTENT_TYPES[PROTOBUF]), ("Content-Encoding", "rot13")],
    ):
        with target.connect() as connection:
            refused = connection.request("POST", TRACES.path, wrong, b"\xff" * 100)
            expect(refused.status >= 400, f"{refused} (expected: a refusal)")
            if refused.headers.get("connection", "").lower() == "close":
                continue
            _success(post(connection, TRACES, PROTOBUF, body))
            kept += 1
    return f"{kept} of 3 connections kept"


@check("http.pipelined", EXTRA, "Requests sent without waiting for answers are answered in their order")
def pipelined(target):
    good = encode(target.request(TRACES), PROTOBUF)
    with target.connect() as connection:
        for body in (good, b"\xff" * len(good), good):
            connection.head("POST", TRACES.path, [("Content-Type", CONTENT_TYPES[PROTOBUF]), ("Content-Length", len(body))])
            connection.send(body)
        statuses = connection.read_all(3)
    expect(statuses == [200, 400, 200], f"{statuses} (expected: 200, 400, 200)")
    return str(statuses)


def _success(answer, form=PROTOBUF):
    decode(TRACES, form, answer)
    return str(answer)
