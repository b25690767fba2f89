"""One span with four attributes, start and end, on the caller's thread: Rollscope beside the plain OpenTelemetry SDK.

Both send to a real Rollscope server over OTLP/HTTP, both have room for everything, both must deliver everything: what the server
stored and what was dropped is counted and shown. Rounds alternate, so that both see the same noise; the best round counts.
"""
import argparse
import json
import os
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


class Peer:
    """The OpenTelemetry SDK as its documentation sets it up, with a queue that holds a round."""

    def __init__(self, server):
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

    def flush(self):
        assert self.provider.force_flush(120_000), "the OpenTelemetry SDK could not deliver"

    def close(self):
        self.provider.shutdown()


class Ours:
    def __init__(self, server, run="rollscope", buffer=ROOM):
        self.client = rollscope.Rollscope(run=run, url=server.otlp, buffer=buffer)
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

    def flush(self):
        assert self.client.flush(120), "Rollscope's SDK could not deliver"

    def close(self):
        dropped = self.client.dropped()
        assert self.client.close(60)
        return dropped


def timed(work, spans):
    """Microseconds per span by the clock, and of the caller's thread."""
    wall, thread = time.perf_counter(), time.thread_time()
    work(spans)
    wall, thread = time.perf_counter() - wall, time.thread_time() - thread
    return wall / spans * 1e6, thread / spans * 1e6


def side_by_side(server, options):
    ours, peer, off = Ours(server), Peer(server), rollscope.Rollscope()

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
        "start and end: OpenTelemetry SDK": (peer.plain, peer),
        "start and end: Rollscope": (ours.plain, ours),
        "start and end: Rollscope by OpenTelemetry's API": (ours.api, ours),
        "disabled: Rollscope": (disabled, None),
        "the loop itself, with its attributes": (loop, None),
    }
    found = {name: [] for name in cases}
    for _ in range(options.rounds):
        for name, (work, sender) in cases.items():
            found[name].append(timed(work, options.spans))
            if sender is not None:
                sender.flush()
    peer.close()
    dropped = ours.close()
    print("| %d spans, %d rounds | µs per span, best (median) | of the caller's thread |\n| --- | --- | --- |" % (options.spans, options.rounds))
    best = {}
    for name, results in found.items():
        walls, threads = sorted(r[0] for r in results), sorted(r[1] for r in results)
        best[name] = walls[0]
        print("| %s | %.2f (%.2f) | %.2f |" % (name, walls[0], walls[len(walls) // 2], threads[0]))
    print()
    for form in ("current span", "start and end"):
        print("%s: %.3f of the OpenTelemetry SDK's cost (must ≤ 0.5, goal ≤ 0.25)" % (form, best[form + ": Rollscope"] / best[form + ": OpenTelemetry SDK"]))
    counts = {row["run"]: row["n"] for row in stored(server)}
    expected = {"opentelemetry": 2 * options.rounds * options.spans, "rollscope": 3 * options.rounds * options.spans}
    print("stored: %s of %s recorded; dropped by Rollscope: %s\n" % (counts, expected, dropped))
    assert counts == expected, "not everything arrived"


def stored(server):
    return server.wait_for(
        lambda: server.sql("select run, count(*) n from spans where name = 'generate' group by run order by run"),
        lambda rows: bool(rows),
    )


FULL_SPEED = """
import json, os, sys, threading, time
sys.path.insert(0, %(source)r)
import rollscope
rs = rollscope.Rollscope(run="sustained", url=%(url)r, rank=int(sys.argv[1]))
def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1000000
memory, spans, start = [], 0, time.monotonic()
end, next_look = start + %(seconds)f, start
while True:
    with rs.session():
        for _ in range(1000):
            with rs.phase("generate", {"gen_ai.request.model": "qwen3", "n": 3, "temperature": 0.7, "stream": True}):
                pass
    spans += 1001
    now = time.monotonic()
    if now >= next_look:
        memory.append(resident())
        next_look += 1
    if now >= end:
        break
elapsed = time.monotonic() - start
rs.flush(120)
dropped = rs.dropped()
closed = rs.close(60)
print(json.dumps({"spans": spans, "seconds": elapsed, "memory": memory, "dropped": dropped, "closed": closed}))
"""


def sustained(server, options):
    script = FULL_SPEED % {"source": os.path.join(ROOT, "sdk", "python", "src"), "url": server.otlp, "seconds": float(options.seconds)}
    processes = [
        subprocess.Popen([sys.executable, "-c", script, str(rank)], stdout=subprocess.PIPE, text=True) for rank in range(options.processes)
    ]
    results = [json.loads(process.communicate()[0]) for process in processes]
    print("| process | spans | per s | dropped | MB after a third, two thirds, at the end |\n| --- | --- | --- | --- | --- |")
    for rank, r in enumerate(results):
        memory = r["memory"]
        thirds = [memory[len(memory) * k // 3 - 1] for k in (1, 2, 3)]
        print("| %d | %d | %d | %d | %s |" % (rank, r["spans"], r["spans"] / r["seconds"], r["dropped"]["spans"], ", ".join(map(str, thirds))))
    recorded, dropped = sum(r["spans"] for r in results), sum(r["dropped"]["spans"] for r in results)
    # A session that was told at its start and whose end was dropped is there, but not as an ended span.
    question = "select count(*) n from spans where run = 'sustained' and outcome not in ('open', 'lost')"
    server.wait_for(lambda: server.sql(question)[0]["n"], recorded - dropped, 120)
    print("recorded %d = stored %d + dropped %d\n" % (recorded, recorded - dropped, dropped))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--spans", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=4)
    options = parser.parse_args()
    print("Python %s, load %.1f, %d threads\n" % (sys.version.split()[0], os.getloadavg()[0], threading.active_count()))
    with tempfile.TemporaryDirectory() as data:
        server = Server(data)
        try:
            side_by_side(server, options)
            if options.seconds:
                sustained(server, options)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
