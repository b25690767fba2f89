"""HTTP/1.1 written by hand, so that requests can be slow, broken, too large and wrong."""
import gzip
import http.client
import select
import socket
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

PIECE = 1 << 20


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict  # names in lower case
    body: bytes
    interim: tuple = ()  # statuses of 1xx answers before it

    @property
    def content_type(self):
        return self.headers.get("content-type", "").split(";")[0].strip().lower()

    def __str__(self):
        return f"{self.status} {self.content_type or 'without content type'}, {len(self.body)} bytes"


class Connection:
    """One connection; requests on it go one after the other."""

    def __init__(self, url, headers=(), timeout=30):
        parts = urlsplit(url)
        self._prefix = parts.path.rstrip("/")
        self._authority = parts.netloc.rpartition("@")[2]
        self._headers = list(headers)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        self._socket = socket.create_connection((parts.hostname, port), timeout=timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if parts.scheme == "https":
            self._socket = ssl.create_default_context().wrap_socket(self._socket, server_hostname=parts.hostname)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._socket.close()

    def head(self, method, path, headers):
        """Sends the request line and headers."""
        lines = [f"{method} {self._prefix}{path} HTTP/1.1", f"Host: {self._authority}"]
        lines += [f"{name}: {value}" for name, value in [*self._headers, *headers]]
        self.send("\r\n".join([*lines, "", ""]).encode("latin-1"))

    def send(self, data):
        self._socket.sendall(data)

    def send_large(self, data):
        """Sends until everything is sent or the other side answers or hangs up. Returns how much was sent."""
        view, sent = memoryview(data), 0
        try:
            while sent < len(view) and not self.answered():
                self._socket.sendall(view[sent : sent + PIECE])
                sent += len(view[sent : sent + PIECE])
        except (BrokenPipeError, ConnectionResetError):
            pass  # an early answer may be waiting all the same
        return sent

    def finish_sending(self):
        """Half-closes, as a client that dies does."""
        self._socket.shutdown(socket.SHUT_WR)

    def answered(self, wait=0):
        """Whether something can be read, or the other side hung up."""
        return bool(select.select([self._socket], [], [], wait)[0])

    def interim(self):
        """Reads the head of an answer byte by byte and returns its status; for answers without a body."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            byte = self._socket.recv(1)
            if not byte:
                raise ConnectionResetError("closed instead of an answer")
            head += byte
        return int(head.split(b" ", 2)[1])

    def read(self, method="POST"):
        """Reads one answer; the connection can then be used again unless it says otherwise."""
        answer = http.client.HTTPResponse(self._socket, method=method)
        answer.begin()
        body = answer.read()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        if headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        return Answer(answer.status, headers, body)

    def read_all(self, count):
        """The statuses of so many answers to requests that were sent without waiting."""
        with self._socket.makefile("rb") as stream:
            return [_next_status(stream) for _ in range(count)]

    def request(self, method, path, headers=(), body=b""):
        self.head(method, path, [*headers, ("Content-Length", len(body))])
        if len(body) <= PIECE:
            self.send(body)
        else:
            self.send_large(body)
        return self.read(method)


def _next_status(stream):
    status = int(stream.readline().split(b" ", 2)[1])
    headers = http.client.parse_headers(stream)
    if headers.get("Transfer-Encoding", "").lower() == "chunked":
        while size := int(stream.readline().split(b";")[0], 16):
            stream.read(size + 2)
        stream.readline()
    else:
        stream.read(int(headers.get("Content-Length", 0)))
    return status
