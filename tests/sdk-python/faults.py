"""A small HTTP server that answers as it is told, for faults that a real one has no button for."""
import gzip
import http.server
import socket
import struct
import threading

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class FaultyServer:
    """`answer(handler, path, number)` says what happens to the request of this number; without it all is well."""

    def __init__(self, answer=None):
        self.answer = answer
        self.requests = []
        self.release = threading.Event()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                outer.requests.append((self.path, dict(self.headers), body))
                if outer.answer is None:
                    self.say(200)
                else:
                    outer.answer(self, self.path, len(outer.requests))

            def say(self, status, body=b"", **headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def reset(self):
                """The connection breaks off."""
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()

            def log_message(self, *words):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *words: None
        self.url = "http://127.0.0.1:%d" % self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.release.set()
        self._server.shutdown()
        self._server.server_close()

    def spans(self):
        return [s.name for path, _, body in self.requests if path == "/v1/traces" for s in _spans(body)]

    def records(self, event_name):
        found = []
        for path, _, body in list(self.requests):
            if path == "/v1/logs":
                for group in ExportLogsServiceRequest.FromString(body).resource_logs:
                    found += [r for scope in group.scope_logs for r in scope.log_records if r.event_name == event_name]
        return found


def _spans(body):
    return [s for g in ExportTraceServiceRequest.FromString(body).resource_spans for c in g.scope_spans for s in c.spans]
