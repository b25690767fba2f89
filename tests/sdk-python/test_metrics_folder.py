"""`rollscope metrics` of a spool that the SDK wrote: by itself, on a server, and imported into one."""
import json
import math
import os
import subprocess
import sys

import pytest

from server import ROLLSCOPE

ODD = '\x1b[31m"=;,\n\u202e'
PROCESS = """
import math, sys
import rollscope
folder, url, run, rank, first, last = *sys.argv[1:4], *map(int, sys.argv[4:7])
where = {"spool": folder} if folder else {"url": url}
with rollscope.Rollscope(run=run, role="rollout", rank=rank, **where) as rs:
    for step in range(first, last):
        with rs.batch(train_step=step):
            rs.gauge("reward").set(math.nan if step == 2 else 0.25 * step + rank, policy=%r)
            rs.counter("tokens", unit="{token}").add(100 * (rank + 1))
            for length in (5, 50, 500):
                rs.histogram("response/length", buckets=[10, 100, 1000]).record(length + step)
""" % ODD


def process(run, rank, first, last, folder="", url=""):
    script = [sys.executable, "-c", PROCESS, str(folder), url, run, *map(str, (rank, first, last))]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("ROLLSCOPE_", "OTEL_"))}
    subprocess.run(script, env=environment, check=True, timeout=90)


@pytest.fixture(scope="module")
def spool(tmp_path_factory):
    """Two workers, of which the first is started again after its third step; the last line of another file is torn."""
    folder = tmp_path_factory.mktemp("spool")
    process("folder-run", 0, 0, 3, folder)
    process("folder-run", 1, 0, 5, folder)
    process("folder-run", 0, 3, 5, folder)
    (folder / "torn-000000.jsonl").write_text('{"resourceMetrics":[{"resource":{"attrib')
    return folder


def rollscope(*arguments, code=0, **environment):
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("ROLLSCOPE_", "OTEL_"))}
    done = subprocess.run([ROLLSCOPE, *map(str, arguments)], capture_output=True, text=True, env={**plain, **environment}, check=False)
    assert done.returncode == code, f"{arguments}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def answer(*arguments):
    return json.loads(rollscope("metrics", *arguments, "--format", "json").stdout)


def lines(chart):
    """Each line's rank and points. Two starts of one rank have a line each, with gaps where the other has points."""
    found = [(line["labels"].get("worker_rank"), line["labels"].get("instance"), list(zip(chart["x"], line["y"]))) for line in chart["series"]]
    return sorted(found, key=str)


def test_the_list_tells_what_each_metric_is_and_where_it_stands(spool):
    listed = {metric["name"]: metric for metric in answer(spool)["metrics"]}
    assert list(listed) == ["response/length", "reward", "tokens"]
    reward, tokens = listed["reward"], listed["tokens"]
    assert (reward["kind"], reward["series"], reward["points"]) == ("gauge", 3, 10)
    assert (reward["min_value"], reward["max_value"], reward["last_value"], reward["last_step"]) == (0, 2, 1, 4)
    assert reward["labels"]["policy"] == [ODD]
    assert (tokens["monotonic"], tokens["unit"], tokens["max_value"]) == (True, "{token}", 1000)
    assert listed["response/length"]["kind"] == "histogram"


def test_values_are_those_of_each_step_also_after_a_restart(spool):
    chart = answer(spool, "reward")
    values = {rank: [] for rank in "01"}
    for rank, _, points in lines(chart):
        values[rank] += [point for point in points if point[1] is not None]
    assert sorted(values["0"]) == [(0, 0), (1, 0.25), (3, 0.75), (4, 1)]
    assert sorted(values["1"]) == [(0, 1), (1, 1.25), (3, 1.75), (4, 2)]
    grown = answer(spool, "tokens", "--agg", "sum")
    assert (grown["x"], grown["series"][0]["y"]) == ([0, 1, 2, 3, 4], [300] * 5)
    one = answer(spool, "tokens", "--agg", "sum", "--labels", "worker_rank=1", "--by", "step")
    assert one["series"][0]["y"] == [200] * 5
    median = answer(spool, "response/length", "--agg", "p50")
    assert all(math.isclose(value, 55) for value in median["series"][0]["y"])


def test_hostile_text_neither_steers_the_terminal_nor_breaks_csv(spool):
    for arguments in ([], ["reward"], ["reward", "--by", "time"], ["reward", "--format", "csv"]):
        out = rollscope("metrics", spool, *arguments).stdout
        assert "\x1b" not in out and "\u202e" not in out
    csv = rollscope("metrics", spool, "tokens", "--agg", "sum", "--format", "csv").stdout.splitlines()
    assert csv[0] == "name,labels,step,time_s,value,min,max"
    assert csv[1] == "tokens,,0,,300.0,100.0,200.0"


def test_what_is_wrong_is_named(spool, tmp_path):
    done = rollscope("metrics", spool, code=0)
    assert "torn-000000.jsonl:1: " in done.stderr
    assert rollscope("metrics", spool, "--strict", code=1)
    assert rollscope("metrics", spool, "rewrad", code=1).stderr == "rollscope: metric: rewrad (expected: reward; all are listed without a name)\n"
    assert "--by" in rollscope("metrics", spool, "--by", "step", code=2).stderr
    for wrong in (["--by", "week"], ["--labels", "x"], ["--agg", "heatmap"], ["--points", "1"], ["--format", "xml"]):
        assert "(expected: " in rollscope("metrics", spool, "reward", *wrong, code=2).stderr
    (tmp_path / "spans").mkdir()
    with_spans = tmp_path / "spans" / "a.jsonl"
    with_spans.write_text('{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"%s","spanId":"%s","name":"x","startTimeUnixNano":"1750000000000000000","endTimeUnixNano":"1750000001000000000"}]}]}]}\n' % ("a" * 32, "b" * 16))
    assert "no metrics: spans has none" in rollscope("metrics", tmp_path / "spans").stderr


def test_folder_server_and_imported_folder_answer_alike(spool, server):
    server.rollscope("import", str(spool), "--url", server.url)
    run = ("--run", "folder-run")
    points = lambda: sum(m["points"] for m in server.get("runs/folder-run/metrics")["metrics"])
    server.wait_for(points, 30)
    ours, theirs = answer(spool), answer(server.url, *run)
    assert theirs["metrics"] == ours["metrics"]
    questions = [("reward",), ("tokens",), ("tokens", "--by", "time"), ("reward", "tokens", "--by", "time"), ("response/length", "--agg", "p90")]
    for question in questions:
        mine, other = answer(spool, *question), answer(server.url, *question, *run)
        assert lines(mine) and {**mine, "source": ""} == {**other, "source": ""}
        tables = [rollscope("metrics", source, *question, *run, "--quiet").stdout for source in (spool, server.url)]
        assert tables[0] == tables[1] and len(tables[0].splitlines()) > 3
    process("sent-run", 0, 0, 3, url=server.otlp)
    server.wait_for(lambda: [m["points"] for m in server.get("runs/sent-run/metrics")["metrics"]], [3, 3, 3])
    assert answer(server.url, "tokens", "--run", "sent-run", "--agg", "sum")["series"][0]["y"] == [100, 100, 100]
