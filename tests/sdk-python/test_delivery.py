"""Nothing is lost that could have arrived, what is lost is counted, and nobody waits longer than was said."""
import email.utils
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
import unicodedata

import pytest

import folders
import rollscope
from faults import FaultyServer
from rollscope import SpoolTransport, _sender
from server import PATIENCE, wait_until


@pytest.fixture
def quick(monkeypatch):
    """Back-off and beats of a tenth."""
    monkeypatch.setattr(_sender, "_FIRST_PAUSE_S", 0.05)
    monkeypatch.setattr(_sender, "BEAT_S", 0.2)


@pytest.fixture
def eager(quick, monkeypatch):
    """Next to no waiting between attempts."""
    monkeypatch.setattr(_sender, "_FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(_sender, "_SHORTEST_PAUSE_S", 0.01)


def names(server, run, like):
    return [row["name"] for row in server.sql(f"select name from spans where run = '{run}' and name like '{like}'")]


def test_a_server_that_is_killed_and_comes_back_has_everything(own_server, run):
    """kill -9 in the middle of a run, restarted while the training goes on: each span is there once."""
    with rollscope.Rollscope(run=run, url=own_server.otlp) as rs:
        open_phase = rs.phase("open-all-along")
        for n in range(500):
            rs.phase(f"before-{n}").end()
        assert rs.flush()
        own_server.kill()
        for n in range(500):
            rs.phase(f"during-{n}").end()
        assert not rs.flush(0.7)
        own_server.start()
        for n in range(500):
            rs.phase(f"after-{n}").end()
        assert rs.flush(30)
        wanted = sorted(f"{when}-{n}" for when in ("before", "during", "after") for n in range(500))
        own_server.wait_for(lambda: sorted(names(own_server, run, "%-%")), sorted([*wanted, "open-all-along"]))
        assert [s["end_ns"] for s in own_server.spans(run, "name = 'open-all-along'")] == [None]
        open_phase.end()
    own_server.wait_for(lambda: own_server.spans(run, "name = 'open-all-along'")[0]["end_ns"], str(open_phase.end_ns))
    assert rs.dropped() == {"spans": 0, "starts": 0, "metrics": 0}


def test_a_server_that_comes_later_gets_what_was_recorded_before(own_server, run, caplog):
    own_server.stop()
    with rollscope.Rollscope(run=run, url=own_server.otlp, host_metrics=False) as rs:
        with rs.session("s1") as session, rs.phase("early"):
            rs.counter("tokens").add(5)
        session.accepted()
        assert not rs.flush(0.7)
        own_server.start()
        assert rs.flush(30)
    own_server.wait_for(lambda: names(own_server, run, "early"), ["early"])
    own_server.wait_for(lambda: own_server.sql(f"select status from sessions where run = '{run}'"), [{"status": "accepted"}])
    own_server.wait_for(lambda: [m["value"] for m in own_server.metrics(run)], [5.0])
    assert sum("trying again" in message for message in caplog.messages) == 1


def test_what_does_not_fit_is_counted_and_the_server_is_told(server, run, quick):
    with FaultyServer(lambda handler, path, number: handler.say(503, Retry_After="0")) as away:
        rs = rollscope.Rollscope(run=run, url=away.url, buffer=100, role="rollout", rank=3, host_metrics=False)
        first = rs.phase("first")  # starts the sender
        wait_until(lambda: away.requests, "the sender to be stuck with its first request")
        for n in range(250):
            rs.phase(f"p{n}").end()
        held = [rs.phase(f"open-{n}") for n in range(120)]
        gauge = rs.gauge("reward")
        for n in range(130):
            gauge.set(n)
        assert rs.dropped() == {"spans": 150, "starts": 21, "metrics": 30}
        rs._sender._transport._targets = {s: type(t)(t.scheme, server.otlp.split("//")[1], t.path, "", "") for s, t in rs._sender._transport._targets.items()}
        assert rs.flush(30)
    server.wait_for(lambda: server.live(run)["dropped"], {"spans": 150, "starts": 21, "metrics": 30, "attributes": 0, "deleted": 0, "verdicts": 0})
    server.wait_for(lambda: len(names(server, run, "p%")), 100)
    server.wait_for(lambda: len(server.metrics(run)), 100)
    for phase in [first, *held]:
        phase.end()
    rs.close()
    # The ends of phases whose starts did not fit arrive all the same, as far as there is room.
    server.wait_for(lambda: len(names(server, run, "open-%")), 99)
    assert rs.dropped() == {"spans": 150 + 21, "starts": 21, "metrics": 30}


@pytest.mark.parametrize("header", ["0.4", "date", "-5", "later", None])
def test_retry_after_is_obeyed(run, quick, header):
    times = []

    def answer(handler, path, number):
        times.append(time.monotonic())
        if number > 1:
            return handler.say(200)
        value = email.utils.formatdate(time.time() + 2, usegmt=True) if header == "date" else header
        return handler.say(429, **({"Retry_After": value} if value else {}))

    with FaultyServer(answer) as server, rollscope.Rollscope(run=run, url=server.url) as rs:
        rs.phase("p").end()
        assert rs.flush(10)
        assert server.spans() == ["p"]
    waited = times[1] - times[0]
    least = {"0.4": 0.4, "date": 0.9}.get(header, 0.1)
    assert least <= waited < least + 10
    assert rs.dropped()["spans"] == 0


def test_a_server_that_says_now_is_not_hammered(run, quick):
    """Retry-After: 0 from a proxy, for minutes."""
    with FaultyServer(lambda handler, path, number: handler.say(503, Retry_After="0")) as server:
        rs = rollscope.Rollscope(run=run, url=server.url)
        rs.phase("p").end()
        assert not rs.close(1)
        assert 2 <= len(server.requests) <= 15
    assert rs.dropped()["spans"] == 1


@pytest.mark.parametrize("status", [400, 401, 404, 413, 500, 301])
def test_a_refusal_is_counted_and_said_once(run, quick, caplog, status):
    # google.rpc.Status {message: "wrong token"}
    with FaultyServer(lambda handler, path, number: handler.say(status, b"\x12\x0bwrong token")) as server:
        rs = rollscope.Rollscope(run=run, url=server.url)
        for _ in range(5):
            rs.phase("p").end()
            assert rs.flush()
        rs.close()
    assert rs.dropped()["spans"] == 5
    assert [m.split(": ", 2)[2] for m in caplog.messages] == [f"HTTP {status}: wrong token"]


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
def test_what_may_pass_is_tried_again(run, quick, status):
    with FaultyServer(lambda handler, path, number: handler.say(status if number <= 3 else 200)) as server:
        with rollscope.Rollscope(run=run, url=server.url) as rs:
            rs.phase("p").end()
            assert rs.flush(10)
            assert server.spans() == ["p"]
    assert rs.dropped()["spans"] == 0


def test_a_partial_success_is_counted_and_said(run, quick, caplog):
    # ExportTraceServiceResponse {partial_success {rejected_spans: 2, error_message: "two are bad"}}
    partial = b"\x0a\x0f\x08\x02\x12\x0btwo are bad"
    with FaultyServer(lambda handler, path, number: handler.say(200, partial if path == "/v1/traces" else b"")) as server:
        with rollscope.Rollscope(run=run, url=server.url) as rs:
            for _ in range(3):
                rs.phase("p").end()
            assert rs.flush()
    assert rs.dropped()["spans"] == 2
    assert [m for m in caplog.messages if "two are bad" in m] == ["rollscope: 2 spans lost: two are bad"]


GARBAGE = [b"\xff" * 100, b"<html>hello</html>", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\x80" * (1 << 20), b"\x0a\x0b\x08" + b"\xff" * 9 + b"\x01", random.Random(1).randbytes(5000)]


@pytest.mark.parametrize("body", GARBAGE, ids=range(len(GARBAGE)))
def test_an_answer_that_makes_no_sense_is_tried_again_and_then_counted(run, eager, body, caplog):
    with FaultyServer(lambda handler, path, number: handler.say(200, body)) as server:
        rs = rollscope.Rollscope(run=run, url=server.url)
        for n in range(3):
            rs.phase(f"p{n}").end()
            assert rs.flush(30)
        assert server.spans() == [f"p{n}" for n in range(3) for _ in range(_sender._MOST_UNCLEAR)]
        rs.close()
    assert rs.dropped()["spans"] == 3
    assert len(caplog.messages) == 1


def test_garbage_that_passes_costs_nothing(run, eager):
    """A proxy that is being restarted."""
    with FaultyServer(lambda handler, path, number: handler.say(200, b"\xff" * 100 if number <= 3 else b"")) as server:
        with rollscope.Rollscope(run=run, url=server.url) as rs:
            rs.phase("p").end()
            assert rs.flush(30)
            assert server.spans()[-1] == "p"
    assert rs.dropped()["spans"] == 0


@pytest.mark.parametrize("body", [b"<!doctype html><title>Grafana</title>", b""], ids=["page", "empty"])
def test_a_wrong_port_is_said_once(run, eager, caplog, body):
    """Another server's port, which answers everything with its page."""
    with FaultyServer(lambda handler, path, number: handler.say(200, body, Content_Type="text/html; charset=utf-8")) as server:
        rs = rollscope.Rollscope(run=run, url=server.url)
        for n in range(3):
            rs.phase("p").end()
            rs.gauge("reward").set(n)
            assert rs.flush(30)
        rs.close()
    assert rs.dropped() == {"spans": 3, "starts": 0, "metrics": 3}
    where = server.url.split("//")[1]
    assert [m.split(": ", 2)[2] for m in caplog.messages] == [
        f"{where} answers with text/html (expected: OTLP; is this the port of an OTLP receiver?)"
    ]


def chunked(handler):
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"2\r\n\x0a\x00\r\n0\r\n\r\n")


def until_closed(handler):
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.wfile.write(b"\x0a\x00")
    handler.close_connection = True


WELL = [
    chunked,
    until_closed,
    lambda handler: handler.say(200, b"\x0a\x00", Content_Type="application/x-protobuf"),
    lambda handler: handler.say(200, b"\x0a\x00", Content_Type="Application/X-Protobuf; v=1"),
    lambda handler: handler.say(200, b'{"partialSuccess":{}}', Content_Type="application/json"),
    lambda handler: handler.say(200, b"", Content_Type="text/plain"),
    lambda handler: handler.say(204),
]


@pytest.mark.parametrize("answer", WELL, ids=range(len(WELL)))
def test_what_collectors_answer_is_a_delivery(run, quick, answer, caplog):
    with FaultyServer(lambda handler, path, number: answer(handler)) as server:
        with rollscope.Rollscope(run=run, url=server.url) as rs:
            rs.phase("p").end()
            assert rs.flush(30)
        assert server.spans() == ["p"]
    assert rs.dropped()["spans"] == 0 and not caplog.messages


def cut_off(handler):
    handler.send_response(200)
    handler.send_header("Content-Length", "9")
    handler.end_headers()
    handler.wfile.write(b"\x0a\x00")
    handler.close_connection = True


def status_as_number(handler):
    """google.rpc.Status whose message is a number of 2^40: not to be allocated."""
    handler.say(400, b"\x10" + b"\x80" * 5 + b"\x20")


@pytest.mark.parametrize("answer", [cut_off, status_as_number])
def test_odd_answers_lose_one_request(run, eager, answer):
    with FaultyServer(lambda handler, path, number: answer(handler) if path == "/v1/traces" else handler.say(200)) as server:
        rs = rollscope.Rollscope(run=run, url=server.url)
        rs.phase("p").end()
        assert rs.flush(30)
        rs.close()
    assert rs.dropped()["spans"] == 1


STEERING = "\x1b]0;owned\x07 \x9b31m a\u202eb\u2066c \u200b\ufeff\u00ad\u2028 \U000e0041 end\r\n"


@pytest.mark.parametrize("answer", ["refusal", "status", "partial", "page", "reason"])
def test_what_a_server_says_cannot_steer_a_terminal(run, eager, caplog, answer):
    said = STEERING.encode() + b"\xff" + b"x" * 100_000

    def hostile(handler, path, number):
        if answer == "refusal":
            handler.say(400, said)
        elif answer == "status":
            handler.say(503 if number < 3 else 400, b"\x12\x1c" + STEERING.encode()[:28], Retry_After="0")
        elif answer == "partial":
            handler.say(200, b"\x0a\x20\x08\x01\x12\x1c" + STEERING.encode()[:28])
        elif answer == "page":
            handler.say(200, said, Content_Type="text/\x1b[2J" + "y" * 10_000)
        else:
            handler.wfile.write(b"HTTP/1.1 400 \x1b[2J\x9b31m" + b"z" * 10_000 + b"\r\nContent-Length: 0\r\n\r\n")

    with FaultyServer(hostile) as server:
        rs = rollscope.Rollscope(run=run, url=server.url)
        rs.phase("p").end()
        assert rs.flush(30)
        rs.close()
    assert caplog.messages
    for message in caplog.messages:
        assert len(message) < 700
        assert not [c for c in message if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")], ascii(message)


def test_something_that_is_no_http_server(run, quick):
    def answer(handler, path, number):
        if number > 2:
            return handler.say(200)
        handler.wfile.write(b"220 smtp ready\r\n")
        handler.close_connection = True

    with FaultyServer(answer) as server, rollscope.Rollscope(run=run, url=server.url) as rs:
        rs.phase("p").end()
        assert rs.flush(10) and server.spans() == ["p"]


def test_connections_that_break_off(run, quick):
    with FaultyServer(lambda handler, path, number: handler.reset() if number % 2 else handler.say(200)) as server:
        with rollscope.Rollscope(run=run, url=server.url) as rs:
            for n in range(5):
                rs.phase(f"p{n}").end()
                assert rs.flush(10)
            assert sorted(set(server.spans())) == ["p0", "p1", "p2", "p3", "p4"]
    assert rs.dropped()["spans"] == 0


def test_a_server_that_hangs_holds_nobody(run):
    with FaultyServer(lambda handler, path, number: server.release.wait()) as server:
        rs = rollscope.Rollscope(run=run, url=server.url)
        began = time.monotonic()
        for n in range(10_000):
            rs.phase("p").end()
        assert time.monotonic() - began < 15
        assert not rs.flush(0.3)
        assert not rs.close(0.5)
        assert time.monotonic() - began < 30


def test_the_deadline_of_close_holds_when_nobody_is_there(run, caplog):
    rs = rollscope.Rollscope(run=run, url="127.0.0.1:9")
    for _ in range(10_000):
        rs.phase("p").end()
    began = time.monotonic()
    assert not rs.close(1)
    assert 0.9 <= time.monotonic() - began < 15
    wait_until(lambda: rs.dropped()["spans"] == 10_000, "all to be counted")


def test_close_flushes_also_what_is_not_due(run):
    with FaultyServer() as server:
        rs = rollscope.Rollscope(run=run, url=server.url)
        sessions = [rs.session(n) for n in range(9000)]
        for session in sessions:
            session.end()
        assert rs.flush()
        for session in sessions:
            session.accepted()  # after the end: each is a record of its own
        assert rs.close()
        assert len(server.records("rollscope.session.final")) == 9000
        assert len(server.records("rollscope.process.end")) == 1


def test_flush_sends_counters_too(server, rs, run):
    rs.counter("tokens").add(3)
    assert rs.flush()
    server.wait_for(lambda: [m["value"] for m in server.metrics(run)], [3.0])


def test_closing_twice_and_recording_afterwards_do_nothing(server, run):
    rs = rollscope.Rollscope(run=run, url=server.otlp)
    left_open = rs.phase("left open")
    with rs.session("s1") as session, rs.phase("p"):
        pass
    assert rs.close() and rs.close()
    with rs.session("s2"), rs.phase("too late"):
        rs.counter("c").add(1)
    session.rejected("too late")
    left_open.end()
    assert rs.flush() and rs.close() and not rs.enabled
    server.wait_for(lambda: sorted(s["name"] for s in server.spans(run)), ["left open", "p", "session"])
    # Nobody is there to send its end; the process said that it is gone.
    server.wait_for(lambda: server.live(run)["session_summary"]["total"], 1)
    assert rs.dropped()["spans"] >= 1


def test_close_while_others_record_and_flush(run):
    with FaultyServer() as server:
        rs = rollscope.Rollscope(run=run, url=server.url)
        stop = threading.Event()
        problems = []

        def work():
            while not stop.is_set():
                try:
                    with rs.session(), rs.phase("p"):
                        rs.counter("c").add(1)
                    rs.flush(1)
                except BaseException as error:
                    problems.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        wait_until(lambda: server.spans(), "something to arrive")
        began = time.monotonic()
        assert rs.close()
        stop.set()
        for thread in threads:
            thread.join(5)
        assert time.monotonic() - began < 20 and not problems


def test_a_transport_that_throws_is_reported_and_survived(caplog):
    class Broken:
        content_type = "application/x-protobuf"

        def send(self, signal, body, timeout):
            raise ZeroDivisionError("mine")

        def close(self):
            raise ZeroDivisionError("again")

    rs = rollscope.Rollscope(run="r", transport=Broken())
    for _ in range(3):
        rs.phase("p").end()
        assert rs.flush()
    rs.close()
    assert rs.dropped()["spans"] == 3
    assert sum("ZeroDivisionError: mine" in m for m in caplog.messages) == 1


def test_no_thread_to_be_had_does_not_hurt_the_caller(monkeypatch, caplog):
    def start(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    rs = rollscope.Rollscope(run="r", url="127.0.0.1:9")
    with rs.session(), rs.phase("p"):
        rs.gauge("g").set(1)
    assert rs.flush() and rs.close()
    assert caplog.messages == ["rollscope: nothing is recorded: can't start new thread"]


def test_compressed_requests_arrive(server, run, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
    with rollscope.Rollscope(run=run, url=server.otlp) as rs:
        for n in range(100):
            rs.phase(f"p{n}").end()
    server.wait_for(lambda: len(server.spans(run)), 100)


def test_a_token_is_sent(run):
    with FaultyServer() as server:
        with rollscope.Rollscope(run=run, url=server.url, token="secret") as rs:
            rs.phase("p").end()
        assert {headers["Authorization"] for _, headers, _ in server.requests} == {"Bearer secret"}


def test_parallel_counts_and_attributes_are_all_kept(run):
    with FaultyServer() as server, rollscope.Rollscope(run=run, url=server.url) as rs:
        sys.setswitchinterval(1e-6)
        try:
            with rs.session() as session:
                def work(number):
                    for n in range(500):
                        session.count("turns")
                    for n in range(10):
                        session.set({f"t{number}-{n}": n})

                threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
        finally:
            sys.setswitchinterval(0.005)
        assert session.attributes["rl.counter.turns"] == 4000
        assert sum(key.startswith("t") for key in session.attributes) == 80


# ── the spool ──


def test_a_spool_is_read_by_a_server_with_rotated_files(server, run, tmp_path):
    instance = "11111111-aaaa"
    transport = SpoolTransport(str(tmp_path), instance, piece_bytes=2000)
    with rollscope.Rollscope(run=run, transport=transport) as rs:
        for n in range(50):
            with rs.session(f"s{n}"):
                rs.phase("p", n=n).end()
            rs.flush()
    files = sorted(tmp_path.iterdir())
    assert len(files) > 5 and all(file.stat().st_size < 6000 for file in files)
    live = server.rollscope("live", str(tmp_path), "--once", "--scope", "all", "--format", "json")
    assert json.loads(live)["session_summary"]["total"] == 50


FULL = """
import resource, sys
from rollscope import SpoolTransport
spool = SpoolTransport(sys.argv[1], "11111111", "none")
print(spool.send("traces", b"a" * 99, 1).outcome)
resource.setrlimit(resource.RLIMIT_FSIZE, (150, resource.RLIM_INFINITY))
print(spool.send("traces", b"b" * 99, 1).outcome)
resource.setrlimit(resource.RLIMIT_FSIZE, (50, resource.RLIM_INFINITY))
print([spool.send("traces", b"b" * 99, 1).outcome for _ in range(5)])
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(spool.send("traces", b"b" * 99, 1).outcome)
"""


def test_a_disk_that_is_full_for_a_while_loses_nothing_and_leaves_no_litter(tmp_path):
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True)
    assert done.stdout == "sent\nretry\n['retry', 'retry', 'retry', 'retry', 'retry']\nsent\n", done.stderr
    lines = [line for file in sorted(tmp_path.iterdir()) for line in file.read_bytes().split(b"\n") if len(line) == 99]
    assert lines == [b"a" * 99, b"b" * 99] and len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_is_taken_away_is_made_again(tmp_path):
    folder = tmp_path / "spool"
    with rollscope.Rollscope(run="r", spool=folder) as rs:
        assert folder.is_dir()
        folder.rmdir()
        rs.phase("p").end()
        assert rs.flush(PATIENCE)
        [start] = folder.iterdir()
        shutil.rmtree(folder)  # and while it is written to
        rs.phase("q").end()
    [file] = start.iterdir()
    assert [span["name"] for span in folders.spans(start)] == ["q"] and file.stat().st_size
