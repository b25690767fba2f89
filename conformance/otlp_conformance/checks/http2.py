"""OTLP/HTTP over HTTP/2 without TLS: a few frames by hand, enough for one request."""
import socket
import struct
from urllib.parse import urlsplit

from otlp_conformance.registry import EXTRA, Skipped, check, expect
from otlp_conformance.signals import TRACES
from otlp_conformance.target import CONTENT_TYPES, PROTOBUF, encode

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, PING, GOAWAY = 0, 1, 4, 6, 7
ACK = END_STREAM = 0x1
END_HEADERS = 0x4
STATIC_STATUS = {8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500}  # RFC 7541, appendix A


@check("http2.accepted", EXTRA, "HTTP/2 without TLS, by prior knowledge, is served as well as HTTP/1.1 (allowed, not required)")
def accepted(target):
    url = urlsplit(target.http_url)
    if url.scheme == "https":
        raise Skipped("the URL is https; cleartext only")
    body = encode(target.request(TRACES), PROTOBUF)
    headers = [
        (":method", "POST"),
        (":scheme", "http"),
        (":authority", url.netloc),
        (":path", url.path.rstrip("/") + TRACES.path),
        ("content-type", CONTENT_TYPES[PROTOBUF]),
        ("content-length", str(len(body))),
        *((name.lower(), value) for name, value in target.headers),
    ]
    frames = _frame(SETTINGS, 0, 0, b"") + _frame(HEADERS, END_HEADERS, 1, b"".join(_literal(n, v) for n, v in headers))
    with socket.create_connection((url.hostname, url.port or 80), timeout=10) as s:
        try:
            s.sendall(PREFACE + frames + _frame(DATA, END_STREAM, 1, body))
            status = _status(s)
        except ConnectionError as e:
            raise Skipped("speaks no HTTP/2 without TLS: hangs up") from e
    expect(status == 200, f"{status} (expected: 200)")
    return "200 over HTTP/2"


def _frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _literal(name, value):
    """Without indexing and without Huffman's code."""
    return b"\x00" + _text(name) + _text(value)


def _text(text):
    data = text.encode()
    return _prefixed(len(data)) + data


def _prefixed(length):
    if length < 127:
        return bytes([length])
    rest, out = length - 127, bytearray([127])
    while rest >= 128:
        out.append(rest % 128 + 128)
        rest //= 128
    return bytes([*out, rest])


def _status(s):
    with s.makefile("rb") as stream:
        while True:
            head = stream.read(9)
            if len(head) < 9 or head.startswith(b"HTTP/1"):
                raise Skipped("speaks no HTTP/2 without TLS")
            length = int.from_bytes(head[:3], "big")
            kind, flags = head[3], head[4]
            payload = stream.read(length)
            if kind == SETTINGS and not flags & ACK:
                s.sendall(_frame(SETTINGS, ACK, 0, b""))
            elif kind == PING and not flags & ACK:
                s.sendall(_frame(PING, ACK, 0, payload))
            elif kind == GOAWAY:
                expect(False, f"GOAWAY {payload[:8].hex()} {payload[8:]!r} (expected: an answer)")
            elif kind == HEADERS:
                return _first_status(payload)


def _first_status(block):
    """:status comes first; it is in the static table, or a literal of digits, plain or in Huffman's code."""
    while block and block[0] >> 5 == 1:  # size updates of the dynamic table
        at = 1
        if block[0] & 31 == 31:
            while block[at] & 128:
                at += 1
            at += 1
        block = block[at:]
    if block[0] & 128:
        return STATIC_STATUS.get(block[0] & 127)
    length = block[1] & 127
    value = block[2 : 2 + length]
    return int(_digits(value) if block[1] & 128 else value)


def _digits(data):
    bits = "".join(f"{b:08b}" for b in data)
    codes = {f"{n:05b}": str(n) for n in range(3)}
    codes.update({f"{0b011001 + n - 3:06b}": str(n) for n in range(3, 10)})
    text, at = "", 0
    while at + 5 <= len(bits) and len(text) < 3:
        width = 5 if bits[at : at + 5] in codes else 6
        text += codes[bits[at : at + width]]
        at += width
    return text
