"""The real client of RL-Insight 0.3.0, with Ray, unmodified; and a run that has moved to ours beside it."""
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request

import pytest

pytest.importorskip("rl_insight", reason="rl-insight not found")
pytest.importorskip("ray", reason="ray not found")

TRAINER = """
import sys, time
import ray
ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
import rl_insight as insight
insight.init(project="verl", experiment_name="real", config={"prometheus": {"metrics_report_port": int(sys.argv[1])}})
with insight.trace_state("rollout", state_lane_id="replica-0", step=3):
    for i in range(3):
        insight.metric_count("train_step", 1, worker="t0")
        insight.metric_gauge("reward_mean", 1 + 0.01 * i, worker="t0")
        insight.metric_histogram("step_latency_ms", 200 + 20 * i, worker="t0")
insight.metric_gauge("training_global_step", 3)
insight.trace_op("update", phase="train")(lambda: None)()
insight.trace_span(name="gateway_generation", start_time_ns=time.time_ns() - 1000, end_time_ns=time.time_ns(), attributes={"sample": "7", "session": "2", "traj": "0"})
print("told", flush=True)
sys.stdin.read()
"""

MOVED = """
import rollscope.compat.rl_insight as insight
insight.init(project="verl", experiment_name="moved")
for i in range(4):
    insight.metric_count("train_step", 1, worker="t0")
    insight.metric_gauge("reward_mean", 2 + 0.01 * i, worker="t0")
    insight.metric_histogram("step_latency_ms", 200 + 20 * i, worker="t0")
insight.finish()
"""


SDK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sdk", "python", "src")


def free_port():
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_unmodified_client_finds_ports_registers_and_is_scraped(start_server):
    server = start_server()
    port = free_port()
    environment = {**os.environ, "RL_INSIGHT_SERVER_URL": server.url + "/", "RAY_USAGE_STATS_ENABLED": "0"}
    trainer = subprocess.Popen(
        [sys.executable, "-c", TRAINER, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    )
    try:
        rows = server.wait_for(lambda: server.get("targets")["targets"], lambda found: len(found) == 1 and found[0]["up"], patience=120)
        assert (rows[0]["job"], rows[0]["source"]) == ("trainer_metrics", "rl-insight")
        assert rows[0]["target"].endswith(f":{port}")
        where = "name = 'rl_insight_monitor_step_latency_ms' and count = 3"
        latency = server.wait_for(lambda: server.metrics("verl/real", where), lambda found: len(found) > 0)[-1]
        assert (latency["count"], latency["sum"], latency["train_step"]) == (3, 660, 3)
        newest = {row["name"]: row["value"] for row in server.metrics("verl/real", "value is not null")}
        assert newest["rl_insight_monitor_train_step_total"] == 3
        assert newest["rl_insight_monitor_reward_mean"] == 1.02
        spans = server.wait_for(lambda: server.spans("verl/real"), lambda found: len(found) == 3)
        kinds = {span["name"]: (span["kind"], span["lane"], span["session"]) for span in spans}
        assert kinds == {"rollout": ("state", "replica-0", None), "update": ("op", "update", None), "gateway_generation": ("phase", None, "7/2/0")}
        assert server.sql("select name from spans where run = 'verl/real' and kind = 'state'") == [{"name": "rollout"}]
        beside_a_run_that_has_moved(server, {**environment, "PYTHONPATH": SDK})
    finally:
        trainer.stdin.close()
        trainer.wait(60)
        trainer.stdout.close()


def beside_a_run_that_has_moved(server, environment):
    """The series of both are in /metrics, and the charts of both are found by one name."""
    subprocess.run([sys.executable, "-c", MOVED], env=environment, check=True, timeout=120)
    expected = {
        ("train_step_total", "real"): 3, ("train_step_total", "moved"): 4,
        ("reward_mean", "real"): 1.02, ("reward_mean", "moved"): 2.03,
        ("step_latency_ms_count", "real"): 3, ("step_latency_ms_count", "moved"): 4,
        ("step_latency_ms_sum", "real"): 660, ("step_latency_ms_sum", "moved"): 920,
    }
    server.wait_for(lambda: exposed(server), lambda found: found.items() >= expected.items())
    for name in ("train_step", "reward_mean", "step_latency_ms"):
        for run in ("verl/real", "verl/moved"):
            path = f"runs/{urllib.parse.quote(run, safe='')}/metrics"
            server.wait_for(lambda: [metric["name"] for metric in server.get(path)["metrics"]], lambda listed: name in listed)
            for asked in (name, "rl_insight_monitor_" + name + ("_total" if name == "train_step" else "")):
                [line] = server.get(path + "/data", name=asked)["series"]
                assert (line["name"], line["labels"]["worker"]) == (asked, "t0")


def exposed(server):
    """Samples of the two experiments, by what follows the namespace."""
    with urllib.request.urlopen(server.url + "/metrics", timeout=30) as answer:
        text = answer.read().decode()
    assert "rollscope_exposition_left_out_series 0.0\n" in text
    sample = re.compile(r'^rl_insight_monitor_(\w+)\{experiment_name="(\w+)",project="verl",worker="t0"\} (\S+)$', re.MULTILINE)
    return {(name, run): float(value) for name, run, value in sample.findall(text)}
