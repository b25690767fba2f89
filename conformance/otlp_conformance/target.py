"""The receiver under test, and the three ways to send to it."""
import gzip as gzip_format
import json
from dataclasses import dataclass

import grpc
from google.protobuf import json_format

from otlp_conformance import grpc_client, http_client, messages, rpc_status
from otlp_conformance.registry import Failed, Skipped, expect

PROTOBUF = "protobuf"
JSON = "json"
FORMS = (PROTOBUF, JSON)
CONTENT_TYPES = {PROTOBUF: "application/x-protobuf", JSON: "application/json"}


@dataclass(frozen=True)
class Outcome:
    """What became of a request, whichever way it was sent."""

    accepted: bool
    permanent: bool  # refused, and not to be sent again
    response: object  # Export…ServiceResponse, when accepted
    observed: str


class Target:
    def __init__(
        self,
        http=None,
        grpc_address=None,
        headers=(),
        http_limit=64 << 20,
        grpc_limit=64 << 20,
        log_event="",
        verifier=None,
        pressure=0,
    ):
        self._http = http
        self._grpc = grpc_address
        self._headers = list(headers)
        self._channel = None
        self.http_limit = http_limit
        self.grpc_limit = grpc_limit
        self.log_event = log_event
        self.verifier = verifier
        self.pressure = pressure

    def close(self):
        if self._channel:
            self._channel.close()

    def unreachable(self):
        """Which address does not answer, and why; None when all do."""
        try:
            if self._http:
                self.connect(timeout=5).close()
        except OSError as e:
            return f"--http {self._http}: {e}"
        try:
            if self._grpc:
                grpc.channel_ready_future(self.channel()).result(timeout=5)
        except grpc.FutureTimeoutError:
            return f"--grpc {self._grpc}: no connection"
        return None

    def request(self, signal, good=1, bad=0, trace=None):
        return messages.request(signal, good, bad, self.log_event, trace)

    # HTTP

    def connect(self, timeout=30):
        if not self._http:
            raise Skipped("no --http")
        return http_client.Connection(self._http, self._headers, timeout)

    @property
    def http_url(self):
        if not self._http:
            raise Skipped("no --http")
        return self._http

    @property
    def headers(self):
        return self._headers

    def post(self, signal, form, body, gzip=False, headers=()):
        """One request on a connection of its own."""
        with self.connect() as connection:
            return post(connection, signal, form, body, gzip, headers)

    # gRPC

    def channel(self):
        if not self._grpc:
            raise Skipped("no --grpc")
        if not self._channel:
            self._channel = grpc_client.channel(self._grpc)
        return self._channel

    @property
    def grpc_address(self):
        if not self._grpc:
            raise Skipped("no --grpc")
        return self._grpc

    def call(self, signal, body, compression=None, timeout=grpc_client.DEADLINE):
        return grpc_client.call(self.channel(), signal.method, body, self._headers, compression, timeout)


def post(connection, signal, form, body, gzip=False, headers=()):
    sent = [("Content-Type", CONTENT_TYPES[form]), *headers]
    if gzip:
        sent.append(("Content-Encoding", "gzip"))
        body = gzip_format.compress(body)
    return connection.request("POST", signal.path, sent, body)


def encode(message, form):
    if form == PROTOBUF:
        return message.SerializeToString()
    return json.dumps(messages.to_json(message)).encode()


def decode(signal, form, answer):
    """The export response of an answer; fails when there is none in the form of the request."""
    expect(answer.status == 200, f"{answer}: {answer.body[:200]!r} (expected: 200)")
    expect(answer.content_type == CONTENT_TYPES[form], f"{answer} (expected: {CONTENT_TYPES[form]})")
    return _parsed(answer, lambda: _response(signal, form, answer.body))


def decode_status(form, answer):
    """The google.rpc.Status of a refusal; fails when there is none in the form of the request."""
    expect(answer.content_type == CONTENT_TYPES[form], f"{answer} (expected: {CONTENT_TYPES[form]})")
    status = _parsed(answer, lambda: (rpc_status.from_bytes if form == PROTOBUF else rpc_status.from_json)(answer.body))
    expect(status.message, f"{answer}: {answer.body[:200]!r} (expected: a google.rpc.Status with a message)")
    return status


def _response(signal, form, body):
    if form == JSON:
        return json_format.Parse(body, signal.response())
    response = signal.response.FromString(body)
    expect(response.SerializeToString() == body or not body, f"{body[:200]!r} (expected: only known fields)")
    return response


def _parsed(answer, parse):
    try:
        return parse()
    except (json_format.ParseError, ValueError, UnicodeDecodeError) as e:
        raise Failed(f"{answer}: {answer.body[:200]!r}: {e}") from e
    except Exception as e:
        if type(e).__name__ != "DecodeError":
            raise
        raise Failed(f"{answer}: {answer.body[:200]!r}: not the expected message") from e


class Way:
    """How requests travel: gRPC, or HTTP with one of two forms."""

    def __init__(self, name, form=None):
        self.name = name
        self.form = form

    def __format__(self, spec):
        return self.name

    def send(self, target, signal, message, gzip=False):
        if self.form:
            answer = target.post(signal, self.form, encode(message, self.form), gzip)
            if answer.status == 200:
                response = decode(signal, self.form, answer)
                return Outcome(True, False, response, f"200{_partial(signal, response)}")
            permanent = answer.status not in (429, 502, 503, 504)
            return Outcome(False, permanent, None, f"{answer}: {answer.body[:200]!r}")
        compression = grpc.Compression.Gzip if gzip else None
        reply = target.call(signal, message.SerializeToString(), compression)
        if reply.code == "OK":
            response = signal.response.FromString(reply.body)
            return Outcome(True, False, response, f"OK{_partial(signal, response)}")
        return Outcome(False, not grpc_client.is_retryable(reply), None, str(reply))


def _partial(signal, response):
    if not response.HasField("partial_success"):
        return ""
    return f", rejected {rejected(signal, response)}: {response.partial_success.error_message}"


def rejected(signal, response):
    return getattr(response.partial_success, signal.rejected)


HTTP_PROTOBUF = Way("http.protobuf", PROTOBUF)
HTTP_JSON = Way("http.json", JSON)
GRPC = Way("grpc")
WAYS = (HTTP_PROTOBUF, HTTP_JSON, GRPC)


def expect_full_success(signal, outcome):
    """Everything was taken."""
    expect(outcome.accepted, outcome.observed)
    expect(rejected(signal, outcome.response) == 0, f"{outcome.observed} (expected: nothing rejected)")
    return outcome.observed
