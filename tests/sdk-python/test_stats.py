"""Where it records, what became of what was recorded, and what was cut."""
import os
import subprocess
import sys
import threading

import pytest

import rollscope
from faults import FaultyServer
from rollscope import _sender
from test_encoding import JSON, PROTOBUF, Memory, attributes, both

CLOSED = {"recorded": 0, "sent": 0, "dropped": 0, "queued": 0}


def python(code, **environment):
    clean = {name: value for name, value in os.environ.items() if name != "ROLLSCOPE_QUIET"}
    done = subprocess.run([sys.executable, "-c", code], env={**clean, **environment}, capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines(), done.stdout.strip()


HINT = " (quiet=True leaves this line out)"
BEGIN = "import rollscope as rs\n"


@pytest.fixture
def spool(tmp_path):
    return str(tmp_path / "spool")


def test_init_says_once_where_it_records(spool):
    with FaultyServer() as server:
        said, _ = python(f"{BEGIN}rs.init(run='grpo', url='{server.url}')\nrs.phase('p').end()\nrs.init(run='grpo', url='{server.url}')\nrs.phase('p').end()")
        assert said == [f"rollscope: recording run grpo to {server.url}{HINT}"]
        assert server.spans() == ["p", "p"]
    said, _ = python(f"{BEGIN}rs.init(run='grpo', spool={spool!r})")
    [line] = said
    assert line.startswith(f"rollscope: recording run grpo to folder {spool}") and line.endswith(HINT)


def test_a_password_in_the_address_is_not_shown():
    said, _ = python(f"{BEGIN}rs.init(run='r', url='http://me:geheim@127.0.0.1:9/x?token=geheim')")
    assert said == [f"rollscope: recording run r to http://127.0.0.1:9/x{HINT}"]


def test_the_environment_alone_says_it_with_the_first_span():
    with FaultyServer() as server:
        environment = {"ROLLSCOPE_URL": server.url, "ROLLSCOPE_RUN": "r"}
        assert python(f"{BEGIN}rs.counter('c')", **environment)[0] == []
        for first in ("rs.phase('p').end()", "rs.gauge('g').set(1)", "with rs.session(): rs.gauge('g').set(1)"):
            assert python(f"{BEGIN}{first}", **environment)[0] == [f"rollscope: recording run r to {server.url}{HINT}"]
        assert python(f"{BEGIN}rs.init(run='mine')\nrs.phase('p').end()", **environment)[0] == [f"rollscope: recording run mine to {server.url}{HINT}"]


def test_it_is_quiet_when_asked_and_when_nothing_is_recorded():
    quiet = "rs.init(run='r', url='127.0.0.1:9', quiet=True)"
    assert python(BEGIN + quiet)[0] == []
    assert python(f"{BEGIN}rs.init(run='r')\nrs.phase('p').end()")[0] == []
    assert python(f"{BEGIN}rs.init(run='r', url='127.0.0.1:9', enabled=False)")[0] == []
    with FaultyServer() as server:
        for word in ("1", "true"):
            assert python(f"{BEGIN}rs.init(run='r')\nrs.phase('p').end()", ROLLSCOPE_URL=server.url, ROLLSCOPE_QUIET=word)[0] == []
        assert len(python(f"{BEGIN}rs.init(run='r')", ROLLSCOPE_URL=server.url, ROLLSCOPE_QUIET="0")[0]) == 1
    with pytest.raises(ValueError, match="quiet: 1 .expected: True or False"):
        rollscope.Rollscope(quiet=1)


CHILD = "import rollscope as rs; rs.phase('in the child').end()"


def test_children_that_have_their_settings_from_a_parent_are_quiet():
    with FaultyServer() as server:
        parent = f"""
import os, subprocess, sys
import rollscope as rs
rs.init(run='r', url={server.url!r})
for more in (rs.environment(), rs.runtime_env({{'env_vars': {{'A': 'b'}}}})['env_vars']):
    subprocess.run([sys.executable, '-c', {CHILD!r}], env={{**os.environ, **more}}, check=True)
pid = os.fork()
if not pid:
    rs.phase('in the fork').end(); rs.close(); os._exit(0)
os.waitpid(pid, 0)
"""
        assert python(parent)[0] == [f"rollscope: recording run r to {server.url}{HINT}"]
        assert sorted(server.spans()) == ["in the child", "in the child", "in the fork"]


def test_no_stderr_is_no_reason_to_fail():
    _, out = python(f"import sys\nsys.stderr = None\n{BEGIN}rs.init(run='r', url='127.0.0.1:9')\nprint(rs.get().enabled)")
    assert out == "True"


def test_stats_of_a_server_that_takes_everything():
    with FaultyServer() as server:
        rs = rollscope.Rollscope(run="r", url=server.url)
        assert rs.stats()["spans"] == {**CLOSED, "open": 0}
        with rs.session("s") as session:
            for n in range(10):
                rs.phase("p").end()
            rs.gauge("g").set(1)
            assert rs.flush()
            assert rs.stats()["spans"] == {"recorded": 10, "sent": 10, "dropped": 0, "queued": 0, "open": 1}
            assert rs.stats()["starts"] == {"recorded": 1, "sent": 1, "dropped": 0, "queued": 0}
            assert rs.stats()["metrics"] == {"recorded": 1, "sent": 1, "dropped": 0, "queued": 0}
        session.accepted()
        assert rs.close()
        for _ in range(2):  # also after the end
            found = rs.stats()
            assert found["spans"] == {"recorded": 11, "sent": 11, "dropped": 0, "queued": 0, "open": 0}
            assert found["verdicts"] == {"recorded": 1, "sent": 1, "dropped": 0, "queued": 0}
        assert set(found) == {"spans", "verdicts", "starts", "metrics", "cut", "deleted", "misused"}


def test_stats_while_a_request_is_in_flight_and_when_the_buffer_is_full(monkeypatch):
    """The server takes the request and does not answer: what is in flight is queued, until it is lost at the end."""
    asked = threading.Event()

    def answer(handler, path, number):
        if path == "/v1/traces":
            asked.set()
            server.release.wait(90)
        handler.say(200)

    with FaultyServer(answer) as server:
        rs = rollscope.Rollscope(run="r", url=server.url, buffer=16)
        for n in range(4):
            rs.phase("p").end()
        assert asked.wait(90)
        for n in range(20):
            rs.phase("p").end()
        assert rs.stats()["spans"] == {"recorded": 24, "sent": 0, "dropped": 4, "queued": 20, "open": 0}
        assert rs.dropped()["spans"] == 4
        server.release.set()
        assert rs.flush(90)
        assert rs.stats()["spans"] == {"recorded": 24, "sent": 20, "dropped": 4, "queued": 0, "open": 0}
        rs.close()
    assert len(server.spans()) == 20


def test_stats_of_what_a_server_refuses(monkeypatch):
    monkeypatch.setattr(_sender, "_FIRST_PAUSE_S", 0.01)
    with FaultyServer(lambda handler, path, number: handler.say(400 if path == "/v1/traces" else 200)) as server:
        rs = rollscope.Rollscope(run="r", url=server.url)
        for n in range(7):
            rs.phase("p").end()
        rs.close()
        assert rs.stats()["spans"] == {"recorded": 7, "sent": 0, "dropped": 7, "queued": 0, "open": 0}


def test_stats_of_several_threads_add_up():
    with FaultyServer() as server:
        rs = rollscope.Rollscope(run="r", url=server.url, buffer=500)
        stop = threading.Event()
        seen = []

        def watch():
            while not stop.is_set():
                spans = rs.stats()["spans"]
                seen.append(spans["recorded"] == spans["sent"] + spans["dropped"] + spans["queued"])
                stop.wait(0.005)

        def work():
            for _ in range(2000):
                rs.phase("p").end()

        threads = [threading.Thread(target=work) for _ in range(4)]
        watcher = threading.Thread(target=watch)
        for thread in (watcher, *threads):
            thread.start()
        for thread in threads:
            thread.join()
        stop.set()
        watcher.join()
        assert rs.close() and all(seen) and seen
        spans = rs.stats()["spans"]
        assert spans["recorded"] == 8000 and spans["queued"] == 0 and spans["sent"] == len(server.spans())


def test_a_forked_child_counts_from_nothing():
    code = f"""
import os
{BEGIN}
rs.init(run='r', url='127.0.0.1:9', quiet=True)
for _ in range(5): rs.phase('p').end()
pid = os.fork()
if not pid:
    rs.phase('p').end()
    os.write(1, str(rs.stats()['spans']['recorded']).encode())
    os._exit(0)
os.waitpid(pid, 0)
"""
    assert python(code)[1] == "1"


# ── limits ──


@both
def test_what_is_cut_is_marked_and_counted(content_type):
    memory = Memory(content_type)
    rs = rollscope.Rollscope(run="r", transport=memory)
    rs.phase("fits", {"text": "x" * 4096, "list": [1] * 1024, **{f"k{n}": n for n in range(125)}}).end()
    rs.phase("long text", {"text": "x" * 4097, "n": 1}).end()
    rs.phase("long list", {"list": list(range(1025)), "texts": ["x" * 5000, "y"], "object": [["x" * 5000]]}).end()
    rs.phase("n" * 257).end()
    with rs.phase("later", a="x" * 5000) as later:
        later.set(b="y" * 5000)
        later.set(c=1)
    with rs.phase("many", {f"k{n}": n for n in range(130)}) as many:
        many.set(more=1)
    with rs.phase("events") as events:
        for n in range(130):
            events.event("e", text="x" * 5000 if not n else "x")
    assert rs.close()
    found = {span.name: attributes(span) for span in memory.spans()}
    marks = {name: attributes.get("rollscope.cut") for name, attributes in found.items()}
    assert marks == {
        "fits": None,
        "long text": "1: text",
        "long list": "3: list, texts, object",
        "n" * 256: "1: name",
        "later": "2: a, b",
        "many": "4: k128, k129, k127, more",
        "events": "2: events, events",
    }
    assert len(found["long text"]["text"]) == 4096 and found["long text"]["n"] == 1
    assert len(found["long list"]["list"]) == 1024 and found["long list"]["texts"] == ["x" * 4096, "y"]
    [first] = [span for span in memory.spans() if span.name == "events"][0].events[:1]
    assert attributes(first)["rollscope.cut"] == "1: text"
    assert rs.stats()["cut"] == 1 + 3 + 1 + 2 + 4 + 2 + 1
    beats = [attributes(record)["rollscope.cut.attributes"] for record in memory.logs() if record.event_name in ("rollscope.beat", "rollscope.process.end")]
    assert beats[-1] == 14 and sorted(beats) == beats


def test_the_mark_is_small_whatever_was_cut():
    memory = Memory(PROTOBUF)
    rs = rollscope.Rollscope(run="r", transport=memory)
    with rs.phase("p", {"k" * 4000 + str(n): n for n in range(10_000)}) as phase:
        for n in range(1000):
            phase.set({"later" + "k" * 1000: n, f"x{n}": n})
    rs.close()
    mark = attributes(memory.spans()[0])["rollscope.cut"]
    assert len(mark) < 220 and mark.endswith("\u2026") and int(mark.partition(":")[0]) > 10_000


@both
def test_content_that_is_cut_to_the_length_asked_for_has_no_mark(content_type):
    memory = Memory(content_type)
    rs = rollscope.Rollscope(run="r", transport=memory, content=10)
    rs.phase("p", prompt="x" * 9000, completion=["y" * 9000]).end()
    rs.close()
    assert attributes(memory.spans()[0])["prompt"] == "x" * 10 and rs.stats()["cut"] == 0


def test_an_attribute_of_that_name_given_by_somebody_is_kept():
    memory = Memory(JSON)
    rs = rollscope.Rollscope(run="r", transport=memory)
    with rs.phase("p", {"rollscope.cut": "mine"}) as phase:
        phase.set({"rollscope.cut": 7})
    rs.phase("q", {"rollscope.cut": "mine", "long": "x" * 5000}).end()
    rs.close()
    assert [attributes(span)["rollscope.cut"] for span in memory.spans()] == [7, "1: long"]
    assert rs.stats()["cut"] == 1


def test_a_span_without_a_name_and_one_with_a_mark_arrive_at_a_server(server, rs, run):
    rs.phase("").end()
    rs.phase("n" * 300, text="x" * 5000).end()
    assert rs.flush()
    rows = server.wait_for(lambda: server.spans(run), lambda found: len(found) == 2)
    assert [row["name"] for row in rows] == ["unknown", "n" * 256] or [row["name"] for row in rows] == ["n" * 256, "unknown"]
    [cut] = [row["attributes"]["rollscope.cut"] for row in rows if row["name"] != "unknown"]
    assert cut == "2: text, name"
    assert rs.stats()["spans"]["sent"] == 2 and rs.dropped() == {"spans": 0, "starts": 0, "metrics": 0}
