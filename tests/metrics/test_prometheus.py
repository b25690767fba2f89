"""A real Prometheus that shares Rollscope's targets."""
import json
import shutil
import socket
import subprocess
import urllib.parse
import urllib.request

import pytest

import control
from server import wait_until

pytestmark = pytest.mark.skipif(not (shutil.which("prometheus") and shutil.which("promtool")), reason="prometheus not found")


class Prometheus:
    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.targets = folder / "targets"
        self.targets.mkdir()
        self.config = folder / "prometheus.yml"
        # As docs/metrics.md says.
        self.config.write_text(
            "global:\n  scrape_interval: 1s\nscrape_configs:\n  - job_name: rollscope\n"
            f"    file_sd_configs:\n      - files: ['{self.targets}/*.json', '{self.targets}/*.yml']\n"
        )
        self.url = f"http://127.0.0.1:{port}"
        self.log = open(folder / "prometheus.log", "w", encoding="utf-8")
        self._process = subprocess.Popen(
            [
                "prometheus",
                f"--config.file={self.config}",
                f"--storage.tsdb.path={folder / 'tsdb'}",
                f"--web.listen-address=127.0.0.1:{port}",
                "--web.enable-lifecycle",
            ],
            stdout=self.log,
            stderr=self.log,
        )
        wait_until(self._is_ready, "Prometheus")

    def _is_ready(self):
        try:
            with urllib.request.urlopen(f"{self.url}/-/ready", timeout=1):
                return True
        except OSError:
            return False

    def get(self, path):
        with urllib.request.urlopen(f"{self.url}/api/v1/{path}", timeout=10) as answer:
            return json.load(answer)["data"]

    def up(self):
        """Job and address of all targets that are up."""
        return sorted((t["labels"]["job"], t["labels"]["instance"]) for t in self.get("targets")["activeTargets"] if t["health"] == "up")

    def value(self, query):
        found = self.get("query?query=" + urllib.parse.quote(query))["result"]
        return [(one["metric"], float(one["value"][1])) for one in found]

    def check(self):
        done = subprocess.run(["promtool", "check", "config", self.config], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def stop(self):
        self._process.terminate()
        self._process.wait()
        self.log.close()


@pytest.fixture
def prometheus(tmp_path):
    one = Prometheus(tmp_path)
    yield one
    one.stop()


def test_prometheus_scrapes_what_clients_register_and_agrees(start_server, start_target, prometheus):
    foreign = prometheus.targets / "mine.yml"
    other = start_target(1)
    foreign.write_text(f"- targets: ['{other.address}']\n  labels: {{job: mine}}\n")
    server = start_server("--prometheus-targets", str(prometheus.targets), "--prometheus-url", prometheus.url)
    assert server.get("services")["prometheus_port"] == int(prometheus.url.rsplit(":", 1)[1])
    target = start_target(7)

    status, answer = control.register(server.url, target.address, job_name="vllm", labels={"replica": 0}, project="p", experiment_name="e")

    assert (status, answer["prometheus_reloaded"]) == (200, True)
    server.wait_for(prometheus.up, [("mine", other.address), ("vllm", target.address)])
    assert "SUCCESS" in prometheus.check()
    labels = {"job": "vllm", "instance": target.address, "project": "p", "experiment_name": "e", "replica": "0"}
    query = 'rl_insight_monitor_train_step_total{job="vllm"}'
    server.wait_for(lambda: prometheus.value(query), [({"__name__": "rl_insight_monitor_train_step_total", **labels}, 7.0)])
    ours = server.wait_for(lambda: server.metrics("p/e", "name = 'rl_insight_monitor_train_step_total'"), lambda found: len(found) > 0)
    assert ours[-1]["value"] == 7
    assert foreign.read_text().startswith("- targets:")

    status, answer = control.post(server.url, "experiments/archive", {"project": "p", "experiment_name": "e"})
    assert (status, answer["state"], answer["prometheus_converged"]) == (200, "archived", True)
    assert prometheus.up() == [("mine", other.address)]
    status, answer = control.post(server.url, "experiments/restore", {"project": "p", "experiment_name": "e"})
    assert (status, answer["prometheus_converged"]) == (200, True)


def test_hostile_targets_neither_blind_prometheus_nor_reach_it(start_server, start_target, prometheus):
    good = start_target(1)
    server = start_server("--prometheus-targets", str(prometheus.targets))
    for address in ("169.254.169.254:80", "[64:ff9b:1::a9fe:a9fe]:80", "[::ffff:169.254.169.254]:80"):
        assert control.register(server.url, address)[0] == 400
    for query in ("a-b=1", "a=1&a=2", "match%5B%5D=up", "%0a=1"):
        assert control.register(server.url, f"http://{good.address}/metrics?{query}")[0] == 200

    assert control.register(server.url, f"http://{good.address}/metrics?a=x%26b=2", job_name="good")[0] == 200

    server.wait_for(prometheus.up, [("good", good.address)])
    assert "SUCCESS" in prometheus.check()
    (group,) = json.loads((prometheus.targets / "rollscope.json").read_text())
    assert {name: value for name, value in group["labels"].items() if name.startswith("__param_")} == {"__param_a": "x&b=2"}
    assert "4 left out" in server.get("targets")["problems"][0]


def test_other_paths_schemes_and_intervals_reach_prometheus(start_server, start_target, prometheus):
    target = start_target(1)
    server = start_server("--prometheus-targets", str(prometheus.targets))
    server.rollscope("targets", "add", f"http://{target.address}/engine?name=a", "--job", "deep", "--interval", "2s", "--url", server.url)

    found = server.wait_for(lambda: prometheus.get("targets")["activeTargets"], lambda targets: len(targets) == 1)[0]

    assert found["scrapeUrl"] == f"http://{target.address}/engine?name=a"
    assert (found["scrapeInterval"], found["scrapeTimeout"], found["scrapePool"]) == ("2s", "2s", "rollscope")
    assert found["labels"] == {"job": "deep", "instance": target.address}
    assert "SUCCESS" in prometheus.check()


def test_prometheus_that_is_away_is_said_and_scraping_goes_on(start_server, start_target, tmp_path):
    folder = tmp_path / "targets"
    folder.mkdir()
    server = start_server("--prometheus-targets", str(folder), "--prometheus-url", "http://127.0.0.1:9")
    target = start_target(1)

    status, answer = control.register(server.url, target.address)

    assert (status, answer["prometheus_reloaded"]) == (200, False)
    assert json.loads((folder / "rollscope.json").read_text())[0]["targets"] == [target.address]
    server.wait_for(lambda: server.get("targets")["targets"][0]["up"], True)
    assert server.get("targets")["problems"][0].startswith("Prometheus' targets: ")
