"""The real client of RL-Insight 0.3.0, with Ray, unmodified."""
import os
import subprocess
import sys

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
print("told", flush=True)
sys.stdin.read()
"""


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
        spans = server.wait_for(lambda: server.spans("verl/real"), lambda found: len(found) == 1)
        assert (spans[0]["name"], spans[0]["lane"]) == ("rollout", "replica-0")
    finally:
        trainer.stdin.close()
        trainer.wait(60)
        trainer.stdout.close()
