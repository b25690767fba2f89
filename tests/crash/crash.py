"""Kills a server that is receiving, again and again, and compares what it acknowledged with what it still knows."""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time

from server import Server
from traffic import GrpcClient, HttpClient, Ledger, Sender

SENDERS = 4


class Crash:
    def __init__(self, data, random_numbers):
        self.data = data
        self.random = random_numbers
        self.ledger = Ledger()
        self.found = {}  # problem -> examples
        self.slowest = 0

    def problem(self, what, example):
        self.found.setdefault(what, []).append(str(example))

    def start(self):
        """Starts the server; sometimes it is killed while it reads its journal, and started again."""
        while True:
            server = Server(self.data)
            if self.random.random() < 0.2:
                time.sleep(self.random.uniform(0.2, 2))
                server.kill()
                continue
            began = time.monotonic()
            if not server.wait():
                print(f"Bail out! server does not start: {server.errors()}")
                sys.exit(1)
            self.slowest = max(self.slowest, time.monotonic() - began)
            return server

    def round(self, number):
        run = f"crash-{number}"
        server = self.start()
        self.repeat_doubtful(server)
        self.compare(server, f"crash-{number - 1}")
        if number > 2:
            self.compare(server, f"crash-{self.random.randrange(1, number)}")
        senders = [
            Sender((HttpClient if i % 2 else GrpcClient)(server.addresses), run, self.ledger) for i in range(SENDERS)]
        for sender in senders:
            sender.start()
        time.sleep(self.random.uniform(0.2, 3))
        if self.random.random() < 0.2:
            server.process.terminate()
            time.sleep(self.random.uniform(0, 1))
        server.kill()
        for sender in senders:
            sender.join()
            if sender.error:
                self.problem("a request was refused for ever", sender.error)

    def repeat_doubtful(self, server):
        """As OTLP clients do: what was not acknowledged is sent once more."""
        client = HttpClient(server.addresses)
        for request in self.ledger.take_doubts():
            client.send(request)
            self.ledger.acknowledged(request)
        client.close()

    def compare(self, server, name):
        run = self.ledger.run(name)
        deadline = time.monotonic() + 90
        while True:
            problems = self.differences(server, name, run)
            # A repeated request may take a second until it is visible.
            if not problems or time.monotonic() > deadline:
                break
            time.sleep(0.3)
        for what, example in problems:
            self.problem(what, f"{name}: {example}")

    def differences(self, server, name, run):
        problems = []
        outcomes = {}
        for trace, span, outcome in server.query(f"SELECT trace_id, span_id, outcome FROM spans WHERE run = '{name}'"):
            if (trace, span) in outcomes:
                problems.append(("a span is there twice", (trace, span)))
            outcomes[trace, span] = outcome
        for span, closed in run.spans.items():
            expected = "ok" if closed else "open"
            if outcomes.get(span) != expected:
                what = "missing" if span not in outcomes else outcomes[span]
                problems.append((f"a span that is {expected} is {what}", span))
        problems += [("a span nobody sent", s) for s in outcomes if s not in run.spans]
        statuses = {}
        for session, status in server.query(f"SELECT session, status FROM sessions WHERE run = '{name}'"):
            if session in statuses:
                problems.append(("a session is there twice", session))
            statuses[session] = status
        for session, spans in run.session_of.items():
            closed = all(run.spans[s] for s in spans)
            expected = run.verdicts.get(session, "completed" if closed else "running")
            if statuses.get(session) != expected:
                problems.append((f"a session that is {expected} is {statuses.get(session)}", session))
        for known in server.ask("/api/v1/runs")["runs"]:
            if known["run"] == name and run.spans and not 0 < known["first_s"] <= known["last_s"]:
                problems.append(("a run ends before it begins", (known["first_s"], known["last_s"])))
        points = [int(float(v)) for (v,) in server.query(f"SELECT value FROM metrics WHERE run = '{name}'")]
        problems += [("a metric point is missing", p) for p in run.points.difference(points)]
        if len(points) != len(set(points)):
            problems.append(("a metric point is there twice", name))
        problems += [("a point nobody sent", p) for p in set(points) - run.points - run.maybe_points]
        return problems

    def finish(self, rounds):
        server = self.start()
        self.repeat_doubtful(server)
        for number in range(1, rounds + 1):
            self.compare(server, f"crash-{number}")
        server.kill()
        runs = self.ledger.runs.values()
        spans = sum(len(r.spans) for r in runs)
        opened = sum(not closed for r in runs for closed in r.spans.values())
        verdicts = sum(len(r.verdicts) for r in runs)
        points = sum(len(r.points) for r in runs)
        print(f"# {rounds} kills; acknowledged: {spans} spans, {opened} of them open, {verdicts} verdicts,"
              f" {points} points; slowest start {self.slowest:.1f} s")
        if not self.found:
            print("ok - crash: everything acknowledged is there, once, as it was")
        for what, examples in self.found.items():
            print(f"not ok - crash: {what} ({len(examples)} times)")
            for example in examples[:5]:
                print("# " + example)
        return not self.found


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    arguments.add_argument("--keep", action="store_true", help="keep the data folder")
    chosen = arguments.parse_args()
    data = tempfile.mkdtemp(prefix="rollscope-crash-")
    print(f"# seed {chosen.seed}", flush=True)
    crash = Crash(data, random.Random(chosen.seed))
    began = time.monotonic()
    for number in range(1, chosen.rounds + 1):
        crash.round(number)
        if number % 10 == 0:
            print(f"# round {number} after {time.monotonic() - began:.0f} s, {len(crash.found)} problems", flush=True)
    fine = crash.finish(chosen.rounds)
    if chosen.keep or not fine:
        print(f"# data folder: {data}")
    else:
        shutil.rmtree(data)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
