"""The tables “Every name” of docs/sdk-compat.md against the modules: each name exists, each form of a call fits, and no name is missing."""
import ast
import enum
import inspect
import pathlib
import re

import pytest

from rollscope.compat import areal, rl_insight, xtuner
from rollscope.compat._unknown import NOTHING
from server import ROOT

MODULES = {"RL-Insight": rl_insight, "XTuner": xtuner, "AReaL": areal}
VERDICTS = re.compile(r"\*(works|no effect because|differs in)\*")


def rows(section):
    """Those of the table below “### Every name”."""
    _, _, table = section.partition("\n### Every name\n")
    for line in table.partition("\n### ")[0].splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def entries():
    text = pathlib.Path(ROOT, "docs", "sdk-compat.md").read_text(encoding="utf-8")
    for section in re.split(r"\n## ", text)[1:]:
        project = section.partition("\n")[0]
        for row in rows(section):
            yield project, row


ENTRIES = list(entries())


class Form:
    """A name, and if it is a call the names of its arguments."""

    def __init__(self, text):
        self.text = text
        self.name, called, arguments = text.partition("(")
        self.is_call = bool(called)
        found = ast.parse(f"def form({arguments[:-1]}): ...").body[0].args if called else ast.arguments([], [], None, [], [], None, [])
        # A second name for what may be given by position or by keyword.
        self.positional = [argument.arg for argument in found.posonlyargs + found.args]
        self.keywords = [argument.arg for argument in found.kwonlyargs] + ([found.kwarg.arg] if found.kwarg else [])
        self.may_be_named = [argument.arg for argument in found.args]
        self.has_more = found.vararg is not None


def found(module, name):
    """The object, and whether its first parameter is `self`."""
    owner, value = None, module
    for part in name.split("."):
        owner, value = value, getattr(value, part)
    is_method = inspect.isclass(owner) and inspect.isfunction(inspect.getattr_static(owner, name.rpartition(".")[2]))
    return value, is_method


@pytest.mark.parametrize("project, row", ENTRIES, ids=[f"{project}-{row[0].strip('`')}" for project, row in ENTRIES])
def test_a_listed_name_is_there_and_takes_what_is_listed(project, row):
    [call, generation, here] = row
    assert generation and VERDICTS.match(here), here
    form = Form(call.strip("`"))
    value, is_method = found(MODULES[project], form.name)
    if value is NOTHING:
        assert here.startswith("*no effect because*"), f"{form.name}: no such name"
        return
    if not form.is_call:
        return
    signature, first = inspect.signature(value), [object()] if is_method else []
    more = [object()] if form.has_more else []
    signature.bind(*first, *form.positional, *more, **dict.fromkeys(form.keywords))
    if not more:
        signature.bind(*first, **dict.fromkeys(form.may_be_named + form.keywords))


@pytest.mark.parametrize("project", sorted({project for project, _ in ENTRIES}))
def test_every_public_name_is_listed(project):
    module, listed = MODULES[project], {Form(row[0].strip("`")).name for other, row in ENTRIES if other == project}
    public = set(module.__all__)
    kinds = [name for name in public if inspect.isclass(getattr(module, name)) and issubclass(getattr(module, name), enum.Enum)]
    members = {f"{kind}.{member}" for kind in kinds if any(name.startswith(f"{kind}.") for name in listed) for member in getattr(module, kind).__members__}
    assert not (public | members) - listed


def test_areal_has_a_table():
    """An empty one would pass all of the above."""
    assert sum(project == "AReaL" for project, _ in ENTRIES) > 50


@pytest.mark.parametrize(
    "form, fits",
    [("f(a, b)", True), ("f(a)", False), ("f(a, *, b)", True), ("f(a, *, c)", False), ("f(a, b, *more)", False), ("f(a, b, **more)", False)],
)
def test_the_check_refuses_what_does_not_fit(form, fits, monkeypatch):
    class Module:
        @staticmethod
        def f(a, b):
            """Needs both."""

    monkeypatch.setitem(MODULES, "Mine", Module)
    if fits:
        return test_a_listed_name_is_there_and_takes_what_is_listed("Mine", [f"`{form}`", "all", "*works*"])
    with pytest.raises(TypeError):
        test_a_listed_name_is_there_and_takes_what_is_listed("Mine", [f"`{form}`", "all", "*works*"])
