"""Real Ray on this machine: actors, async actors, concurrency groups, and what becomes of the killed."""
import os
import threading

import pytest

ray = pytest.importorskip("ray")

import rollscope  # noqa: E402

SOURCES = os.path.dirname(os.path.dirname(os.path.realpath(rollscope.__file__)))


@pytest.fixture(scope="session", autouse=True)
def cluster():
    os.environ["RAY_DISABLE_IMPORT_WARNING"] = os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": SOURCES}})
    yield
    ray.shutdown()


@ray.remote(num_cpus=0)
class Rollout:
    def generate(self, carrier, name):
        with rollscope.extract(carrier), rollscope.phase(name):
            return os.environ.get("MINE"), rollscope.get().enabled

    def hang(self, carrier):
        with rollscope.extract(carrier), rollscope.phase("hangs"):
            rollscope.flush()
            threading.Event().wait()

    def flush(self):
        return rollscope.flush()


@pytest.fixture(scope="session", autouse=True)
def killed(cluster, server):
    """The run of an actor that is killed before all other tests here, because the server waits 30 s before it calls a process lost."""
    run = "killed-%d" % os.getpid()
    with rollscope.Rollscope(run=run, url=server.otlp) as rs:
        actor = Rollout.options(runtime_env=rs.runtime_env()).remote()
        with rs.session("s1"):
            actor.hang.remote(rs.inject())
            server.wait_for(lambda: [span["name"] for span in server.spans(run, "name = 'hangs'")], ["hangs"])
            ray.kill(actor)
        yield run


@ray.remote(num_cpus=0)
class AsyncRollout:
    async def generate(self, carrier, name):
        import asyncio

        with rollscope.extract(carrier):
            async with rollscope.session(name):
                with rollscope.phase("inside " + name):
                    await asyncio.sleep(0.01)

    async def flush(self):
        return rollscope.flush()


def test_actors_continue_the_session_of_their_caller(server, rs, run):
    mine = {"env_vars": {"MINE": "kept", "ROLLSCOPE_ROLE": "generator"}}
    actor = Rollout.options(runtime_env=rs.runtime_env(mine)).remote()
    assert mine == {"env_vars": {"MINE": "kept", "ROLLSCOPE_ROLE": "generator"}}, "the caller's own is never written to"
    with rs.batch(train_step=7), rs.task("t1"), rs.session("s1") as session, rs.phase("call") as call:
        assert ray.get(actor.generate.remote(rs.inject(), "generate")) == ("kept", True)
    assert ray.get(actor.flush.remote()) and rs.flush()
    spans = {s["name"]: s for s in server.wait_for(lambda: server.spans(run), lambda found: len(found) == 5)}
    there = spans["generate"]
    assert (there["trace_id"], there["parent_id"]) == ("%032x" % session.trace_id, "%016x" % call.span_id)
    assert (there["session"], there["worker_role"]) == ("s1", "generator")
    assert there["instance"] != spans["call"]["instance"] and there["pid"] != spans["call"]["pid"]


def test_tasks_without_rollscope_in_their_runtime_env_record_nothing(rs):
    @ray.remote(num_cpus=0)
    def work():
        with rollscope.phase("p"):
            return rollscope.get().enabled

    assert ray.get(work.remote()) is False


def test_an_async_actor_runs_many_sessions(server, rs, run):
    actor = AsyncRollout.options(runtime_env=rs.runtime_env(), max_concurrency=50).remote()
    with rs.batch(train_step=3), rs.task("t1"):
        ray.get([actor.generate.remote(rs.inject(), f"s{n}") for n in range(50)])
    assert ray.get(actor.flush.remote()) and rs.flush()
    spans = server.wait_for(lambda: server.spans(run, "name like 'inside%'"), lambda found: len(found) == 50)
    assert all(span["name"] == "inside " + span["session"] for span in spans)
    sessions = server.wait_for(lambda: server.spans(run, "kind = 'session'"), lambda found: len(found) == 50)
    assert {(s["task"], s["batch"]) for s in sessions} == {("t1", "train_step=3")}


def groups(order):
    """An actor whose `io` calls have threads of their own; the decorators in both orders."""

    class Worker:
        def __init__(self):
            self.go = threading.Event()

        def block(self):
            return self.go.wait(30)

        if order == "trace above":

            @rollscope.trace("io.call")
            @ray.method(concurrency_group="io")
            def release(self):
                self.go.set()
                return threading.current_thread().name

            @rollscope.trace("two")
            @ray.method(num_returns=2)
            def two(self):
                return 1, 2
        else:

            @ray.method(concurrency_group="io")
            @rollscope.trace("io.call")
            def release(self):
                self.go.set()
                return threading.current_thread().name

            @ray.method(num_returns=2)
            @rollscope.trace("two")
            def two(self):
                return 1, 2

        def flush(self):
            return rollscope.flush()

    return ray.remote(num_cpus=0, concurrency_groups={"io": 1})(Worker)


@pytest.mark.parametrize("order", ["trace above", "trace below"])
def test_a_concurrency_group_stays_one(server, rs, run, order):
    """The default group is blocked; a call that had lost its group would wait behind it for ever."""
    worker = groups(order).options(runtime_env=rs.runtime_env()).remote()
    blocked = worker.block.remote()
    ray.get(worker.release.remote(), timeout=30)
    assert ray.get(blocked, timeout=30) is True
    one, two = worker.two.remote()
    assert ray.get([one, two]) == [1, 2]
    assert ray.get(worker.flush.remote())
    server.wait_for(lambda: sorted(span["name"] for span in server.spans(run)), ["io.call", "two"])


def test_an_actor_that_ends_sends_what_it_has(server, rs, run):
    actor = Rollout.options(runtime_env=rs.runtime_env()).remote()
    ray.get(actor.generate.remote({}, "last words"))
    actor.__ray_terminate__.remote()
    server.wait_for(lambda: [span["name"] for span in server.spans(run)], ["last words"])


@pytest.mark.last
def test_spans_of_an_actor_that_is_killed_become_lost(server, killed):
    """ray.kill leaves no time for a word; the server notices the silence after 30 s."""
    lost = server.wait_for(lambda: server.spans(killed, "name = 'hangs'"), lambda found: found[0]["outcome"] == "lost", 60)
    assert lost[0]["start_ns"] <= lost[0]["end_ns"]  # It ends where its process was last heard of.
