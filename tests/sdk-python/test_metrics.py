"""Counters, gauges and histograms: what does not fit is reported once, counted, and never lost silently."""
import sys
import threading

import pytest

import rollscope
from faults import FaultyServer
from rollscope import _metrics


@pytest.fixture
def rs(run):
    with FaultyServer() as away, rollscope.Rollscope(run=run, url=away.url) as client:
        yield client


def dropped(rs):
    return rs.dropped()["metrics"]


def test_each_step_has_its_value(server, run):
    with rollscope.Rollscope(run=run, url=server.otlp) as rs:
        tokens, length = rs.counter("tokens"), rs.histogram("length", buckets=[10, 100])
        for step in range(3):
            with rs.batch(train_step=step):
                tokens.add(5, worker="a")
                tokens.add(2, {"worker": "a"})
                length.record(50)
        rs.gauge("reward").set(0.5, step=7)
    points = server.wait_for(lambda: server.metrics(run), lambda found: len(found) == 7)
    sums = [(int(p["train_step"]), p["value"]) for p in points if p["name"] == "tokens"]
    assert sums == [(0, 7.0), (1, 14.0), (2, 21.0)]
    assert [(int(p["train_step"]), p["value"]) for p in points if p["name"] == "reward"] == [(7, 0.5)]


def test_a_label_is_part_of_the_series_whatever_it_is_called(server, run):
    """`prompt` is content on a span, but two series must not become one."""
    with rollscope.Rollscope(run=run, url=server.otlp) as rs:
        for prompt in ("short", "long"):
            rs.gauge("reward").set(1, prompt=prompt)
    points = server.wait_for(lambda: server.metrics(run), lambda found: len(found) == 2)
    assert {point["labels"]["prompt"] for point in points} == {"short", "long"}


def test_a_refused_value_says_nothing_about_the_labels_of_its_metric(rs):
    rs.counter("m").add(-1, worker="a")
    rs.counter("m").add(1, rank=0)
    assert dropped(rs) == 1


CONFLICTS = [
    ("kind", lambda rs: rs.gauge("m").set(1)),
    ("kind", lambda rs: rs.histogram("m").record(1)),
    ("labels", lambda rs: rs.counter("m").add(1, worker="a")),
    ("value", lambda rs: rs.counter("m").add(-1)),
    ("value", lambda rs: rs.counter("m").add(float("inf"))),
    ("value or step", lambda rs: rs.counter("m").add("many")),
    ("value or step", lambda rs: rs.counter("m").add(1, step="last")),
    ("value or step", lambda rs: rs.counter("m").add(10**400)),
]


@pytest.mark.parametrize("what, conflict", CONFLICTS)
def test_what_contradicts_is_said_once_and_counted(rs, caplog, what, conflict):
    rs.counter("m").add(1)
    for _ in range(5):
        conflict(rs)
    rs.counter("m").add(1)
    assert dropped(rs) == 5
    [message] = caplog.messages
    assert message.startswith(f"metric m: {what}: ") and "(expected: " in message


def test_buckets_are_part_of_the_kind(rs, caplog):
    rs.histogram("h", buckets=[1, 2]).record(1)
    rs.histogram("h", buckets=[1, 3]).record(1)
    assert dropped(rs) == 1 and len(caplog.messages) == 1


def test_a_label_with_too_many_values_is_named(rs, caplog):
    gauge = rs.gauge("latency")
    for n in range(_metrics.MAX_SERIES + 500):
        gauge.set(n, request=f"id-{n}", worker=f"w{n % 3}")
    assert dropped(rs) == 500
    [message] = caplog.messages
    assert "fewer values of label request" in message


def test_too_many_names_are_refused_and_take_no_memory(rs, caplog):
    metrics = rs._recorder.metrics
    for n in range(_metrics.MAX_SERIES + 3000):
        rs.counter(f"m-{n}").add(1)
    assert dropped(rs) == 3000
    assert all(len(each) <= _metrics.MAX_SERIES for each in (metrics._series_of, metrics._series, metrics._definitions, metrics._label_names, metrics._warned))
    assert len(caplog.messages) <= _metrics.MAX_SERIES and "fewer names of metrics" in caplog.messages[0]


def test_labels_that_cannot_be_read_are_refused_not_raised(rs, caplog):
    class Broken(dict):
        def items(self):
            raise RuntimeError("no")

    rs.gauge("g").set(1, Broken(a=1))
    assert dropped(rs) <= 1


def test_threads_lose_no_count(rs):
    counter = rs.counter("c")
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=lambda: [counter.add(1) for _ in range(500)]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(0.005)
    [series] = rs._recorder.metrics._series.values()
    assert series.value == 4000


def test_the_first_spans_of_many_threads_are_all_announced(run):
    """The sender starts with the first one; eight at the same instant."""
    sys.setswitchinterval(1e-6)
    try:
        with FaultyServer() as away:
            for _ in range(50):
                rs = rollscope.Rollscope(run=run, url=away.url)
                gate = threading.Barrier(8)

                def begin():
                    gate.wait()
                    rs.phase("p")

                threads = [threading.Thread(target=begin) for _ in range(8)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                assert len(rs._recorder.open) == 8
                rs.close()
    finally:
        sys.setswitchinterval(0.005)
