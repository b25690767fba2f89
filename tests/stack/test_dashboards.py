"""Every query of every dashboard gets data from a real Prometheus that scrapes a real Rollscope and a real exporter."""
import filecmp
import glob
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

import pytest
import rollscope
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from server import Server
from stack import ROOT, answers, free_port, wait_until

GRAFANA = os.path.join(ROOT, "deploy", "grafana")
BOARDS = sorted(glob.glob(os.path.join(GRAFANA, "dashboards", "*.json")))


def queries():
    for board in BOARDS:
        with open(board, encoding="utf-8") as text:
            panels = json.load(text)["panels"]
        for panel in panels:
            for target in panel.get("targets", ()):
                if "expr" in target:
                    name = f"{os.path.basename(board)[:-5]}: {panel['title']} {target['refId']}"
                    yield pytest.param(re.sub(r"\$(project|experiment|run)\b", ".*", target["expr"]), id=name)


def test_the_dashboards_are_what_the_script_writes(tmp_path):
    subprocess.run([sys.executable, os.path.join(GRAFANA, "make_dashboards.py"), str(tmp_path)], check=True)
    names = [os.path.basename(board) for board in BOARDS]
    assert names and filecmp.cmpfiles(os.path.join(GRAFANA, "dashboards"), tmp_path, names, shallow=False) == (names, [], [])


def engine():
    """An exporter with the metrics of vLLM and SGLang."""
    registry = CollectorRegistry()
    for name in ("vllm:num_requests_running", "vllm:num_requests_waiting", "vllm:kv_cache_usage_perc", "sglang:num_running_reqs",
                 "sglang:num_queue_reqs", "sglang:token_usage", "sglang:gen_throughput", "sglang:cache_hit_rate"):
        Gauge(name, name, registry=registry).set(0.5)
    counters = [Counter(name, name, registry=registry) for name in ("vllm:prompt_tokens", "vllm:generation_tokens", "vllm:prefix_cache_hits", "vllm:prefix_cache_queries", "vllm:num_preemptions")]
    histograms = [Histogram(name, name, registry=registry) for name in (
        "vllm:time_to_first_token_seconds", "vllm:inter_token_latency_seconds", "vllm:e2e_request_latency_seconds",
        "sglang:time_to_first_token_seconds", "sglang:e2e_request_latency_seconds")]

    class Exposition(http.server.BaseHTTPRequestHandler):
        """As engines serve it: text 0.0.4. In OpenMetrics the library turns colons into underscores unless asked not to, and Prometheus 2 does not ask."""

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", CONTENT_TYPE_LATEST)
            self.end_headers()
            self.wfile.write(generate_latest(registry))

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Exposition)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def work():
        for counter in counters:
            counter.inc(3)
        for histogram in histograms:
            histogram.observe(0.2)

    return server.server_address[1], work, server


def send_nonsense(otlp):
    """A span without a start, which is refused by itself, and something that is no request."""
    span = {"traceId": "1" * 32, "spanId": "2" * 16, "name": "x", "startTimeUnixNano": "0", "endTimeUnixNano": "5"}
    for body in ({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}, "no request"):
        request = urllib.request.Request(otlp + "/v1/traces", json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            urllib.request.urlopen(request, timeout=10).close()
        except urllib.error.HTTPError as refused:
            refused.close()


class Training:
    """A run as verl's logger and our SDK record it."""

    GAUGES = ("training_global_step", "critic_rewards_min", "critic_rewards_mean", "critic_rewards_max", "critic_score_min", "critic_score_mean",
              "critic_score_max", "response_length_min", "response_length_mean", "response_length_max", "actor_entropy", "actor_kl_loss", "actor_pg_loss",
              "actor_grad_norm", "actor_pg_clipfrac", "perf_time_per_step", "perf_throughput", "timing_s_gen", "timing_s_reward", "timing_s_old_log_prob", "timing_s_update_actor")

    def __init__(self, url):
        self.client = rollscope.Rollscope(run="p/e", url=url)
        self.step = 0

    def work(self):
        self.step += 1
        with self.client.batch(train_step=self.step):
            for _ in range(4):
                with self.client.session() as session, self.client.phase("generate"):
                    session.accepted()
            for name in self.GAUGES:
                self.client.gauge(name).set(self.step, project="p", experiment_name="e")
        self.client.flush()


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory):
    """Scrapes every second what `stack start` would configure; the run goes on while the tests ask."""
    folder = tmp_path_factory.mktemp("prometheus")
    targets = folder / "targets"
    targets.mkdir()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    server = Server(folder / "data", "--prometheus-targets", str(targets), "--prometheus-url", url)
    with open(os.path.join(ROOT, "deploy", "prometheus", "prometheus.yml"), encoding="utf-8") as text:
        config = text.read().replace("${rollscope.address}", server.url[len("http://"):]).replace("${targets}", str(targets)).replace("10s", "1s").replace("5s", "1s")
    (folder / "prometheus.yml").write_text(config)
    subprocess.run(["promtool", "check", "config", folder / "prometheus.yml"], check=True, capture_output=True)
    process = subprocess.Popen(
        ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/tsdb", f"--web.listen-address=127.0.0.1:{port}", "--web.enable-lifecycle"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: answers(url + "/-/ready"), "Prometheus")
    engine_port, engine_work, exporter = engine()
    server.rollscope("targets", "add", f"127.0.0.1:{engine_port}", "--job", "vllm", "--run", "p/e", "--url", server.url)
    training = Training(server.otlp)
    held_batch = training.client.batch(train_step=0)
    held = training.client.session("stuck")
    open_phase = held.__enter__() and training.client.phase("tool")

    def ask(expression):
        training.work()
        engine_work()
        send_nonsense(server.otlp)
        with urllib.request.urlopen(f"{url}/api/v1/query?" + urllib.parse.urlencode({"query": expression}), timeout=10) as answer:
            return json.load(answer)["data"]["result"]

    yield ask
    open_phase.end()
    held.__exit__(None, None, None)
    held_batch.end()
    training.client.close()
    process.terminate()
    process.wait()
    exporter.shutdown()
    server.stop()


@pytest.mark.parametrize("query", queries())
def test_a_panel_gets_data(prometheus, query):
    def has_data():
        found = prometheus(query)
        return bool(found) and all(series["value"][1] != "NaN" for series in found)

    wait_until(has_data, f"data for {query}")
