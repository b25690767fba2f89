"""A stack in a folder of its own."""
import json
import os
import signal
import socket
import subprocess
import urllib.request

from server import ROLLSCOPE, ROOT, wait_until

__all__ = ["ROOT", "Stack", "answers", "free_port", "is_alive", "wait_until"]

ANY_PORTS = ("--port", "0", "--otlp-http-port", "0", "--otlp-grpc-port", "0")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            return stat.read().rsplit(") ", 1)[1][0] not in "ZX"
    except FileNotFoundError:
        return False


def _heed_ctrl_c():
    """In the child: a suite that was started in the background inherits Ctrl+C as ignored, and Java then leaves it so."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Stack:
    def __init__(self, folder):
        self.data = os.path.join(folder, "data")
        self.port = free_port()
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("ROLLSCOPE_", "OTEL_"))}
        self.environment["HOME"] = str(folder)

    def call(self, *arguments, timeout=120):
        return subprocess.run([ROLLSCOPE, "stack", *arguments, "--data", self.data], capture_output=True, text=True, env=self.environment, timeout=timeout)

    def start_arguments(self, *more):
        return ("start", *more, "--prometheus-port", str(self.port), *ANY_PORTS)

    def start(self, *more):
        done = self.call(*self.start_arguments("--with", "prometheus", "--detach", *more))
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def in_foreground(self, *more):
        return subprocess.Popen(
            [ROLLSCOPE, "stack", *self.start_arguments(*more), "--data", self.data],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
            preexec_fn=_heed_ctrl_c,
        )

    def parts(self):
        done = self.call("status", "--format", "json")
        assert done.returncode == 0, done.stderr
        return {part["name"]: part for part in json.loads(done.stdout)["parts"]}

    def stop(self):
        return self.call("stop")

    def end(self):
        """After a test, whatever it left."""
        pids = [part["pid"] for part in self.parts().values() if part["pid"]]
        self.stop()
        for pid in filter(is_alive, pids):
            os.kill(pid, signal.SIGKILL)
