"""A real server that a test may stop, kill and bring back on the same ports."""
import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
ROLLSCOPE = os.path.join(ROOT, "rollscope")
PATIENCE = 90


class Server:
    def __init__(self, data, *options):
        self._prepare(data, options)
        self.start()

    def _prepare(self, data, options):
        self.data = str(data)
        self._options = options
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("ROLLSCOPE_", "OTEL_"))}
        self._ports = ("0", "0", "0")

    @classmethod
    def running(cls, data):
        """One that somebody else has started, and stops."""
        one = cls.__new__(cls)
        one._prepare(data, ())
        one._find()
        return one

    def start(self):
        http, otlp, grpc = self._ports
        self.rollscope("server", "start", "--detach", "--data", self.data, "--port", http, "--otlp-http-port", otlp, "--otlp-grpc-port", grpc, *self._options)
        self._find()

    def _find(self):
        self.status = json.loads(self.rollscope("server", "status", "--data", self.data, "--format", "json"))
        self.url, self.otlp, self.pid = self.status["url"], self.status["otlp_http"], self.status["pid"]
        # The same again after a restart, so that clients find it.
        self._ports = tuple(address.rsplit(":", 1)[1] for address in (self.url, self.otlp, self.status["otlp_grpc"]))

    def stop(self):
        self.rollscope("server", "stop", "--data", self.data)

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        wait_until(lambda: not os.path.exists(f"/proc/{self.pid}"), "the server to die")

    def rollscope(self, *arguments):
        done = subprocess.run([ROLLSCOPE, *arguments], capture_output=True, text=True, env=self.environment, check=False)
        assert done.returncode == 0, f"rollscope {' '.join(arguments)}: exit {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def get(self, path, **parameters):
        """An answer of the API below /api/v1."""
        url = f"{self.url}/api/v1/{path}"
        if parameters:
            url += "?" + urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(url, timeout=30) as answer:
            return json.load(answer)

    def live(self, run):
        return self.get(f"runs/{urllib.parse.quote(run, safe='')}/live", scope="all", limit=1000)

    def sql(self, query):
        """Rows of a question, each a dictionary. The views are at most a second behind."""
        request = urllib.request.Request(
            f"{self.url}/api/v1/query", json.dumps({"sql": query}).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            found = json.load(answer)
        names = [column["name"] if isinstance(column, dict) else column for column in found["columns"]]
        return [dict(zip(names, row)) for row in found["rows"]]

    def spans(self, run, where="true"):
        return self.sql(f"select * from spans where run = '{run}' and ({where}) order by start_ns, name")

    def metrics(self, run, where="true"):
        return self.sql(f"select * from metrics where run = '{run}' and ({where}) order by time_ns, name")

    def wait_for(self, ask, wanted, patience=PATIENCE):
        """Asks until the answer is the wanted one (a value, or a function that says so), and returns it; fails with the last answer."""
        accepts = wanted if callable(wanted) else lambda was: was == wanted
        end = time.monotonic() + patience
        while True:
            try:
                was = ask()
                if accepts(was):
                    return was
            except urllib.error.HTTPError as error:
                was = f"{error.code} {error.read()[:200]!r}"
            assert time.monotonic() < end, f"was: {was} (expected: {wanted})"
            time.sleep(0.1)


def wait_until(holds, what, patience=PATIENCE):
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end, f"waited {patience} s for {what}"
        time.sleep(0.02)
