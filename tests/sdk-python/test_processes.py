"""Fork, spawn, exit and SIGTERM: every recorded span arrives exactly once, from the process that recorded it."""
import os
import signal
import subprocess
import sys
import textwrap

import pytest

from faults import FaultyServer




@pytest.fixture
def script(server, run, tmp_path):
    """Runs a program with a client `rs` set up by its environment, and returns what became of it."""

    def start(body, **environment):
        file = tmp_path / "train.py"
        file.write_text("import os, signal, sys, time\nimport rollscope as rs\n" + textwrap.dedent(body))
        variables = {**os.environ, "ROLLSCOPE_URL": server.otlp, "ROLLSCOPE_RUN": run, **environment}
        variables = {name: value for name, value in variables.items() if value is not None}
        return subprocess.Popen([sys.executable, str(file)], env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def execute(body, code=0, **environment):
        process = start(body, **environment)
        try:
            out, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        assert process.returncode == code, (process.returncode, out, err)
        return out, err

    execute.start = start
    return execute


def arrived(server, run, wanted):
    """The spans, as soon as they are these by name; a span that came twice would make one too many."""
    server.wait_for(lambda: sorted(s["name"] for s in server.spans(run)), sorted(wanted))
    return {span["name"]: span for span in server.spans(run)}


def ended(server, run):
    """How the spans of the run ended. None is open: its process said that it is gone, so it would be lost."""
    return server.wait_for(lambda: {s["outcome"] for s in server.spans(run)}, lambda found: "open" not in found)


def test_fork(server, run, script):
    script(
        """
        with rs.session("s1"), rs.phase("before"):
            pid = os.fork()
            with rs.phase("child" if pid == 0 else "parent"):
                pass
            if pid == 0:
                rs.flush()
                os._exit(0)
            assert os.waitpid(pid, 0)[1] == 0
        """
    )
    spans = arrived(server, run, ["session", "before", "child", "parent"])
    assert spans["child"]["instance"] != spans["parent"]["instance"] == spans["before"]["instance"]
    assert spans["child"]["pid"] != spans["parent"]["pid"]
    assert spans["child"]["parent_id"] == spans["parent"]["parent_id"] == spans["before"]["span_id"]
    assert {span["session"] for span in spans.values()} == {"s1"}


def test_a_forked_child_that_leaves_normally_flushes_by_itself(server, run, script):
    script(
        """
        rs.phase("parent").end()
        with rs.phase("open in both"):
            pid = os.fork()
            if pid == 0:
                rs.phase("child").end()
                rs.phase("child left this open")
                sys.exit(0)
            os.waitpid(pid, 0)
        """
    )
    spans = arrived(server, run, ["parent", "open in both", "child", "child left this open"])
    # The parent's phase is the parent's to end, though the child left its block, too.
    assert spans["open in both"]["outcome"] == "ok" and spans["open in both"]["pid"] == spans["parent"]["pid"] != spans["child"]["pid"]
    assert ended(server, run) == {"ok", "lost"}


def test_fork_in_many_threads_while_others_record(server, run, script):
    script(
        """
        import threading
        def work(number):
            for n in range(5):
                with rs.phase(f"t{number}-{n}"):
                    pid = os.fork()
                    if pid == 0:
                        try:
                            with rs.phase(f"f{number}-{n}"):
                                rs.counter("c").add(1)
                            assert rs.flush(20)
                        finally:
                            os._exit(0)
                    os.waitpid(pid, 0)
        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for t in threads: t.start()
        for t in threads: t.join()
        """
    )
    spans = arrived(server, run, [f"{kind}{t}-{n}" for kind in "tf" for t in range(4) for n in range(5)])
    assert all(spans[f"f{t}-{n}"]["parent_id"] == spans[f"t{t}-{n}"]["span_id"] for t in range(4) for n in range(5))
    assert len({span["span_id"] for span in spans.values()}) == 40 and len({span["instance"] for span in spans.values()}) == 21


WORKERS = """
import multiprocessing
def work(n):
    with rs.phase(f"work-{n}"):
        return os.getpid()
if __name__ == "__main__":
    context = multiprocessing.get_context(os.environ["METHOD"])
    with rs.session("s1"):
        os.environ.update(rs.environment())  # what spawned processes inherit
"""


def with_workers(body):
    return WORKERS + textwrap.indent(textwrap.dedent(body), " " * 8)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(server, run, script, method):
    body = """
        processes = [context.Process(target=work, args=(n,)) for n in range(3)]
        for p in processes: p.start()
        for p in processes: p.join()
        assert [p.exitcode for p in processes] == [0, 0, 0]
    """
    script(with_workers(body), METHOD=method)
    spans = arrived(server, run, ["session", "work-0", "work-1", "work-2"])
    assert len({span["instance"] for span in spans.values()}) == len({span["pid"] for span in spans.values()}) == 4
    assert {spans[f"work-{n}"]["parent_id"] for n in range(3)} == {spans["session"]["span_id"]}
    assert {span["session"] for span in spans.values()} == {"s1"}
    assert ended(server, run) == {"ok"}


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pool(server, run, script, method):
    body = """
        with context.Pool(2) as pool:
            pool.map(work, range(50), chunksize=1)
            pool.close()
            pool.join()
    """
    script(with_workers(body), METHOD=method)
    arrived(server, run, ["session", *(f"work-{n}" for n in range(50))])


def test_a_pool_that_is_terminated_sends_what_it_has(server, run, script):
    """`with Pool()` ends its workers by SIGTERM."""
    body = """
        with context.Pool(2) as pool:
            pool.map(work, range(20), chunksize=1)
    """
    script(with_workers(body), METHOD="fork")
    arrived(server, run, ["session", *(f"work-{n}" for n in range(20))])


def test_process_pool_executor(server, run, script):
    body = """
        import concurrent.futures
        with concurrent.futures.ProcessPoolExecutor(2, context) as pool:
            assert len(set(pool.map(work, range(20)))) <= 2
    """
    script(with_workers(body), METHOD="fork")
    arrived(server, run, ["session", *(f"work-{n}" for n in range(20))])


def test_a_client_that_begins_in_a_forked_worker_is_flushed(server, run, script):
    """The parent knows nothing of Rollscope; each worker sets it up. Workers leave by os._exit, without atexit."""
    script(
        """
        import multiprocessing
        def work(n):
            rs.init(run=os.environ["RUN"], url=os.environ["URL"], rank=n)
            rs.phase(f"work-{n}").end()
        if __name__ == "__main__":
            context = multiprocessing.get_context("fork")
            processes = [context.Process(target=work, args=(n,)) for n in range(3)]
            for p in processes: p.start()
            for p in processes: p.join()
        """,
        ROLLSCOPE_URL=None,
        ROLLSCOPE_RUN=None,
        URL=server.otlp,
        RUN=run,
    )
    spans = arrived(server, run, ["work-0", "work-1", "work-2"])
    assert sorted(span["worker_rank"] for span in spans.values()) in ([0, 1, 2], ["0", "1", "2"])


def test_exit_flushes(server, run, script):
    script("rs.phase('done').end()\nrs.phase('left open')\nrs.gauge('reward').set(1)\nrs.counter('tokens').add(2)")
    spans = arrived(server, run, ["done", "left open"])
    assert spans["done"]["outcome"] == "ok"
    assert ended(server, run) == {"ok", "lost"}
    server.wait_for(lambda: sorted(m["value"] for m in server.metrics(run)), [1.0, 2.0])


def test_a_client_that_was_forgotten_is_flushed_too(server, run, script):
    script(
        """
        def work():
            client = rs.Rollscope(run=os.environ["ROLLSCOPE_RUN"], url=os.environ["ROLLSCOPE_URL"])
            client.phase("forgotten").end()
        work()
        """
    )
    arrived(server, run, ["forgotten"])


def test_an_unhandled_exception_is_seen_and_flushed(server, run, script):
    _, err = script("with rs.session('s1'), rs.phase('p'):\n    raise ValueError('no reward')", code=1)
    assert "ValueError: no reward" in err
    spans = arrived(server, run, ["session", "p"])
    assert (spans["p"]["outcome"], spans["p"]["error_type"], spans["p"]["error_message"]) == ("error", "ValueError", "no reward")
    question = f"select status, reason from sessions where run = '{run}'"
    server.wait_for(lambda: server.sql(question), [{"status": "failed", "reason": "ValueError: no reward"}])


def test_sys_exit_in_a_phase_is_a_cancellation(server, run, script):
    script("with rs.session('s1'), rs.phase('p'):\n    sys.exit(3)", code=3)
    spans = arrived(server, run, ["session", "p"])
    assert (spans["p"]["outcome"], spans["p"]["error_type"]) == ("cancelled", "SystemExit")
    question = f"select status, reason from sessions where run = '{run}'"
    server.wait_for(lambda: server.sql(question), [{"status": "cancelled", "reason": "SystemExit: 3"}])


def send_when_ready(process, number):
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    return out, err


def test_sigterm_flushes_and_ends_the_process_as_before(server, run, script):
    process = script.start("rs.phase('done').end()\nrs.phase('open')\nprint('ready', flush=True)\ntime.sleep(60)")
    send_when_ready(process, signal.SIGTERM)
    assert process.returncode == -signal.SIGTERM
    arrived(server, run, ["done", "open"])
    assert ended(server, run) == {"ok", "lost"}


def test_sigterm_during_the_last_flush_waits_for_it(run, script):
    """A pool, or a scheduler, terminates processes that are ending already."""
    def answer(handler, path, number):
        if number == 1:
            process.send_signal(signal.SIGTERM)
        handler.say(200)

    with FaultyServer(answer) as server:
        process = script.start("rs.phase('p').end()", ROLLSCOPE_URL=server.url)
        assert process.communicate(timeout=30) == ("", "") and process.returncode == -signal.SIGTERM
        assert server.spans() == ["p"] and len(server.records("rollscope.process.end")) == 1


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_handler_of_the_training_is_called(server, run, script, when):
    """It may be set before or after us, record more, and decide how the process ends."""
    handler = """
def stop(number, frame):
    rs.phase("checkpoint").end()
    print("stopping", flush=True)
    sys.exit(7)
signal.signal(signal.SIGTERM, stop)
"""
    init = "rs.init(run=os.environ['ROLLSCOPE_RUN'], url=os.environ['URL'])\n"
    process = script.start(
        (handler + init if when == "before" else init + handler) + "rs.phase('done').end()\nprint('ready', flush=True)\ntime.sleep(60)",
        ROLLSCOPE_URL=None,
        URL=server.otlp,
    )
    out, _ = send_when_ready(process, signal.SIGTERM)
    assert (out, process.returncode) == ("stopping\n", 7)
    arrived(server, run, ["done", "checkpoint"])


def test_handlers_that_call_each_other_do_not_run_in_circles(server, run, script):
    """A framework that chains to the handler it found, and a second init."""
    process = script.start(
        """
        found = signal.getsignal(signal.SIGTERM)
        def chained(number, frame):
            print("chained", flush=True)
            found(number, frame)
        signal.signal(signal.SIGTERM, chained)
        rs.init(run=os.environ["ROLLSCOPE_RUN"])
        rs.phase("done").end()
        print("ready", flush=True)
        time.sleep(60)
        """
    )
    out, err = send_when_ready(process, signal.SIGTERM)
    assert (out, err, process.returncode) == ("chained\n", "", -signal.SIGTERM)
    arrived(server, run, ["done"])


def test_who_ignores_sigterm_goes_on_ignoring_it(server, run, script):
    process = script.start(
        """
        rs.close()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        rs.init(run=os.environ["ROLLSCOPE_RUN"])
        print("ready", flush=True)
        while not os.path.exists(sys.argv[0] + ".go"): time.sleep(0.01)
        """
    )
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    open(process.args[1] + ".go", "w").close()
    process.communicate(timeout=30)
    assert process.returncode == 0


def test_the_environment_for_a_subprocess(server, run, script):
    script(
        """
        import subprocess
        with rs.batch(train_step=7), rs.task("t1"), rs.session("s1"), rs.phase("tool"):
            code = "import rollscope as rs\\nwith rs.phase('inside'): pass\\nwith rs.session('s2'): pass"
            subprocess.run([sys.executable, "-c", code], env={**os.environ, **rs.environment()}, check=True)
        """,
        ROLLSCOPE_ROLE="rollout",
    )
    server.wait_for(lambda: len(server.spans(run)), 6)
    spans = {(s["name"], s["session"]): s for s in server.spans(run)}
    inside, tool, own = spans["inside", "s1"], spans["tool", "s1"], spans["session", "s2"]
    assert inside["parent_id"] == tool["span_id"] and inside["pid"] != tool["pid"]
    # A session of the child is one of the same task and batch.
    assert (own["task"], own["batch"], own["parent_id"]) == ("t1", "train_step=7", None)


def test_killed_by_9_becomes_lost(server, run, script):
    """Nobody says goodbye; the server notices. Its patience is 30 s, so only the beat is looked at here."""
    process = script.start("rs.phase('open')\nrs.flush()\nprint('ready', flush=True)\ntime.sleep(60)")
    send_when_ready(process, signal.SIGKILL)
    [span] = server.wait_for(lambda: server.spans(run), lambda found: len(found) == 1)
    assert span["end_ns"] is None


