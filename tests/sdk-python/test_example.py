"""The toy GRPO loop of examples/, as somebody runs it who tries Rollscope for the first time."""
import os
import subprocess
import sys

from server import ROOT

TRAIN = os.path.join(ROOT, "examples", "python-grpo", "train.py")


def train(*words, **environment):
    done = subprocess.run([sys.executable, TRAIN, *words], env={**os.environ, **environment}, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout.splitlines()


def test_what_it_did_is_what_the_server_shows(server):
    said = train("--steps", "6", ROLLSCOPE_URL=server.otlp, ROLLSCOPE_RUN_ID="toy-grpo-6")
    assert len(said) == 6 and said[0].startswith("step 0: reward ")
    run = "toy-grpo-6"
    used = sum(int(line.split(", ")[1].split()[0]) for line in said)
    counts = f"select status, count(*) as n from sessions where run = '{run}' group by all"
    statuses = server.wait_for(lambda: {row["status"]: int(row["n"]) for row in server.sql(counts)}, lambda found: sum(found.values()) == 6 * 4 * 8)
    assert statuses["accepted"] == used > 0
    assert set(statuses) <= {"accepted", "rejected", "failed"} and statuses["failed"] > 0
    names = f"select name, count(*) as n from spans where run = '{run}' group by all"
    spans = server.wait_for(lambda: {row["name"]: int(row["n"]) for row in server.sql(names)}, lambda found: found.get("batch") == 6)
    assert spans["session"] == spans["wait_for_slot"] == 192 and spans["task"] == 24 and spans["rollout"] == 6
    assert spans["judge"] == 192 - statuses["failed"] and spans["generate"] > 192 and spans["calculator"] > 0
    owners = f"select count(distinct batch) as batches, count(distinct task) as tasks from sessions where run = '{run}'"
    assert [tuple(map(int, row.values())) for row in server.sql(owners)] == [(6, 24)]
    facts = f"select attributes from spans where run = '{run}' and name = 'session'"
    assert sum("rl.reward" in row["attributes"] for row in server.sql(facts)) == 192 - statuses["failed"]
    calls = f"select worker_role, attributes from spans where run = '{run}' and name = 'generate'"
    assert all(row["worker_role"] == "engine" and int(row["attributes"]["gen_ai.usage.output_tokens"]) > 0 for row in server.sql(calls))
    rewards = server.wait_for(lambda: server.metrics(run, "name = 'reward'"), lambda found: len(found) == 6)
    assert [f"{row['value']:.2f}" for row in rewards] == [line.split("reward ")[1].split(",")[0] for line in said]
    assert [int(row["train_step"]) for row in rewards] == list(range(6))
    assert not server.spans(run, "end_ns is null")


def test_it_runs_without_a_server():
    assert len(train("--steps", "2")) == 2
