"""A real Prometheus scrapes what a real server exposes of its clients and of runs, before and after a restart."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "crash"))
from server import SMALL, Server  # noqa: E402

OPEN_METRICS = "application/openmetrics-text; version=1.0.0"
WAIT_SECONDS = 60
failed = False


def tell(fine, what, why=""):
    global failed
    failed |= not fine
    print(f"{'ok' if fine else 'not ok'} - exposition: {what}{'' if fine else ': ' + str(why)}", flush=True)


def attributes(**values):
    return [{"key": k.replace("__", "."), "value": {"stringValue": v}} for k, v in values.items()]


def metrics(instance, data):
    resource = {"attributes": attributes(service__name="trainer", service__instance__id=instance, rl__run__id="verl/demo")}
    return {"resourceMetrics": [{"resource": resource, "scopeMetrics": [{"metrics": data}]}]}


def number(kind, name, value, start=None, temporality=2, **labels):
    point = {"timeUnixNano": str(time.time_ns()), "asDouble": value, "attributes": attributes(**labels)}
    if start:
        point["startTimeUnixNano"] = str(start)
    data = {"dataPoints": [point]}
    if kind == "sum":
        data |= {"aggregationTemporality": temporality, "isMonotonic": True}
    return {"name": name, "description": f"About {name}.", kind: data}


def histogram(name, counts, bounds, total, start, **labels):
    point = {"startTimeUnixNano": str(start), "timeUnixNano": str(time.time_ns()), "count": str(sum(counts)), "sum": total,
             "bucketCounts": [str(c) for c in counts], "explicitBounds": bounds, "attributes": attributes(**labels)}
    return {"name": name, "description": f"About {name}.", "histogram": {"aggregationTemporality": 2, "dataPoints": [point]}}


def spans():
    now = time.time_ns()
    told = [{"traceId": f"{i + 1:032x}", "spanId": f"{1:016x}", "name": "generate", "startTimeUnixNano": str(now - 3 * 10**9), "endTimeUnixNano": str(now),
             "attributes": attributes(rl__session__id=f"s-{i}", rl__train_step="1")} for i in range(10)]
    return {"resourceSpans": [{"resource": {"attributes": attributes(rl__run__id="verl/demo")}, "scopeSpans": [{"spans": told}]}]}


def post(server, path, body):
    request = urllib.request.Request(server.addresses["otlp_http"] + path, data=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


def scrape(server, accept="text/plain"):
    request = urllib.request.Request(server.addresses["url"] + "/metrics", headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as s:
        return s.getsockname()[1]


class Prometheus:
    def __init__(self, folder, target):
        self.port = free_port()
        config = os.path.join(folder, "prometheus.yml")
        with open(config, "w") as out:
            out.write(f"global: {{scrape_interval: 1s}}\nscrape_configs:\n  - job_name: rollscope\n    static_configs: [{{targets: ['{target}']}}]\n")
        self.log = open(os.path.join(folder, "prometheus.log"), "w")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/tsdb", f"--web.listen-address=127.0.0.1:{self.port}"],
            stdout=self.log, stderr=self.log)

    def query(self, text):
        url = f"http://127.0.0.1:{self.port}/api/v1/query?" + urllib.parse.urlencode({"query": text})
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.loads(answer.read())["data"]["result"]

    def value(self, text, expected):
        """The one value of a query, as soon as it is what is expected, or when time is over."""
        deadline = time.monotonic() + WAIT_SECONDS
        found = None
        while time.monotonic() < deadline:
            try:
                found = self.query(text)
                if len(found) == 1 and float(found[0]["value"][1]) == expected:
                    return expected
            except OSError:
                pass  # It is still starting.
            time.sleep(0.2)
        return found

    def stop(self):
        self.process.terminate()
        self.process.wait()


def check(server):
    done = subprocess.run(["promtool", "check", "metrics"], input=scrape(server), capture_output=True, text=True)
    return done.returncode == 0, done.stdout + done.stderr


def started(data, port):
    server = Server(data, SMALL, port=port)
    if not server.wait():
        print(f"Bail out! server does not start: {server.errors()}")
        sys.exit(1)
    return server


def send(server, begin):
    labels = {"project": "verl", "experiment_name": "demo"}
    post(server, "/v1/traces", spans())
    post(server, "/v1/metrics", metrics("p1", [number("sum", "train_step", 3, begin, worker="t0", **labels)]))
    post(server, "/v1/metrics", metrics("p2", [number("sum", "train_step", 4, begin, worker="t0", **labels)]))
    odd = "a \"quoted\" \\ back\nslash äöü"
    post(server, "/v1/metrics", metrics("p1", [
        number("gauge", "reward/mean", 1.02, worker=odd, **labels),
        number("gauge", "agent_loop_run_info", 1, **labels),
        number("sum", "tokens_total", 5, begin, temporality=1, **labels),
        histogram("step_latency_seconds", [1, 2, 3, 4], [0.5, 1, 2.5], 21.5, begin, **labels)]))
    return odd


def expect(prometheus, when, odd):
    by = '{project="verl",experiment_name="demo"}'
    quoted = json.dumps(odd, ensure_ascii=False)
    for query, value in [
        (f'rl_insight_monitor_train_step_total{{worker="t0",project="verl"}}', 7),
        (f"rl_insight_monitor_reward_mean{{worker={quoted}}}", 1.02),
        ("rl_insight_monitor_agent_loop_run_info" + by, 1),
        ("rl_insight_monitor_tokens_total" + by, 5),
        ("rl_insight_monitor_step_latency_seconds_count" + by, 10),
        ("rl_insight_monitor_step_latency_seconds_sum" + by, 21.5),
        ('rl_insight_monitor_step_latency_seconds_bucket{le="1.0",project="verl"}', 3),
        ('rollscope_run_sessions{run="verl/demo",status="completed"}', 10),
        ('rollscope_run_stage_duration_seconds_count{run="verl/demo",stage="generate"}', 10),
        ('rollscope_run_stage_duration_seconds_bucket{run="verl/demo",stage="generate",le="2.5"}', 0),
        ('rollscope_metric_problems_total{problem="cardinality"}', 0),
        ('up{job="rollscope"}', 1),
    ]:
        found = prometheus.value(query, value)
        tell(found == value, f"{when}: {query} is {value}", found)


def main():
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder:
        port = free_port()
        server = started(data, port)
        prometheus = Prometheus(folder, f"127.0.0.1:{port}")
        try:
            odd = send(server, time.time_ns() - 10**10)
            expect(prometheus, "sent", odd)
            fine, said = check(server)
            tell(fine, "promtool has nothing to say", said)
            text = scrape(server, OPEN_METRICS)
            tell(text.endswith("# EOF\n") and "# TYPE rl_insight_monitor_train_step counter\n" in text, "OpenMetrics has its own names and its end", text[-200:])
            server.stop()
            server = started(data, port)
            post(server, "/v1/metrics", metrics("p3", [number("gauge", "fresh", 9)]))
            tell(prometheus.value("rl_insight_monitor_fresh", 9) == 9, "scraped after a restart")
            expect(prometheus, "after a restart", odd)
            server.kill()
            server = started(data, port)
            post(server, "/v1/metrics", metrics("p3", [number("gauge", "fresh", 10)]))
            tell(prometheus.value("rl_insight_monitor_fresh", 10) == 10, "scraped after a kill")
            expect(prometheus, "after a kill", odd)
        finally:
            prometheus.stop()
            server.kill()
    sys.exit(failed)


main()
