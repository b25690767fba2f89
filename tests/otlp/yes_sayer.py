"""A receiver that says yes to everything and keeps nothing: what the conformance suite must not believe."""
import http.server
import threading


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _yes(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline() or b"0", 16):
                self.rfile.read(size + 2)
            self.rfile.readline()
        left = int(self.headers.get("Content-Length", 0))
        while left > 0 and (piece := self.rfile.read(min(left, 1 << 20))):
            left -= len(piece)
        is_json = self.headers.get("Content-Type", "").startswith("application/json")
        body = b"{}" if is_json else b""
        self.send_response(200)
        self.send_header("Content-Type", "application/json" if is_json else "application/x-protobuf")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_PUT = do_DELETE = do_POST = _yes

    def log_message(self, *_):
        pass


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 200

    def handle_error(self, *_):
        pass  # checks hang up in the middle of requests; that is their business


class YesSayer:
    def __enter__(self):
        self._server = _Server(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
