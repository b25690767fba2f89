"""Processes that are forked in the middle of everything: nobody waits for a thread that is not there, and each span arrives once."""
import os
import signal
import threading

import pytest

import folders
import rollscope
from faults import FaultyServer
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from rollscope import OtlpTransport, SpoolTransport
from rollscope.compat import areal, rl_insight, xtuner  # noqa: F401 (whose locks are renewed, too)
from server import wait_until

PATIENCE = 60


def in_child(work):
    """Runs it in a forked process; its exit status: 0 if nothing was raised, and -14 if it hung."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(PATIENCE)
            work()
            code = 0
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Holding:
    """Another thread that holds locks while this one forks."""

    def __init__(self, *locks):
        self._locks, self._held, self._release = locks, threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold)

    def _hold(self):
        for lock in self._locks:
            lock.__enter__()
        self._held.set()
        self._release.wait(PATIENCE)
        for lock in reversed(self._locks):
            lock.__exit__(None, None, None)

    def __enter__(self):
        self._thread.start()
        assert self._held.wait(PATIENCE)

    def __exit__(self, *error):
        self._release.set()
        self._thread.join()


def resources(server):
    """Spans by process: {pid: names}."""
    found = {}
    for path, _, body in list(server.requests):
        if path == "/v1/traces":
            for group in ExportTraceServiceRequest.FromString(body).resource_spans:
                [pid] = [a.value.int_value for a in group.resource.attributes if a.key == "process.pid"]
                found.setdefault(pid, []).extend(s.name for scope in group.scope_spans for s in scope.spans)
    return {pid: sorted(names) for pid, names in found.items()}


def test_every_lock_is_held_and_the_sender_is_in_a_request(run):
    """A data loader is forked while other threads record, and while a request is under way."""
    parent = os.getpid()

    def hangs(handler, path, number):
        if number == 1:
            server.release.wait(PATIENCE)
        handler.say(200)

    with FaultyServer(hangs) as server:
        rs = rollscope.Rollscope(run=run, url=server.url)
        with rs.session("s1") as session, rs.phase("open") as phase, rs.state("train", lane="l0") as state:
            rs.counter("tokens").add(1)
            wait_until(lambda: server.requests, "a request to be under way")
            recorder = rs._recorder

            def child():
                assert rs._recorder is not recorder
                session.count("turns")
                session.rejected("not ours")
                state.end()
                phase.set(k=1).event("e")
                phase.end()
                with rs.state("load", lane="l0"), rs.phase("in child"):
                    rs.counter("tokens").add(1)
                    rs.gauge("g").set(1)
                assert rs.flush(PATIENCE) and rs.close(PATIENCE)
                assert rs.dropped()["spans"] == 0

            with Holding(recorder.counting, recorder.metrics._lock, rs._lanes._lock):
                assert in_child(child) == 0
            session.count("turns")
        server.release.set()
        assert rs.close(PATIENCE)
        found = resources(server)
    assert found.pop(parent) == ["open", "session", "train"]
    assert list(found.values()) == [["in child", "load"]]


def test_generations(run):
    """A child forks a child, and each lives on."""
    with FaultyServer() as server:
        rs = rollscope.Rollscope(run=run, url=server.url)

        def child(depth=1):
            with rs.phase(f"generation {depth}"):
                if depth < 4:
                    assert in_child(lambda: child(depth + 1)) == 0
            assert rs.flush(PATIENCE)

        with rs.phase("generation 0"):
            assert in_child(child) == 0
        assert rs.close(PATIENCE)
        found = resources(server)
    assert sorted(found.values()) == [[f"generation {n}"] for n in range(5)]


def test_a_connection_is_not_shared(run):
    """A transport made by the caller is the same object in the child, but its connection is the parent's."""
    ports = {}

    def answer(handler, path, number):
        ports.setdefault(handler.client_address[1], set()).add(path)
        handler.say(200)

    with FaultyServer(answer) as server:
        urls = {signal: f"{server.url}/v1/{signal}" for signal in ("traces", "logs", "metrics")}
        rs = rollscope.Rollscope(run=run, transport=OtlpTransport(urls))
        rs.phase("before").end()
        assert rs.flush(PATIENCE) and len(ports) == 1

        def child():
            for n in range(20):
                rs.phase(f"child {n}").end()
                assert rs.flush(PATIENCE)

        children = [threading.Thread(target=lambda: codes.append(in_child(child))) for _ in range(2)]
        codes = []
        for thread in children:
            thread.start()
        for n in range(20):
            rs.phase(f"parent {n}").end()
            assert rs.flush(PATIENCE)
        for thread in children:
            thread.join()
        assert codes == [0, 0] and rs.close(PATIENCE)
        assert len(ports) == 3
        found = resources(server)
    mine = sorted(["before", *(f"parent {n}" for n in range(20))])
    theirs = sorted(f"child {n}" for n in range(20))
    assert found.pop(os.getpid()) == mine and list(found.values()) == [theirs, theirs]


def test_a_spool_is_not_shared(run, tmp_path):
    rs = rollscope.Rollscope(run=run, transport=SpoolTransport(str(tmp_path), "11111111"))
    rs.phase("parent").end()
    assert rs.flush(PATIENCE)

    def child():
        rs.phase("child").end()
        assert rs.close(PATIENCE)

    assert in_child(child) == 0 and rs.close(PATIENCE)
    written = {file.name.rsplit("-", 3)[1]: folders.text(file) for file in tmp_path.iterdir()}
    assert len(written) == 2
    assert '"child"' not in written[str(os.getpid())] and '"parent"' in written.pop(str(os.getpid()))
    [other] = written.values()
    assert '"child"' in other and '"parent"' not in other


@pytest.mark.parametrize("rounds", range(3))
def test_forks_while_everything_runs(run, rounds):
    """Threads record without a pause, the sender sends, and processes are forked in between."""
    stop = threading.Event()
    with FaultyServer() as server:
        rs = rollscope.Rollscope(run=run, url=server.url)

        def busy():
            with rs.session() as session:
                while not stop.is_set():
                    session.count("turns")
                    with rs.state("busy", lane="l"), rs.phase("busy"):
                        rs.counter("c").add(1)
                    rs.flush(0)

        def child():
            with rs.session("c") as session, rs.state("s", lane="l"), rs.phase("p"):
                session.count("turns")
                rs.counter("c").add(1)
            assert rs.flush(PATIENCE)

        threads = [threading.Thread(target=busy) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            assert [in_child(child) for _ in range(5)] == [0] * 5
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        assert rs.close(PATIENCE)
        found = resources(server)
    del found[os.getpid()]
    assert list(found.values()) == [["p", "s", "session"]] * 5


def test_locks_of_the_other_tracers_are_open_in_a_child():
    from rollscope import _locks

    locks = list(_locks._all)
    assert len(locks) >= 4

    def child():
        for lock in locks:
            with lock:
                pass

    with Holding(*locks):
        assert in_child(child) == 0
