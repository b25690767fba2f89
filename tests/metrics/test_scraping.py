"""Targets made with the real prometheus_client, scraped by a real server."""
import multiprocessing
import urllib.parse

from prometheus_client import CollectorRegistry, Gauge, start_http_server

import control


def row_of(server, target):
    return next(row for row in server.get("targets")["targets"] if row["target"] == target.address)


def test_metrics_of_a_trainer_are_kept_with_run_and_step(server, start_target):
    target = start_target(3, "project=verl", "experiment_name=demo", "worker=t0")
    server.rollscope("targets", "add", target.address, "--url", server.url, "--job", "trainer_metrics")

    rows = server.wait_for(lambda: server.metrics("verl/demo", "value is not null or count is not null"), lambda found: len(found) >= 4)

    newest = {row["name"]: row for row in rows}
    steps = newest["rl_insight_monitor_train_step_total"]
    assert (steps["kind"], steps["temporality"], steps["monotonic"], steps["value"]) == ("sum", "cumulative", True, 3)
    assert steps["start_ns"] is not None and steps["service"] == "trainer_metrics" and steps["instance"] == target.address
    assert newest["rl_insight_monitor_reward_mean"]["value"] == 1.02
    latency = newest["rl_insight_monitor_step_latency_ms"]
    assert (latency["count"], latency["sum"], latency["bucket_counts"][-1], len(latency["bounds"])) == (3, 660, 3, 14)
    assert {row["train_step"] for row in rows} == {3}
    own = server.sql("select distinct name from metrics where name in ('up', 'scrape_duration_seconds', 'scrape_samples_scraped') and value > 0")
    assert len(own) == 3


def test_target_that_dies_is_down_and_its_series_end(server, start_target):
    target = start_target(5)
    server.rollscope("targets", "add", target.address, "--url", server.url, "--run", "dying")
    server.wait_for(lambda: len(server.metrics("dying", "name = 'up' and value = 1")) > 0, True)

    target.kill()

    server.wait_for(lambda: len(server.metrics("dying", "name = 'up' and value = 0")) > 1, True)
    ends = server.metrics("dying", "name = 'rl_insight_monitor_reward_mean' and value is null")
    assert len(ends) == 1, "gone is said once"
    row = row_of(server, target)
    assert row["up"] is False and row["error"] == "connection: refused (expected: a target that listens)"
    assert "down" in server.rollscope("targets", "list", "--url", server.url)

    start_target(2, port=target.port)
    server.wait_for(lambda: len(server.metrics("dying", "name = 'rl_insight_monitor_train_step_total' and value = 2")) > 0, True)
    counts = server.metrics("dying", "name = 'rl_insight_monitor_train_step_total' and value is not null")
    before, after = counts[0], counts[-1]
    assert (before["value"], after["value"]) == (5, 2)
    assert after["start_ns"] > before["time_ns"], "it counts anew"


def test_series_that_is_removed_ends_while_others_go_on(server):
    registry = CollectorRegistry()
    gauge = Gauge("open_slots", "Open slots.", ["worker"], registry=registry)
    gauge.labels("w0").set(1)
    gauge.labels("w1").set(2)
    http, _ = start_http_server(0, addr="127.0.0.1", registry=registry)
    server.rollscope("targets", "add", f"127.0.0.1:{http.server_port}", "--url", server.url, "--run", "removed")
    server.wait_for(lambda: len(server.metrics("removed", "name = 'open_slots'")) >= 2, True)

    gauge.remove("w0")

    server.wait_for(lambda: [row["labels"] for row in server.metrics("removed", "name = 'open_slots' and value is null")], lambda found: len(found) == 1)
    ended = server.sql("select labels['worker'] as worker from metrics where name = 'open_slots' and value is null")
    assert ended == [{"worker": "w0"}]
    http.shutdown()
    http.server_close()


def test_processes_that_register_at_once_lose_nothing(server):
    targets = [f"127.0.0.1:{port}" for port in range(1, 9)]
    with multiprocessing.get_context("spawn").Pool(8) as pool:
        answers = pool.starmap(control.register_as, [(server.url, target, "at-once") for target in targets])

    assert [status for status, _ in answers] == [200] * 8
    assert sorted(row["target"] for row in server.get("targets")["targets"] if row["job"] == "at-once") == targets


def test_targets_and_experiments_survive_a_restart_and_a_kill(start_server, start_target):
    server = start_server()
    target = start_target(1)
    identity = {"project": "p", "experiment_name": "e"}
    assert control.register(server.url, target.address, job_name="vllm", **identity)[0] == 200
    assert control.register(server.url, "127.0.0.1:1", project="p", experiment_name="old")[0] == 200
    assert control.post(server.url, "experiments/archive", {"project": "p", "experiment_name": "old"})[0] == 200

    for end in (server.stop, server.kill):
        end()
        server.start()
        row = server.wait_for(lambda: server.get("targets")["targets"], lambda rows: len(rows) == 1 and rows[0]["up"])[0]
        assert (row["target"], row["job"], row["run"]) == (target.address, "vllm", "p/e")
        states = {row["experiment_name"]: row["state"] for row in server.get("experiments")}
        assert states == {"e": "active", "old": "archived"}
    status, answer = control.register(server.url, "127.0.0.1:2", project="p", experiment_name="old")
    assert status == 409 and "restore" in answer["detail"]


def test_targets_file_is_followed(start_server, start_target, tmp_path):
    file = tmp_path / "targets.yml"
    target = start_target(1)
    file.write_text(f"- targets: ['{target.address}']\n  labels:\n    job: engines\n    replica: 3\n")
    server = start_server("--targets-file", str(file))
    server.wait_for(lambda: [(row["job"], row["source"], row["up"]) for row in server.get("targets")["targets"]], [("engines", "file", True)])

    file.write_text("- targets: nonsense\n")
    problems = server.wait_for(lambda: server.get("targets")["problems"], lambda found: len(found) == 1)
    assert str(file) in problems[0] and "(expected: " in problems[0]
    assert len(server.get("targets")["targets"]) == 1, "what it last said holds"
    name = urllib.parse.quote(target.address)
    assert name in urllib.parse.quote(server.rollscope("targets", "list", "--url", server.url))
