"""A real server process on a data folder, and questions to it."""

import json
import os
import re
import signal
import subprocess
import tempfile
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Small segments and journal files, so that every round meets sealing, checkpoints and deletion.
SMALL = "-Drollscope.seal.rows=300 -Drollscope.seal.millis=600 -Drollscope.journal.bytes=65536"


class Server:
    def __init__(self, data, options=SMALL, arguments=(), port=0):
        self.data = data
        self.log = tempfile.TemporaryFile(mode="w+")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ROLLSCOPE_")}
        environment["ROLLSCOPE_JAVA_OPTS"] = options
        self.process = subprocess.Popen(
            [ROOT + "/rollscope", "server", "start", "--data", data, "--port", str(port), "--otlp-http-port", "0",
             "--otlp-grpc-port", "0", *arguments],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment)
        self.addresses = {}

    def wait(self):
        """Until it answers. False if it ended instead."""
        patterns = {"url": r"page, API +(\S+)", "otlp_http": r"OTLP/HTTP +(\S+)", "otlp_grpc": r"OTLP/gRPC +(\S+)"}
        while len(self.addresses) < len(patterns):
            line = self.process.stdout.readline()
            if not line:
                self.process.wait()
                return False
            for name, pattern in patterns.items():
                found = re.search(pattern, line)
                if found:
                    self.addresses[name] = found.group(1)
        return True

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait()

    def errors(self):
        self.log.seek(0)
        return self.log.read()

    def ask(self, path, body=None, method=None):
        request = urllib.request.Request(
            self.addresses["url"] + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or "null")

    def query(self, sql):
        answer = self.ask("/api/v1/query", {"sql": sql})
        assert not answer["truncated"], "more rows than an answer holds"
        return answer["rows"]
