"""Thousands of sessions in one event loop, each with its own phases and nobody else's."""
import asyncio
import logging
import random
import threading

import pytest
from opentelemetry import trace

import rollscope
from faults import FaultyServer


def current():
    return trace.get_current_span()


@pytest.fixture(autouse=True)
def no_context_is_left_and_nobody_complains(caplog):
    assert current() is trace.INVALID_SPAN
    with caplog.at_level(logging.DEBUG):
        yield
    assert current() is trace.INVALID_SPAN
    assert not [record.message for record in caplog.records if record.name.startswith(("opentelemetry", "asyncio")) and record.levelno >= logging.WARNING]


def test_five_thousand_sessions_at_once(server, run):
    source = random.Random(5)

    async def rollout(rs, n):
        async with rs.task(f"t{n // 8}"), rs.session(f"s{n}") as session:
            for turn in range(2):
                async with rs.phase("turn", n=n):
                    with rs.phase("generate", n=n) as phase:
                        await asyncio.sleep(source.random() / 10)
                        assert current() is phase
                    await asyncio.gather(*(tool(rs, n) for _ in range(2)))
            assert current() is session
            session.accepted()

    async def tool(rs, n):
        with rs.phase("tool", n=n) as phase:
            await asyncio.sleep(0)
            assert current() is phase

    async def main(rs):
        await asyncio.gather(*(rollout(rs, n) for n in range(5000)))

    with rollscope.Rollscope(run=run, url=server.otlp, buffer=200_000) as rs:
        asyncio.run(main(rs))
        assert rs.close(60)
        assert rs.dropped() == {"spans": 0, "starts": 0, "metrics": 0}
    count = f"select count(*) as n from spans where run = '{run}' and end_ns is not null"
    server.wait_for(lambda: int(server.sql(count)[0]["n"]), 5000 * 10, 60)
    own = f"""select count(*) as n from spans where run = '{run}' and kind = 'phase' and session = 's' || attributes['n']"""
    server.wait_for(lambda: int(server.sql(own)[0]["n"]), 5000 * 8, 60)
    parents = f"""select child.name as child, parent.name as parent, count(*) as n from spans child join spans parent
        on child.run = parent.run and child.trace_id = parent.trace_id and child.parent_id = parent.span_id where child.run = '{run}' group by all order by all"""
    found = [(row["child"], row["parent"], int(row["n"])) for row in server.sql(parents)]
    assert found == [("generate", "turn", 10_000), ("tool", "turn", 20_000), ("turn", "session", 10_000)]
    status = f"select status, count(*) as n, count(distinct task) as tasks from sessions where run = '{run}' group by all"
    server.wait_for(lambda: [(r["status"], int(r["n"]), int(r["tasks"])) for r in server.sql(status)], [("accepted", 5000, 625)])


def outcomes(server, run):
    return {span["name"]: (span["outcome"], span["session"]) for span in server.spans(run)}


def test_cancellation_is_an_outcome_of_its_own(server, rs, run):
    async def main():
        async def rollout():
            async with rs.session("s1"), rs.phase("generate"):
                began.set()
                await asyncio.sleep(60)

        began = asyncio.Event()
        task = asyncio.create_task(rollout())
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with rs.session("s2"):
            with pytest.raises(asyncio.TimeoutError):
                async with rs.phase("judge"):
                    await asyncio.wait_for(asyncio.sleep(60), 0.01)
            with pytest.raises(ValueError):
                with rs.phase("tool"):
                    raise ValueError("x")

    asyncio.run(main())
    assert rs.flush()
    wanted = {"generate": ("cancelled", "s1"), "judge": ("error", "s2"), "tool": ("error", "s2")}
    server.wait_for(lambda: {k: v for k, v in outcomes(server, run).items() if k in wanted}, wanted)
    question = f"select session, status from sessions where run = '{run}' order by session"
    server.wait_for(lambda: [tuple(r.values()) for r in server.sql(question)], [("s1", "cancelled"), ("s2", "completed")])


def test_threads_that_the_loop_uses_continue_the_phase(server, rs, run):
    def work(name):
        with rs.phase(name):
            return threading.current_thread()

    async def main():
        loop = asyncio.get_running_loop()
        with rollscope.ContextThreadPool(2) as pool:
            async with rs.session("s1"), rs.phase("outer"):
                threads = [
                    await asyncio.to_thread(work, "to_thread"),
                    await loop.run_in_executor(pool, work, "run_in_executor"),
                    await asyncio.wrap_future(pool.submit(work, name="submit")),
                    *await asyncio.gather(*(loop.run_in_executor(pool, work, f"many-{n}") for n in range(20))),
                ]
            # A worker keeps nothing of what it did.
            assert await loop.run_in_executor(pool, current) is trace.INVALID_SPAN
        assert threading.current_thread() not in threads

    asyncio.run(main())
    assert rs.flush()
    names = ["to_thread", "run_in_executor", "submit", *(f"many-{n}" for n in range(20))]
    spans = server.wait_for(lambda: server.spans(run), lambda found: len(found) == len(names) + 2)
    by_name = {span["name"]: span for span in spans}
    assert {by_name[name]["parent_id"] for name in names} == {by_name["outer"]["span_id"]}
    assert {span["session"] for span in spans} == {"s1"}


def test_an_async_generator_that_is_not_read_to_its_end(server, rs, run):
    async def stream():
        with rs.phase("stream"):
            for n in range(100):
                yield n

    async def main():
        async with rs.session("s1") as session:
            async for n in stream():
                if n == 3:
                    break
            # Left to the garbage collector, which closes it in a context of its own.
            del n
            await asyncio.get_running_loop().shutdown_asyncgens()
        async with rs.session("s2"):
            generator = stream()
            await generator.__anext__()
            await generator.aclose()
        assert session.end_ns

    asyncio.run(main())
    assert rs.flush()
    found = server.wait_for(lambda: server.spans(run, "name = 'stream'"), lambda spans: len(spans) == 2)
    assert [span["outcome"] for span in found] == ["cancelled", "cancelled"]


def test_tasks_do_not_see_each_other(run):
    with FaultyServer() as away, rollscope.Rollscope(run=run, url=away.url) as rs:
        seen = {}

        async def worker(n, gate):
            async with rs.session(n) as session:
                await gate.wait()
                seen[n] = current() is session
                await asyncio.sleep(0)
                with rs.phase("p") as phase:
                    assert phase.parent_id == session.span_id

        async def main():
            gate = asyncio.Event()
            async with rs.session("outer") as outer:
                tasks = [asyncio.create_task(worker(n, gate)) for n in range(100)]
                await asyncio.sleep(0)
                assert current() is outer
            assert current() is trace.INVALID_SPAN
            gate.set()
            await asyncio.gather(*tasks)

        asyncio.run(main())
        assert seen == {n: True for n in range(100)}


def test_one_extracted_context_in_many_tasks(run):
    """The same object, entered by several tasks that overlap."""
    with FaultyServer() as away, rollscope.Rollscope(run=run, url=away.url) as rs:
        with rs.session("far") as far:
            headers = rs.inject()
        context = rs.extract(headers)

        async def handle(n):
            async with context:
                await asyncio.sleep(random.random() / 50)
                with rs.phase(f"p{n}") as phase:
                    assert (phase.trace_id, phase.parent_id) == (far.trace_id, far.span_id)
                await asyncio.sleep(random.random() / 50)
            assert current() is trace.INVALID_SPAN

        async def main():
            await asyncio.gather(*(handle(n) for n in range(200)))

        asyncio.run(main())
        assert context._tokens == []


def test_exceptions_pass_and_are_recorded_where_they_pass(server, rs, run):
    async def main():
        async with rs.session("s1"):
            async with rs.phase("outer"):
                async with rs.phase("inner"):
                    raise RuntimeError("no such tool")

    with pytest.raises(RuntimeError, match="no such tool"):
        asyncio.run(main())
    assert rs.flush()
    spans = server.wait_for(lambda: server.spans(run), lambda found: len(found) == 3)
    assert {(s["outcome"], s["error_type"], s["error_message"]) for s in spans} == {("error", "RuntimeError", "no such tool")}
