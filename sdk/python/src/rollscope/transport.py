"""How requests leave the process. Two ways come with the library; a third is a class with these two members:

    class MyTransport:
        content_type = "application/x-protobuf"      # or "application/json"

        def send(self, signal: str, body: bytes, timeout: float) -> Result: ...

`signal` is "traces", "logs" or "metrics", `body` an OTLP export request. `send` is called by one thread only, may block up to
`timeout` seconds, and says what became of the request. Pass an instance as `rollscope.init(transport=…)`.
"""

from __future__ import annotations

import email.utils
import gzip
import http.client
import json
import os
import ssl
import time
import urllib.parse
from typing import Any, Dict, Mapping, NamedTuple, Optional, Tuple

from . import _protobuf, _values

try:
    from typing import Protocol
except ImportError:  # pragma: no cover
    Protocol = object  # type: ignore[assignment]

_RETRYABLE = frozenset((408, 429, 502, 503, 504))
_MAX_ANSWER = 1 << 20


class Result(NamedTuple):
    """What became of a request."""

    #: "sent", "retry" (nobody took it, try again), "refused" (never will be taken) or "unclear" (something answered, but not as
    #: a server of this kind does: try again a few times).
    outcome: str
    #: Of a sent request: how many of its items were refused.
    refused_items: int = 0
    #: What the other side said.
    message: str = ""
    #: When to try again, in seconds; None: as the sender thinks best.
    retry_after_s: Optional[float] = None
    #: Ids of spans, with commas between them: the other side wants to know where their work stands.
    want_stack: str = ""


class Transport(Protocol):
    """Takes OTLP requests, one at a time."""

    content_type: str

    def send(self, signal: str, body: bytes, timeout: float) -> Result:
        """Delivers a request or says why not."""

    def close(self) -> None:
        """No more requests will come."""


class OtlpTransport:
    """OTLP over HTTP, one connection that is kept. Proxies of the environment are not used: servers are near."""

    content_type = _protobuf.CONTENT_TYPE

    def __init__(
        self,
        urls: Mapping[str, str],
        headers: Optional[Mapping[str, str]] = None,
        compress: bool = False,
        certificate: Optional[str] = None,
    ) -> None:
        self._targets = {signal: urllib.parse.urlsplit(url) for signal, url in urls.items()}
        self._headers = {"Content-Type": self.content_type, "User-Agent": "rollscope-python", **(headers or {})}
        self._compress = compress
        self._certificate = certificate
        self._connections: Dict[Tuple[str, str], http.client.HTTPConnection] = {}
        self._pid = os.getpid()

    def send(self, signal: str, body: bytes, timeout: float) -> Result:
        if self._pid != os.getpid():  # the connections are those of the process that was forked
            self._connections, self._pid = {}, os.getpid()
        target = self._targets[signal]
        headers = dict(self._headers)
        if self._compress:
            body = gzip.compress(body, 1)
            headers["Content-Encoding"] = "gzip"
        path = (target.path or "/") + ("?" + target.query if target.query else "")
        try:
            return self._post(target, path, body, headers, timeout)
        except OSError as error:
            self._forget(target)
            return Result("retry", message="%s: %s" % (target.netloc, error or type(error).__name__))
        except Exception as error:  # nothing that http.client can make sense of
            self._forget(target)
            return _unclear(target, "no HTTP (%s)" % type(error).__name__)

    def _post(self, target: Any, path: str, body: bytes, headers: Dict[str, str], timeout: float) -> Result:
        kept = (target.scheme, target.netloc) in self._connections
        connection = self._connection(target, timeout)
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            if not kept:
                raise
            # The server closed an idle connection: that is no failure.
            self._forget(target)
            connection = self._connection(target, timeout)
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
        text = answer.read(_MAX_ANSWER)
        more = b"" if answer.isclosed() else answer.read(1)
        is_whole = not more and not answer.length
        if answer.will_close or not is_whole:
            self._forget(target)
        return _result(target, answer, text, is_whole)

    def _connection(self, target: Any, timeout: float) -> http.client.HTTPConnection:
        key = (target.scheme, target.netloc)
        connection = self._connections.get(key)
        if connection is None:
            if target.scheme == "https":
                tls = ssl.create_default_context(cafile=self._certificate)
                connection = http.client.HTTPSConnection(target.hostname, target.port, timeout=timeout, context=tls)
            else:
                connection = http.client.HTTPConnection(target.hostname, target.port, timeout=timeout)
            self._connections[key] = connection
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        return connection

    def _forget(self, target: Any) -> None:
        connection = self._connections.pop((target.scheme, target.netloc), None)
        if connection is not None:
            connection.close()

    def close(self) -> None:
        for connection in self._connections.values():
            connection.close()
        self._connections.clear()


def _result(target: Any, answer: http.client.HTTPResponse, body: bytes, is_whole: bool) -> Result:
    if 200 <= answer.status < 300:
        result = _sent(target, answer.getheader("Content-Type") or "", body, is_whole)
        return result._replace(want_stack=answer.getheader("rollscope-want-stack") or "")
    message = "HTTP %d: %s" % (answer.status, _status_message(body) or answer.reason)
    if answer.status in _RETRYABLE:
        return Result("retry", message=message, retry_after_s=_retry_after(answer.getheader("Retry-After")))
    return Result("refused", message=message)


def _sent(target: Any, content_type: str, body: bytes, is_whole: bool) -> Result:
    """A page of some other server, with status 200, is no delivery."""
    kind = content_type.partition(";")[0].strip().lower()
    if not is_whole:
        return _unclear(target, "an answer that is cut off or too long")
    try:
        if kind == "application/json" and body:
            refused, message = _json_partial_success(body)
        elif kind in ("", _protobuf.CONTENT_TYPE, "application/protobuf", "application/octet-stream") or not (body or kind == "text/html"):
            refused, message = _partial_success(body)
        else:
            return _unclear(target, _values.readable(kind, 100))
    except Exception:
        return _unclear(target, "bytes that are no export response")
    return Result("sent", refused, message)


def _unclear(target: Any, what: str) -> Result:
    return Result("unclear", message="%s answers with %s (expected: OTLP; is this the port of an OTLP receiver?)" % (target.netloc, what))


def _retry_after(header: Optional[str]) -> Optional[float]:
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _fields(message: bytes) -> Dict[int, Any]:
    """The fields of a protobuf message that are numbers or bytes; the last of each number."""
    found: Dict[int, Any] = {}
    at = 0
    while at < len(message):
        tag, at = _read_varint(message, at)
        if tag & 7 == 0:
            found[tag >> 3], at = _read_varint(message, at)
        elif tag & 7 == 2:
            length, at = _read_varint(message, at)
            if length > len(message) - at:
                raise ValueError("no message")
            found[tag >> 3] = message[at : at + length]
            at += length
        else:
            at += {1: 8, 5: 4}[tag & 7]
    if 0 in found or at > len(message):
        raise ValueError("no message")
    return found


def _read_varint(message: bytes, at: int) -> Tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        if shift > 63:
            raise ValueError("no varint")
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _partial_success(body: bytes) -> Tuple[int, str]:
    """Of an Export…ServiceResponse: how many were refused, and why. Raises if it is none."""
    partial = _fields(_fields(body).get(1, b""))
    refused, message = partial.get(1, 0), partial.get(2, b"")
    if not isinstance(refused, int) or refused >= 1 << 63 or not isinstance(message, bytes):
        raise ValueError("no export response")
    return refused, message.decode("utf-8", "replace")


def _json_partial_success(body: bytes) -> Tuple[int, str]:
    partial = json.loads(body).get("partialSuccess") or {}
    refused = next((partial[name] for name in ("rejectedSpans", "rejectedLogRecords", "rejectedDataPoints") if name in partial), 0)
    return int(refused), str(partial.get("errorMessage") or "")


def _status_message(body: bytes) -> str:
    """Of a google.rpc.Status; anything else is shown as it is, cut."""
    try:
        return str(_fields(body)[2], "utf-8")
    except (IndexError, KeyError, TypeError, ValueError):
        return body[:4096].decode("utf-8", "replace").strip()
