"""One span with four attributes: what it costs the caller's thread, and what the thread that sends it, beside the plain OpenTelemetry SDK.

Both send to a real Rollscope server over OTLP/HTTP, Rollscope also into a folder; all have room for everything and must deliver
everything: what the server stored and what was dropped is counted and shown. Rounds alternate, so that all see the same noise; the best
round counts. Then the same beside a thread that computes, because a sender takes the interpreter from it, and four processes at full speed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "sdk", "python", "src"))
sys.path.insert(0, os.path.join(ROOT, "tests", "sdk-python"))
sys.dont_write_bytecode = True

import rollscope  # noqa: E402
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: E402
from opentelemetry.sdk.resources import Resource  # noqa: E402
from opentelemetry.sdk.trace import TracerProvider  # noqa: E402
from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: E402

from server import Server  # noqa: E402

ROOM = 400_000


def attributes():
    return {"gen_ai.request.model": "qwen3", "n": 3, "temperature": 0.7, "stream": True}


class Sending:
    """Somebody who records and sends. The CPU of sending is that of the threads it has started, and of a flush on the caller's thread."""

    def __init__(self):
        self._flushing = 0.0
        self._clocks = None

    def watch(self, before):
        """After the first span: until then there may be no thread."""
        self._clocks = [time.pthread_getcpuclockid(thread.ident) for thread in threading.enumerate() if thread not in before]

    def sending_s(self):
        return self._flushing + sum(map(time.clock_gettime, self._clocks))

    def flush(self):
        start = time.thread_time()
        self._flush()
        self._flushing += time.thread_time() - start


class Peer(Sending):
    """The OpenTelemetry SDK as its documentation sets it up, with a queue that holds a round."""

    def __init__(self, server):
        super().__init__()
        self.provider = TracerProvider(resource=Resource.create({"rl.run.id": "opentelemetry"}))
        exporter = OTLPSpanExporter(endpoint=server.otlp + "/v1/traces")
        self.provider.add_span_processor(BatchSpanProcessor(exporter, max_queue_size=ROOM, max_export_batch_size=4096, schedule_delay_millis=500))
        self.tracer = self.provider.get_tracer("bench")

    def current(self, spans):
        for _ in range(spans):
            with self.tracer.start_as_current_span("generate", attributes=attributes()):
                pass

    def plain(self, spans):
        for _ in range(spans):
            self.tracer.start_span("generate", attributes=attributes()).end()

    def _flush(self):
        assert self.provider.force_flush(120_000), "the OpenTelemetry SDK could not deliver"

    def close(self):
        self.provider.shutdown()


class Ours(Sending):
    def __init__(self, run="rollscope", **where):
        super().__init__()
        self.client = rollscope.Rollscope(run=run, buffer=ROOM, **where)
        self.tracer = self.client.tracer_provider.get_tracer("bench")

    def current(self, spans):
        with self.client.session():
            for _ in range(spans):
                with self.client.phase("generate", attributes()):
                    pass

    def plain(self, spans):
        with self.client.session():
            for _ in range(spans):
                self.client.phase("generate", attributes()).end()

    def api(self, spans):
        """The same as the peer's: OpenTelemetry's API, our recorder."""
        with self.client.session():
            for _ in range(spans):
                self.tracer.start_span("generate", attributes=attributes()).end()

    def _flush(self):
        assert self.client.flush(120), "Rollscope's SDK could not deliver"

    def close(self):
        assert self.client.close(60)
        return self.client.stats()


def begun(make, *args, **more):
    """Somebody who sends, with its threads."""
    before = set(threading.enumerate())
    one = make(*args, **more)
    one.plain(1)
    one.flush()
    one.watch(before)
    return one


def timed(work, spans, sender):
    """Microseconds per span: by the clock, of the caller's thread, and of sending."""
    wall, thread, sending = time.perf_counter(), time.thread_time(), sender.sending_s() if sender else 0.0
    work(spans)
    wall, thread = time.perf_counter() - wall, time.thread_time() - thread
    if sender:
        sender.flush()
        sending = sender.sending_s() - sending
    return [seconds / spans * 1e6 for seconds in (wall, thread, sending)]


def side_by_side(server, folder, options):
    ours, spooled, peer = begun(Ours, url=server.otlp), begun(Ours, "folder", spool=folder), begun(Peer, server)
    off = rollscope.Rollscope()

    def disabled(spans):
        for _ in range(spans):
            with off.phase("generate", attributes()):
                pass

    def loop(spans):
        for _ in range(spans):
            attributes()

    cases = {
        "current span: OpenTelemetry SDK": (peer.current, peer),
        "current span: Rollscope": (ours.current, ours),
        "current span: Rollscope into a folder": (spooled.current, spooled),
        "start and end: OpenTelemetry SDK": (peer.plain, peer),
        "start and end: Rollscope": (ours.plain, ours),
        "start and end: Rollscope by OpenTelemetry's API": (ours.api, ours),
        "disabled: Rollscope": (disabled, None),
        "the loop itself, with its attributes": (loop, None),
    }
    found = {name: [] for name in cases}
    for _ in range(options.rounds):
        for name, (work, sender) in cases.items():
            found[name].append(timed(work, options.spans, sender))
    peer.close()
    written, sent = spooled.close()["spans"], ours.close()["spans"]
    print("µs per span, best (median) of %d rounds of %d spans" % (options.rounds, options.spans))
    print("| | by the clock | caller's thread | sending, its CPU |\n| --- | --- | --- | --- |")
    best = {}
    for name, results in found.items():
        best[name] = [min(column) for column in zip(*results)]
        print("| %s | %s |" % (name, " | ".join("%.2f (%.2f)" % (min(column), statistics.median(column)) for column in zip(*results))))
    print()
    for form in ("current span", "start and end"):
        wall, _, sending = (a / b for a, b in zip(best[form + ": Rollscope"], best[form + ": OpenTelemetry SDK"]))
        print("%s: %.3f of the OpenTelemetry SDK's cost (must ≤ 0.5, goal ≤ 0.25), sending %.3f" % (form, wall, sending))
    _, caller, sending = best["current span: Rollscope"]
    print("caller %.2f µs (goal ≤ 2), sender %.2f µs (goal ≤ 5)" % (caller, sending))
    print("folder : HTTP, CPU of sending: %.2f (must ≤ 1.2)" % (best["current span: Rollscope into a folder"][2] / sending))
    counts = {row["run"]: row["n"] for row in stored(server)}
    expected = {"opentelemetry": 2 * options.rounds * options.spans + 1, "rollscope": 3 * options.rounds * options.spans + 1}
    print("stored: %s of %s recorded; Rollscope: %s; folder: %s\n" % (counts, expected, sent, written))
    assert counts == expected, "not everything arrived"


def beside_a_computation(server, folder, options):
    """A thread of pure Python computes while this one records at a steady rate, as an engine in the process of the training would."""

    def compute(seconds, record):
        """How many rounds the computation makes in so many seconds, and how many spans are recorded meanwhile."""
        rounds, end = 0, time.perf_counter() + seconds

        def computing():
            nonlocal rounds
            while time.perf_counter() < end:
                sum(range(1000))
                rounds += 1

        thread = threading.Thread(target=computing)
        thread.start()
        spans = 0
        while time.perf_counter() < end:
            record(options.rate // 100)
            spans += options.rate // 100
            time.sleep(0.01)
        thread.join()
        return rounds / seconds, spans / seconds

    peer, ours, spooled = begun(Peer, server), begun(Ours, "beside", url=server.otlp), begun(Ours, "beside", spool=folder)
    cases = {"no tracing": (lambda spans: None, None), "Rollscope": (ours.current, ours), "Rollscope into a folder": (spooled.current, spooled), "OpenTelemetry SDK": (peer.current, peer)}
    found = {name: [] for name in cases}
    for _ in range(options.rounds):
        for name, (record, sender) in cases.items():
            found[name].append(compute(2.0, record))
            if sender:
                sender.flush()
    for sender in (peer, ours, spooled):
        sender.close()
    print("beside a thread that computes, %d spans per s asked for, median of %d rounds of 2 s in turn" % (options.rate, options.rounds))
    print("| | computation, rounds per s | slower by | spans per s |\n| --- | --- | --- | --- |")
    base = statistics.median(rate for rate, _ in found["no tracing"])
    for name, results in found.items():
        rate, spans = (statistics.median(column) for column in zip(*results))
        print("| %s | %d | %.1f %% | %d |" % (name, rate, 100 * (1 - rate / base), spans))
    print()


def stored(server):
    return server.wait_for(
        lambda: server.sql("select run, count(*) n from spans where name = 'generate' group by run order by run"),
        lambda rows: bool(rows),
    )


FULL_SPEED = """
import json, os, sys, threading, time
sys.path.insert(0, %(source)r)
import rollscope
rs = rollscope.Rollscope(run="sustained", rank=int(sys.argv[1]), **%(where)r)
def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1000000
memory, start, caller = [], time.monotonic(), time.thread_time()
end, next_look = start + %(seconds)f, start
while True:
    with rs.session():
        for _ in range(1000):
            with rs.phase("generate", {"gen_ai.request.model": "qwen3", "n": 3, "temperature": 0.7, "stream": True}):
                pass
    now = time.monotonic()
    if now >= next_look:
        memory.append(resident())
        next_look += 1
    if now >= end:
        break
elapsed, caller = time.monotonic() - start, time.thread_time() - caller
rs.flush(120)
[sender] = [thread for thread in threading.enumerate() if thread.name == "rollscope-sender"]
sending = time.clock_gettime(time.pthread_getcpuclockid(sender.ident))
closed = rs.close(60)
print(json.dumps({"spans": rs.stats()["spans"], "seconds": elapsed, "memory": memory, "caller": caller, "sending": sending, "closed": closed}))
"""


def sustained(where, options):
    script = FULL_SPEED % {"source": os.path.join(ROOT, "sdk", "python", "src"), "where": where, "seconds": float(options.seconds)}
    processes = [
        subprocess.Popen([sys.executable, "-c", script, str(rank)], stdout=subprocess.PIPE, text=True) for rank in range(options.processes)
    ]
    results = [json.loads(process.communicate()[0]) for process in processes]
    print("%d processes in a tight loop for %d s, %s" % (options.processes, options.seconds, "HTTP" if "url" in where else "folder"))
    print("| process | spans | per s | dropped | caller µs | sender µs of a span sent | MB after a third, two thirds, at the end |\n| --- | --- | --- | --- | --- | --- | --- |")
    for rank, r in enumerate(results):
        spans, memory = r["spans"], r["memory"]
        thirds = ", ".join(str(memory[len(memory) * k // 3 - 1]) for k in (1, 2, 3))
        costs = r["caller"] / spans["recorded"] * 1e6, r["sending"] / max(1, spans["sent"]) * 1e6
        print("| %d | %d | %d | %d | %.2f | %.2f | %s |" % (rank, spans["recorded"], spans["recorded"] / r["seconds"], spans["dropped"], *costs, thirds))
        assert spans["recorded"] == spans["sent"] + spans["dropped"] and r["closed"], "not everything was sent or counted"
    print()
    return [sum(r["spans"][what] for r in results) for what in ("recorded", "sent", "dropped")]


def sustained_over_http(server, options):
    recorded, sent, dropped = sustained({"url": server.otlp}, options)
    # A session that was told at its start and whose end was dropped is there, but not as an ended span.
    question = "select count(*) n from spans where run = 'sustained' and outcome not in ('open', 'lost')"
    server.wait_for(lambda: server.sql(question)[0]["n"], sent, 120)
    print("recorded %d = stored %d + dropped %d\n" % (recorded, sent, dropped))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--spans", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--rate", type=int, default=5000, help="spans per second beside a computation")
    options = parser.parse_args()
    print("Python %s, load %.1f, %d threads\n" % (sys.version.split()[0], os.getloadavg()[0], threading.active_count()))
    with tempfile.TemporaryDirectory() as data:
        server = Server(data)
        try:
            side_by_side(server, os.path.join(data, "side-by-side"), options)
            beside_a_computation(server, os.path.join(data, "beside"), options)
            if options.seconds:
                sustained_over_http(server, options)
                sustained({"spool": os.path.join(data, "sustained")}, options)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
