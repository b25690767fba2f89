"""Whatever a caller gives as an argument, nothing is raised into the training, not even what would end the process."""
import pytest

import rollscope
from faults import FaultyServer
from hostile import RAISED, LyingText, hostile, hostile_error, hostile_mapping, raised_by

def use_everything(rs, bad, mapping, error):
    """Every call that takes a value, with that value in every place."""
    for attributes in (mapping, {"k": bad}, {"k": [bad, bad]}, {"k": {"inner": bad}}, {LyingText("k"): LyingText("v")}, bad):
        with rs.batch(bad, bad, bad, id=bad, attributes=attributes, more=bad) as batch:
            batch.task(bad, bad, attributes, more=bad).session(bad, attributes, more=bad).end(bad)
            with rs.task(bad, bad, attributes, more=bad), rs.session(bad, attributes, more=bad) as session:
                with rs.phase(bad, attributes, more=bad) as phase:
                    phase.set(attributes, more=bad).set_attribute("k", bad)
                    phase.event(bad, attributes, more=bad)
                    phase.add_event(bad, attributes, bad)
                    phase.add_link(bad, attributes)
                    phase.update_name(bad)
                    phase.set_status(bad, bad)
                    phase.record_exception(error, attributes, bad)
                    phase.fail(bad)
                    phase.fail(error)
                session.count(bad, bad)
                session.rejected(bad)
                session.failed(bad)
                session.failed(error)
                session.dropped(bad)
                session.cancelled(bad)
            session.rejected(bad)
            session.failed(error)
        with rs.state(bad, bad, bad, attributes, more=bad):
            pass
        rs.counter("c").add(bad, attributes, step=bad, more=bad)
        rs.gauge("g").set(bad, attributes, step=bad, more=bad)
        rs.histogram("h").record(bad, attributes, step=bad, more=bad)
    for carrier in (mapping, {"traceparent": bad, "baggage": bad}, {bad: bad} if type(bad) in (str, int, float, bytes) else mapping, bad):
        with rs.extract(carrier):
            pass
    with pytest.raises(type(error)), rs.session("raises"), rs.phase("raises"):
        raise error
    assert rs.trace("f", lambda: mapping)(lambda: 7)() == 7
    assert rs.trace("f", lambda: bad)(lambda: 7)() == 7


@pytest.mark.parametrize("error", RAISED, ids=[kind.__name__ for kind in RAISED])
def test_nothing_is_raised_and_what_is_well_arrives(error):
    with FaultyServer() as server:
        with rollscope.Rollscope(run="hostile", url=server.url) as rs:
            problem = raised_by(use_everything, rs, hostile(error), hostile_mapping(error), hostile_error(error))
            assert problem is None
            rs.phase("well").end()
            assert rs.flush(30)
        assert "well" in server.spans() and server.spans().count("batch") == 6
    assert rs.dropped()["spans"] == 0


def test_texts_that_lie():
    with FaultyServer() as server:
        with rollscope.Rollscope(run="hostile", url=server.url) as rs:
            problem = raised_by(use_everything, rs, LyingText("lying"), {LyingText("k"): LyingText("v")}, hostile_error(SystemExit))
            assert problem is None
            rs.phase("well").end()
            assert rs.flush(30)
        assert "well" in server.spans()


def test_values_without_end():
    """A list that holds itself, nesting, and texts and numbers of any size."""
    loop = []
    loop.append(loop)
    deep = []
    for _ in range(10_000):
        deep = [deep]
    circle = {}
    circle["circle"] = circle
    with FaultyServer() as server:
        with rollscope.Rollscope(run="hostile", url=server.url) as rs:
            for bad in (loop, deep, circle, "x" * 1_000_000, 10**5000, float("nan"), [10**5000] * 1025, b"\xff" * 100_000, "\ud800"):
                problem = raised_by(use_everything, rs, bad, {"k": bad}, ValueError(bad))
                assert problem is None
            rs.phase("well").end()
            assert rs.flush(30)
        assert "well" in server.spans()
        assert max(len(body) for _, _, body in server.requests) < 32 << 20
