"""What RL-Insight's own tests ask of its server (items 17 to 20, 23 and 24 of the acceptance list); item 17 is test_rl_insight.py, with the real client."""
import json
import os
import subprocess
import urllib.error
import urllib.request

import control
from server import ROLLSCOPE

IDENTITY = {"project": "project-a", "experiment_name": "experiment-a"}


def test_item_18_targets_without_identity_are_kept_once(server):
    for rank in ("0", "1"):
        status, answer = control.register(server.url, "127.0.0.1:1", job_name="item-18", labels={"rank": rank})
        assert (status, answer["status"], answer["job_name"], answer["target_count"]) == (200, "ok", "item-18", 1)
        assert "prometheus_reloaded" in answer
    rows = [row for row in server.get("targets")["targets"] if row["job"] == "item-18"]
    assert [row["labels"] for row in rows] == [{"rank": "1"}]


def test_item_19_an_experiment_has_its_own_targets_and_can_be_archived(server):
    assert control.register(server.url, "127.0.0.1:1", project="project-a")[0] == 400
    assert control.register(server.url, "127.0.0.1:1", project=" ", experiment_name="e")[0] == 400
    assert control.register(server.url, "127.0.0.1:1", labels={"project": "other"}, **IDENTITY)[0] == 400
    assert control.register(server.url, "127.0.0.1:1", job_name="item-19", **IDENTITY)[0] == 200
    [row] = [row for row in server.get("targets")["targets"] if row["job"] == "item-19"]
    assert row["run"] == "project-a/experiment-a"
    for word, state in (("archive", "archived"), ("archive", "archived"), ("restore", "active"), ("restore", "active"), ("archive", "archived")):
        status, answer = control.post(server.url, "experiments/" + word, IDENTITY)
        assert (status, answer["state"]) == (200, state)
    status, answer = control.register(server.url, "127.0.0.1:2", **IDENTITY)
    assert status == 409 and "restore" in answer["detail"]
    assert control.post(server.url, "experiments/archive", {"project": "project-a", "experiment_name": "unknown"})[0] == 404
    assert control.post(server.url, "experiments/archive", {"project": "", "experiment_name": "e"})[0] == 400


def test_item_20_a_damaged_list_of_targets_does_not_keep_the_server_from_starting(start_server):
    server = start_server()
    assert control.register(server.url, "127.0.0.1:1")[0] == 200
    server.stop()
    with open(os.path.join(server.data, "targets.json"), "w", encoding="ascii") as book:
        book.write('{"targets": [{')
    server.start()
    assert server.get("targets")["targets"] == []
    assert control.register(server.url, "127.0.0.1:1")[0] == 200
    assert any(name.startswith("targets.json.corrupt-") for name in os.listdir(server.data))


def test_item_23_everything_a_client_needs_answers(server):
    with urllib.request.urlopen(server.url + "/healthz", timeout=10) as answer:
        assert json.load(answer) == {"status": "ok"}
    with urllib.request.urlopen(server.url + "/metrics", timeout=10) as answer:
        assert answer.status == 200
    services = server.get("services")
    assert (services["status"], services["otlp_port"]) == ("ok", int(server.otlp.rsplit(":", 1)[1]))
    try:
        urllib.request.urlopen(urllib.request.Request(server.otlp + "/v1/traces", b"", method="POST"), timeout=10).close()
    except urllib.error.HTTPError as refused:
        assert refused.code < 500


def test_item_24_the_command_line_says_what_is_wrong(server, tmp_path):
    def call(*arguments):
        return subprocess.run([ROLLSCOPE, "server", *arguments], capture_output=True, text=True, env=server.environment)

    for port in ("", "many"):
        wrong = call("start", "--otlp-http-port", port, "--data", str(tmp_path / "new"))
        assert wrong.returncode == 2 and wrong.stderr.startswith(f"rollscope: --otlp-http-port: {port} (expected: ") and wrong.stderr.count("\n") == 1
    again = call("start", "--data", server.data)
    assert again.returncode == 0 and server.url in again.stdout
    assert call("stop", "--data", str(tmp_path / "new")).returncode == 0
