"""RL-Insight's `update_prometheus_config`: what RL-Insight's own tests ask of it (item 21), and the form of the first generation."""
import http.server
import json
import subprocess
import sys
import threading

import pytest
import yaml

import rollscope.compat.rl_insight as insight
from rollscope.compat.rl_insight import ArchivedExperimentError, update_prometheus_config


class Control:
    """An HTTP server that answers as RL-Insight's control API does, and keeps what it was sent."""

    def __init__(self):
        control = self
        self.status, self.answer, self.requests = 200, {"status": "ok", "prometheus_reloaded": True}, []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                control.requests.append((self.path, json.loads(body) if body else None, self.headers.get("Authorization")))
                content = json.dumps(control.answer).encode()
                self.send_response(control.status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args):
                """Quiet."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def fails(self, status, answer):
        self.status, self.answer = status, answer

    def stop(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def control(monkeypatch):
    one = Control()
    monkeypatch.setenv("RL_INSIGHT_SERVER_URL", one.url)
    yield one
    one.stop()


@pytest.fixture(autouse=True)
def finished():
    yield
    insight.finish()


# ── the later form ──


def test_item_21_targets_are_registered(control):
    update_prometheus_config(["h:1", "h:2"], "vllm", [{"rank": 0}, None])
    body = {"job_name": "vllm", "targets": [{"target": "h:1", "labels": {"rank": "0"}}, {"target": "h:2"}]}
    assert control.requests == [("/api/v1/prometheus/targets", body, None)]


def test_item_21_the_default_job(control):
    update_prometheus_config(server_addresses=["h:1"])
    assert control.requests[0][1] == {"job_name": "trainer_metrics", "targets": [{"target": "h:1"}]}


def test_item_21_labels_of_another_length_are_an_error(control):
    with pytest.raises(ValueError, match="^labels length must match server_addresses length: 2 != 1$"):
        update_prometheus_config(["h:1"], "vllm", [{}, {}])
    assert control.requests == []


def test_item_21_a_failing_server_is_a_warning(control, caplog):
    control.fails(500, {"detail": "disk full"})
    update_prometheus_config(["h:1"], "vllm")
    assert [record.message for record in caplog.records] == ["rl_insight: 1 targets of job vllm could not be registered: HTTP 500: disk full"]


@pytest.mark.parametrize("answer", [{"detail": "archived; restore it first"}, {"error": {"code": "archived", "message": "archived; restore it first"}}])
def test_item_21_an_archived_experiment_is_an_error(control, answer):
    control.fails(409, answer)
    with pytest.raises(ArchivedExperimentError, match="archived; restore it first"):
        update_prometheus_config(["h:1"], project="p", experiment_name="e")


def test_item_21_a_trailing_slash(control, monkeypatch):
    monkeypatch.setenv("RL_INSIGHT_SERVER_URL", control.url + "/")
    update_prometheus_config(["h:1"])
    assert control.requests[0][0] == "/api/v1/prometheus/targets"


def test_the_identity_goes_with_the_targets(control):
    insight.init(project="p", experiment_name="e")
    update_prometheus_config(["h:1"])
    update_prometheus_config(["h:1"], project="p", experiment_name="e")
    with pytest.raises(ValueError, match="reserved"):
        update_prometheus_config(["h:1"], project="p", experiment_name="other")
    with pytest.raises(ValueError, match="both"):
        update_prometheus_config(["h:1"], project="p")
    registered = [(body["project"], body["experiment_name"]) for path, body, _ in control.requests if path.endswith("targets")]
    assert registered == [("p", "e"), ("p", "e")]


def test_the_server_may_be_known_from_init_only(control, monkeypatch):
    monkeypatch.delenv("RL_INSIGHT_SERVER_URL")
    insight.init(config={"server": {"url": control.url}})
    monkeypatch.setenv("ROLLSCOPE_TOKEN", "secret")
    update_prometheus_config(["h:1"])
    assert control.requests == [("/api/v1/prometheus/targets", {"job_name": "trainer_metrics", "targets": [{"target": "h:1"}]}, "Bearer secret")]


def test_a_server_that_is_not_there_is_a_warning(monkeypatch, caplog):
    monkeypatch.setenv("RL_INSIGHT_SERVER_URL", "http://127.0.0.1:1")
    update_prometheus_config(["h:1"])
    monkeypatch.delenv("RL_INSIGHT_SERVER_URL")
    update_prometheus_config(["h:1"])
    update_prometheus_config([])
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR", "WARNING"]


@pytest.mark.parametrize("addresses", ["h:1", 3, None, [1], [None]])
def test_wrong_addresses_are_an_error(control, addresses):
    with pytest.raises(ValueError, match="expected: a list of host:port"):
        update_prometheus_config(addresses)
    assert control.requests == []


# ── the first form ──

BEFORE = """\
# a comment
global:
  scrape_interval: 10s
scrape_configs:
  - job_name: node
    metrics_path: /stats
    static_configs:
      - targets: ['n1:9100']
        labels: {node: n1}
  - job_name: trainer_metrics
    scrape_timeout: 5s
    static_configs:
      - targets: ['old:9092']
"""


def conf(path, **prometheus):
    return {"prometheus": {"config_file": str(path), **prometheus}}


def test_targets_are_merged_into_the_file(tmp_path, control):
    path = tmp_path / "prometheus.yml"
    path.write_text(BEFORE)
    path.chmod(0o640)
    update_prometheus_config(conf(path, prometheus_port=control.port), ["new:9092", "old:9092", "new:9092"])
    wanted = yaml.safe_load(BEFORE)
    wanted["scrape_configs"][1]["static_configs"] = [{"targets": ["old:9092", "new:9092"]}]
    assert yaml.safe_load(path.read_text()) == wanted
    assert path.stat().st_mode & 0o777 == 0o640
    assert control.requests == [("/-/reload", None, None)]
    update_prometheus_config(conf(path), ["h:8000"], "vllm", "none")
    wanted["scrape_configs"].append({"job_name": "vllm", "static_configs": [{"targets": ["h:8000"]}]})
    assert yaml.safe_load(path.read_text()) == wanted
    assert len(control.requests) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["prometheus.yml"]


def test_targets_never_join_a_group_with_labels(tmp_path):
    path = tmp_path / "prometheus.yml"
    path.write_text(BEFORE)
    update_prometheus_config(conf=conf(path), server_addresses=["n2:9100"], job_name="node", reload_mode="none")
    assert yaml.safe_load(path.read_text())["scrape_configs"][0]["static_configs"] == [{"targets": ["n1:9100"], "labels": {"node": "n1"}}, {"targets": ["n2:9100"]}]


def test_the_mode_of_the_configuration_counts_unless_one_is_given(tmp_path, control):
    path = tmp_path / "prometheus.yml"
    quiet = conf(path, prometheus_port=control.port, reload={"mode": "none"})
    update_prometheus_config(quiet, ["h:1"])
    assert control.requests == [] and path.exists()
    update_prometheus_config(quiet, ["h:2"], reload_mode="ray")
    assert [request[0] for request in control.requests] == ["/-/reload"]


def test_a_prometheus_that_does_not_reload_is_a_warning(tmp_path, control, caplog):
    control.fails(403, {"detail": "lifecycle API is off"})
    update_prometheus_config(conf(tmp_path / "p.yml", prometheus_port=control.port), ["h:1"])
    update_prometheus_config(conf(tmp_path / "p.yml", prometheus_port=1), ["h:2"])
    assert ["lifecycle API is off" in record.message for record in caplog.records] == [True, False]


@pytest.mark.parametrize("text", ["{", "[1, 2]", "scrape_configs: 3", "scrape_configs: [{job_name: trainer_metrics, static_configs: x}]", "\x00"])
def test_a_file_that_is_not_understood_stays_as_it_is(tmp_path, text):
    path = tmp_path / "prometheus.yml"
    path.write_text(text)
    with pytest.raises(ValueError, match="expected"):
        update_prometheus_config(conf(path), ["h:1"])
    assert path.read_text() == text
    assert [each.name for each in tmp_path.iterdir()] == ["prometheus.yml"]


@pytest.mark.parametrize("given, wrong", [({}, "prometheus.config_file"), ({"prometheus": None}, "prometheus.config_file"), ({"prometheus": {"config_file": "x", "reload": {"mode": "docker"}}}, "reload_mode: docker")])
def test_a_wrong_configuration_is_an_error(given, wrong):
    with pytest.raises(ValueError, match=wrong):
        update_prometheus_config(given, ["h:1"])


def test_eight_processes_at_once_lose_nothing(tmp_path):
    path = tmp_path / "prometheus.yml"
    path.write_text(BEFORE)
    program = "import sys; from rollscope.compat.rl_insight import update_prometheus_config as u; u({'prometheus': {'config_file': sys.argv[1]}}, [sys.argv[2]], 'workers', 'none')"
    children = [subprocess.Popen([sys.executable, "-c", program, str(path), f"h:{port}"]) for port in range(8)]
    assert [child.wait(60) for child in children] == 8 * [0]
    [job] = [job for job in yaml.safe_load(path.read_text())["scrape_configs"] if job["job_name"] == "workers"]
    assert sorted(job["static_configs"][0]["targets"]) == [f"h:{port}" for port in range(8)]


def test_without_yaml_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(RuntimeError, match=r"rollscope\[prometheus\]"):
        update_prometheus_config(conf(tmp_path / "p.yml"), ["h:1"])


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.yml").write_text(BEFORE)
    (tmp_path / "link.yml").symlink_to("real.yml")
    update_prometheus_config(conf(tmp_path / "link.yml"), ["h:1"], reload_mode="none")
    assert (tmp_path / "link.yml").is_symlink() and "h:1" in (tmp_path / "real.yml").read_text()
