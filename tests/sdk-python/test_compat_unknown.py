"""Calls and arguments that a compat module does not know, as when the original gains some that Rollscope has not."""
import asyncio

import pytest

from rollscope.compat import _recording
from rollscope.compat._unknown import NOTHING, forgiving, unknown


@pytest.fixture
def said(caplog):
    _recording._said.clear()
    return lambda: [record.getMessage() for record in caplog.records if record.name == "rollscope"]


def test_a_name_that_is_unknown_is_reported_once(said):
    assert unknown("m", "new_call") is unknown("m", "new_call") is NOTHING
    assert said() == ["rollscope: m.new_call: no such name in Rollscope; it does nothing"]


@pytest.mark.parametrize("name", ["__path__", "__wrapped__", "_private"])
def test_what_python_asks_itself_is_answered_as_ever(said, name):
    with pytest.raises(AttributeError, match=name):
        unknown("m", name)
    with pytest.raises(AttributeError):
        getattr(NOTHING, name)
    assert said() == []


def test_it_decorates_with_and_without_arguments():
    @NOTHING
    def plain(x):
        return x

    @NOTHING("name", attributes={"a": 1})
    async def coroutine(x):
        return x

    class Loop:
        @NOTHING
        @staticmethod
        def step(x):
            return x

    assert (plain(1), asyncio.run(coroutine(2)), Loop.step(3)) == (1, 2, 3)


def test_it_is_entered_and_lets_an_exception_pass():
    async def main():
        with pytest.raises(KeyError):
            async with NOTHING("name"):
                raise KeyError("x")

    asyncio.run(main())
    with pytest.raises(KeyError):
        with NOTHING("name") as span:
            span.set(a=1).whatever.it("may", be=1)
            raise KeyError("x")


def test_it_is_awaited_gathered_and_a_task():
    async def main():
        assert await NOTHING() is NOTHING
        assert await asyncio.gather(NOTHING(), asyncio.sleep(0, 1)) == [NOTHING, 1]
        assert await asyncio.create_task(NOTHING()) is NOTHING
        assert await asyncio.wait_for(NOTHING(), 5) is NOTHING
        return [item async for item in NOTHING()]

    assert asyncio.run(main()) == [] == list(NOTHING())
    assert not NOTHING


@forgiving(None)
def save(*, step=None):
    return ("saved", step)


@forgiving(into="args")
def scope(name, *, args=None):
    if name is None:
        len(7)
    return (name, args)


def test_keywords_that_are_unknown_are_left_out_and_reported_once(said):
    for _ in range(2):
        assert save(step=3, format="zstd") == ("saved", 3)
    assert said() == ["rollscope: save(format=…): no such argument; left out"]


def test_or_are_kept_as_attributes(said):
    assert scope("s", colour="red", args={"a": 1}) == ("s", {"a": 1, "colour": "red"})
    assert scope(name="s", colour="red") == ("s", {"colour": "red"})
    assert scope("s", args=5, size=1) == ("s", {"size": 1})
    assert said() == [f"rollscope: scope({name}=…): no such argument; kept as an attribute" for name in ("colour", "size")]


def test_a_call_that_fits_in_no_way_does_nothing(said):
    assert save(1, 2) is None
    assert scope() is NOTHING and scope("a", "b") is NOTHING
    assert said() == [
        "rollscope: save: too many positional arguments (expected: save(*, step=None)); it does nothing",
        "rollscope: scope: missing a required argument: 'name' (expected: scope(name, *, args=None)); it does nothing",
    ]


def test_a_type_error_from_inside_is_not_taken_for_a_wrong_call():
    with pytest.raises(TypeError, match="has no len"):
        scope(None)
