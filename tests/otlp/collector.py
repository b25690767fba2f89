"""A real server with a data folder of its own, asked as people ask it."""
import json
import os
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
ROLLSCOPE = os.path.join(ROOT, "rollscope")
PATIENCE = 90


class Collector:
    def __init__(self, data):
        self.data = data
        self._environment = {k: v for k, v in os.environ.items() if not k.startswith("ROLLSCOPE_")}
        self.rollscope("server", "start", "--detach", "--data", data, "--port", "0", "--otlp-http-port", "0", "--otlp-grpc-port", "0")
        status = json.loads(self.rollscope("server", "status", "--data", data, "--format", "json"))
        self.url, self.otlp_http, self.otlp_grpc = status["url"], status["otlp_http"], status["otlp_grpc"]

    def rollscope(self, *arguments):
        """Runs ./rollscope and returns what it printed."""
        done = subprocess.run([ROLLSCOPE, *arguments], capture_output=True, text=True, env=self._environment, check=False)
        assert done.returncode == 0, f"rollscope {' '.join(arguments)}: exit {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def stop(self):
        """Seals what is in memory."""
        self.rollscope("server", "stop", "--data", self.data)

    def get(self, path, **parameters):
        url = f"{self.url}/api/v1/{path}"
        if parameters:
            url += "?" + urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(url, timeout=30) as answer:
            return json.load(answer)

    def query(self, sql):
        """The rows of an SQL question, asked through the command line."""
        rows = json.loads(self.rollscope("query", sql, "--url", self.url, "--format", "json"))["rows"]
        return [tuple(row) for row in rows]

    def wait_for(self, ask, wanted):
        """Asks until the answer is the wanted one; fails with the last answer after a while."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                was = ask()
            except urllib.error.HTTPError as e:
                was = f"{e.code} {e.read()[:200]!r}"
            if was == wanted:
                return
            assert time.monotonic() < end, f"was: {was} (expected: {wanted})"
            time.sleep(0.1)
