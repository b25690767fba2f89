"""Output into a folder that stays on for days: compressed, cut into pieces, within a limit, one folder for each start."""
import json
import os
import re
import subprocess
import sys
import time

import pytest

import folders
import rollscope
from rollscope import SpoolTransport, _compression, _sender, _spool, _starts
from server import PATIENCE

COMPRESSIONS = pytest.mark.parametrize("compress, tool", [("zstd", ["zstd", "-dc"]), ("gzip", ["zcat"]), ("none", ["cat"])])


def line(number, size=0):
    span = '{"name":"%d%s","endTimeUnixNano":"1"}' % (number, "x" * size)
    return ('{"resourceSpans":[{"scopeSpans":[{"spans":[%s]}]}]}' % span).encode()


def python(code, *arguments, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("ROLLSCOPE_", "SLURM_"))}
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**clean, **environment})


# ── pieces ──


@COMPRESSIONS
def test_standard_tools_read_every_piece_while_it_is_written(tmp_path, compress, tool):
    spool = SpoolTransport(str(tmp_path), "11111111", compress)
    for number in range(3):
        assert spool.send("traces", line(number), 1).outcome == "sent"
        [file] = tmp_path.iterdir()
        done = subprocess.run([*tool, str(file)], capture_output=True, check=True)
        assert done.stdout.splitlines() == [line(n) for n in range(number + 1)] and not done.stderr
    spool.close()


@COMPRESSIONS
def test_every_command_reads_it(server, run, tmp_path, compress, tool):
    with rollscope.Rollscope(run=run, spool=tmp_path, spool_compress=compress) as rs:
        for n in range(20):
            with rs.session(f"s{n}"), rs.phase("generate", n=n):
                pass
    [start] = tmp_path.iterdir()
    [file] = start.iterdir()
    assert file.name.endswith(".jsonl" + _compression.SUFFIXES[compress])
    for source in (tmp_path, start, file):
        live = json.loads(server.rollscope("live", str(source), "--once", "--scope", "all", "--format", "json"))
        assert (live["run"], live["session_summary"]["total"]) == (run, 20)
    assert "generate" in server.rollscope("hotspots", str(tmp_path), "--scope", "all")
    session = json.loads(server.rollscope("session", str(tmp_path), "s7", "--format", "json"))
    assert [span["span"] for span in session["spans"] if span["stage"] == "generate"] == ["generate"]
    assert any('"generate"' in event for event in session["events"])
    server.rollscope("import", str(tmp_path), "--url", server.url)
    server.wait_for(lambda: len(server.spans(run)), 40)


def test_without_zstd_it_is_gzip(tmp_path, monkeypatch):
    monkeypatch.setattr(_compression, "zstandard", None)
    monkeypatch.setattr(_compression, "_zstd", None)
    with rollscope.Rollscope(run="r", spool=tmp_path) as rs:
        rs.phase("p").end()
    assert [file.suffix for file in folders.files(tmp_path)] == [".gz"]
    with pytest.raises(ValueError, match=r"spool_compress: zstd \(expected: gzip or none; zstd after `pip install rollscope\[zstd\]`\)"):
        rollscope.Rollscope(run="r", spool=tmp_path, spool_compress="zstd")


def test_a_piece_ends_when_it_is_full_or_old_or_gone(tmp_path):
    spool = SpoolTransport(str(tmp_path), "11111111", "none", piece_bytes=300)
    for number in range(10):
        spool.send("traces", line(number), 1)
    assert len(folders.files(tmp_path)) == 4 and all(file.stat().st_size <= 300 for file in folders.files(tmp_path))
    spool._opened -= _spool.PIECE_S + 1
    spool.send("traces", line(10), 1)
    assert len(folders.files(tmp_path)) == 5
    folders.files(tmp_path)[-1].unlink()
    spool.send("traces", line(11), 1)
    spool.close()
    assert [span["name"] for span in folders.spans(tmp_path)] == [str(n) for n in [*range(10), 11]]


KILLED = """
import os, sys, rollscope as rs
rs.init(run="k", spool=sys.argv[1])
n = 0
while True:
    for _ in range(50):
        with rs.session("s%d" % n): pass
        n += 1
    assert rs.flush(60)
    print(n, flush=True)
"""


def test_what_was_flushed_before_kill_9_is_there(server, tmp_path):
    process = python(KILLED, tmp_path)
    flushed = [int(process.stdout.readline()) for _ in range(20)]
    process.kill()
    flushed += [int(n) for n in process.communicate()[0].split()]
    live = json.loads(server.rollscope("live", str(tmp_path), "--once", "--scope", "all", "--format", "json", "--now", str(time.time())))
    assert flushed[-1] <= live["session_summary"]["total"] <= flushed[-1] + 50


@COMPRESSIONS
def test_a_piece_cut_at_any_byte_is_read_as_far_as_it_goes(server, tmp_path, compress, tool):
    """What kill -9 and a power failure leave."""
    with rollscope.Rollscope(run="r", spool=tmp_path / "whole", spool_compress=compress) as rs:
        for n in range(6):
            with rs.session(f"s{n}"):
                pass
            assert rs.flush(PATIENCE)
    [whole] = folders.files(tmp_path / "whole")
    data = whole.read_bytes()
    seen = set()
    for part in range(1, 6):
        cut = tmp_path / f"cut{part}" / whole.name
        cut.parent.mkdir()
        cut.write_bytes(data[: len(data) * part // 6])
        seen.add(json.loads(server.rollscope("live", str(cut), "--once", "--scope", "all", "--format", "json"))["session_summary"]["total"])
    assert len(seen) > 2 and max(seen) <= 6


# ── the limit ──

WRITER = """
import os, sys, time
from rollscope import SpoolTransport
folder, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
spool = SpoolTransport(folder, "%08d" % os.getpid(), "gzip", max_bytes=1 << 20, piece_bytes=40000)
for n in range(count):
    body = b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"%s","endTimeUnixNano":"1"}]}]}]}' % os.urandom(size).hex().encode()
    assert spool.send("traces", body, 1).outcome == "sent"
spool.close()
print(spool.deleted["pieces"], spool.deleted["spans"])
"""


def test_processes_share_the_limit_and_count_what_they_delete(tmp_path):
    """Three processes write ten times what may be there."""
    (tmp_path / "rollscope-notes.txt").write_text("mine")
    (tmp_path / "other-000000.jsonl").write_bytes(b"x" * 2_000_000)
    processes = [python(WRITER, tmp_path, 2000, 1000) for _ in range(3)]
    pieces = spans = 0
    for process in processes:
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        pieces, spans = pieces + int(out.split()[0]), spans + int(out.split()[1])
        assert err.count("the oldest pieces are deleted to stay below the limit of 1048576 bytes") == 1
    left = [file for file in folders.files(tmp_path) if file.name.startswith("rollscope-")]
    assert sum(file.stat().st_size for file in left) <= 1 << 20
    there = sum(len(json.loads(row)["resourceSpans"][0]["scopeSpans"][0]["spans"]) for file in left for row in folders.text(file).splitlines())
    assert pieces > 10 and there > 100 and spans + there == 6000
    assert (tmp_path / "rollscope-notes.txt").exists() and (tmp_path / "other-000000.jsonl").stat().st_size == 2_000_000


def test_pieces_of_a_process_that_was_killed_go_too_but_not_what_is_being_written(tmp_path):
    dead = SpoolTransport(str(tmp_path), "dddddddd", "gzip")
    dead._begin()
    dead._stem = "rollscope-elsewhere-1-dddddddd"
    alive = SpoolTransport(str(tmp_path), "aaaaaaaa", "gzip")
    alive._begin()
    alive._stem = "rollscope-elsewhere-2-aaaaaaaa"
    for number, other in enumerate((dead, alive)):
        for _ in range(5):
            other.send("traces", line(number, 10), 1)
    [last_of_dead] = tmp_path.glob("*dddddddd*")
    os.utime(last_of_dead, (time.time() - 3600, time.time() - 3600))
    mine = SpoolTransport(str(tmp_path), "mmmmmmmm", "none", max_bytes=1 << 20, piece_bytes=1 << 18)
    for number in range(2000):
        mine.send("traces", line(number, 1000), 1)
    assert not last_of_dead.exists() and len(list(tmp_path.glob("*aaaaaaaa*"))) == 1
    there = sum(file.read_bytes().count(b"endTimeUnixNano") for file in tmp_path.glob("*mmmmmmmm*"))
    assert mine.deleted["spans"] == 2000 - there + 5
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 1 << 20


def test_a_process_whose_piece_was_deleted_goes_on_in_another(tmp_path):
    """One that was stopped for an hour (SIGSTOP) comes back."""
    spool = SpoolTransport(str(tmp_path), "11111111", max_bytes=1 << 20)
    spool.send("traces", line(1), 1)
    folders.files(tmp_path)[0].unlink()
    spool.send("traces", line(2), 1)
    assert [span["name"] for span in folders.spans(tmp_path)] == ["2"]


def test_beats_and_live_say_what_was_deleted(server, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(_sender, "BEAT_S", 0.05)
    transport = SpoolTransport(str(tmp_path), "11111111", "none", max_bytes=1 << 20, piece_bytes=1 << 17)
    with rollscope.Rollscope(run="r", transport=transport) as rs:
        for n in range(3000):
            rs.phase("p", text="x" * 600, n=n).end()
            if n % 100 == 0:
                assert rs.flush(PATIENCE)
    deleted = dict(transport.deleted)
    assert deleted["pieces"] > 3 and deleted["spans"] + len(folders.spans(tmp_path)) == 3000
    last = folders.attributes(folders.records(tmp_path, "rollscope.process.end")[0])
    assert (int(last["rollscope.deleted.pieces"]), int(last["rollscope.deleted.spans"])) == (deleted["pieces"], deleted["spans"])
    assert rs.dropped()["spans"] == 0 and rs.stats()["deleted"] == deleted
    assert sum("oldest pieces are deleted" in message for message in caplog.messages) == 1
    live = json.loads(server.rollscope("live", str(tmp_path), "--once", "--scope", "all", "--format", "json"))
    assert live["dropped"]["deleted"] == deleted["spans"] and live["dropped_by"][0]["pid"] == os.getpid()
    table = server.rollscope("live", str(tmp_path), "--once", "--scope", "all")
    assert f"{deleted['spans']:,} with pieces that were deleted to bound the folder" in " ".join(table.split())


def test_what_cannot_be_deleted_is_no_reason_to_stop(tmp_path, monkeypatch, caplog):
    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "unlink", refuse)
    spool = SpoolTransport(str(tmp_path), "11111111", "none", max_bytes=1 << 20, piece_bytes=1 << 17)
    assert all(spool.send("traces", line(n, 1000), 1).outcome == "sent" for n in range(1500))
    assert len(folders.spans(tmp_path)) == 1500 and spool.deleted == {"pieces": 0, "spans": 0}
    assert len([message for message in caplog.messages if "cannot be deleted" in message]) == 1


# ── one folder for each start ──

STARTED = """
import subprocess, sys, rollscope as rs
rs.init(run="my run/7", spool=sys.argv[1])
rs.phase(sys.argv[2]).end()
if len(sys.argv) > 3:
    code = "import rollscope as rs; rs.phase('child').end(); rs.close()"
    subprocess.run([sys.executable, "-c", code], env={**__import__("os").environ, **rs.environment()}, check=True)
assert rs.close()
"""


def starts(folder):
    return {start.name: sorted(span["name"] for span in folders.spans(start)) for start in folder.iterdir()}


def run_all(*processes):
    for process in processes:
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err


def test_children_write_to_the_folder_of_the_first_process(tmp_path):
    run_all(python(STARTED, tmp_path, "parent", "with child"))
    [(name, spans)] = starts(tmp_path).items()
    assert re.fullmatch(r"my_run_7-\d{8}T\d{6}", name) and spans == ["child", "parent"]


@pytest.mark.parametrize("variable", ["SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "TORCHELASTIC_RUN_ID"])
def test_processes_of_one_launcher_write_to_one_folder(tmp_path, variable):
    run_all(*(python(STARTED, tmp_path, f"rank {n}", **{variable: "4711[3]"}) for n in range(2)))
    assert starts(tmp_path) == {"my_run_7-4711_3_": ["rank 0", "rank 1"]}


def test_a_job_that_is_started_again_has_a_folder_of_its_own(tmp_path):
    run_all(python(STARTED, tmp_path, "a", SLURM_JOB_ID="7", SLURM_RESTART_COUNT="0"), python(STARTED, tmp_path, "b", SLURM_JOB_ID="7", SLURM_RESTART_COUNT="1"))
    assert starts(tmp_path) == {"my_run_7-7": ["a"], "my_run_7-7.1": ["b"]}


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="no /proc")
def test_workers_of_one_torchrun_without_an_id_write_to_one_folder(tmp_path):
    first = python(STARTED, tmp_path, "rank 0", TORCHELASTIC_RUN_ID="none")
    time.sleep(1.1)  # or both would have begun in one second
    run_all(first, python(STARTED, tmp_path, "rank 1", TORCHELASTIC_RUN_ID="none"))
    assert list(starts(tmp_path).values()) == [["rank 0", "rank 1"]]


@pytest.mark.parametrize("text, name", [("a/b", "a_b"), ("..", "_"), ("", "_"), ("ä\ud800\n", "_"), ("x" * 999, "x" * 200), (".hidden", "hidden"), ("r-7.1@x", "r-7.1@x")])
def test_any_run_is_a_folder(text, name):
    assert _starts.file_name(text) == name
