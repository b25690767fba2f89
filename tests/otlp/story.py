"""What one process of a training run reports: a finished session, one that runs, one whose process ended, and metrics."""
import time

from opentelemetry.trace import Status, StatusCode
from sender import Sender

SECOND = 1_000_000_000


class Story:
    """Told once through one protocol; remembers what it told."""

    def __init__(self, collector, protocol, gzip):
        self.run = f"sdk/{protocol}"
        self.begin = time.time_ns() // SECOND * SECOND - 60 * SECOND
        self.sender = Sender(collector, protocol, self.run, gzip)
        self.gone = Sender(collector, protocol, self.run, gzip)
        self._finished_session()
        self._running_session()
        self._metrics()
        self.sender.flush()
        self._session_of_a_process_that_ended()
        self.gone.flush()

    def at(self, seconds):
        return self.begin + int(seconds * SECOND)

    def _finished_session(self):
        of = {"rl__session__id": "s-done", "rl__task__id": "t-1", "rl__train_step": 5}
        root = self.sender.span("rollout", self.at(0), rl__kind="session", rl__status="accepted", **of)
        usage = {"gen_ai.usage.output_tokens": 128, "temperature": 0.5, "stop": True, "tools": ["search", "python"]}
        self.generate = self.sender.span("generate", self.at(1), self.at(4), root, **usage)
        reward = self.sender.span("reward", self.at(5), parent=root)
        reward.record_exception(ValueError("no answer"), timestamp=self.at(6))
        reward.set_status(Status(StatusCode.ERROR, "no answer"))
        reward.end(self.at(6))
        root.end(self.at(10))
        self.root, self.reward = root, reward
        verdict = {"rl__status": "rejected", "rl__reason": "low score"}
        self.sender.tell("rollscope.session.final", self.at(10), root, **verdict)

    def _running_session(self):
        of = {"rl__session__id": "s-running", "rl__task__id": "t-2", "rl__train_step": 5}
        self.open_root = self.sender.start("rollout", self.at(2), rl__kind="session", **of)
        self.open_tool = self.sender.start("toolcall", self.at(3), self.open_root, rl__attempt=2)
        self.sender.tell("rollscope.beat", self.at(50), rollscope__open_spans=2)

    def beat(self):
        """Its process lives, however long the asking takes: half a minute of silence would lose what is open."""
        self.sender.tell("rollscope.beat", self.at(50), rollscope__open_spans=2)
        self.sender.flush_logs()

    def _session_of_a_process_that_ended(self):
        of = {"rl__session__id": "s-lost", "rl__task__id": "t-3", "rl__train_step": 5}
        self.lost_root = self.gone.start("rollout", self.at(2), rl__kind="session", **of)
        self.gone.start("generate", self.at(3), self.lost_root)
        self.gone.tell("rollscope.beat", self.at(20), rollscope__open_spans=2)
        self.gone.tell("rollscope.process.end", self.at(21), rollscope__open_spans=2)

    def _metrics(self):
        meter, labels = self.sender.meter, {"engine": "vllm"}
        counter = meter.create_counter("rl.samples", unit="1")
        counter.add(3, labels)
        counter.add(4, labels)
        queued = meter.create_up_down_counter("rl.queued")
        queued.add(5)
        queued.add(-2)
        meter.create_gauge("rl.kl", unit="1").set(0.25, labels)
        reward, tokens = meter.create_histogram("rl.reward", unit="1"), meter.create_histogram("rl.tokens")
        for value in (1, 2, 3):
            reward.record(value)
        for value in (0, 1, 2, 4, 8):
            tokens.record(value)

    def close(self):
        self.sender.close()
        self.gone.close()
