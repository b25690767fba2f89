"""Every public name of the SDK is on its page, docs/sdk-python.md."""
import inspect
import os
import re

import pytest

import rollscope
from rollscope import _settings
from server import ROOT

with open(os.path.join(ROOT, "docs", "sdk-python.md"), encoding="utf-8") as _file:
    PAGE = _file.read()
#: What stands in code: between backticks, or in a block of it.
CODE = " ".join(re.findall(r"```.*?```|`[^`]+`", PAGE, re.DOTALL))
CLASSES = (rollscope.Span, rollscope.Batch, rollscope.Task, rollscope.Session, rollscope.State, rollscope.Counter, rollscope.Gauge, rollscope.Histogram, rollscope.Rollscope, rollscope.ContextThreadPool)
#: Of concurrent.futures.
INHERITED = {"submit", "map", "shutdown"}


def is_on_the_page(name):
    return re.search(r"(?<![A-Za-z0-9_])%s(?![A-Za-z0-9_])" % re.escape(name), CODE) is not None


def names():
    yield from rollscope.__all__
    for kind in CLASSES:
        yield from (name for name in dir(kind) if not name.startswith("_") and name not in INHERITED)
    for function in (rollscope.init, rollscope.trace, rollscope.flush, rollscope.close, rollscope.batch, rollscope.Span.tokens, rollscope.histogram):
        yield from (p.name for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD and p.name != "self")


INTERNAL = {"announced", "has_stack", "events", "links", "otel_kind", "status_code", "status_message", "trace_state"}


@pytest.mark.parametrize("name", sorted(set(names()) - INTERNAL))
def test_a_public_name_is_on_the_page(name):
    assert is_on_the_page(name), name


def test_every_key_of_what_is_answered_is_on_the_page():
    stats = rollscope.Rollscope().stats()
    keys = {*stats, *(key for counts in stats.values() if isinstance(counts, dict) for key in counts), *rollscope.dropped()}
    assert not [key for key in keys if not is_on_the_page(key)]


def test_every_variable_is_on_the_page():
    with open(_settings.__file__, encoding="utf-8") as file:
        variables = set(re.findall(r'"(ROLLSCOPE_\w+)"', file.read()))
    assert len(variables) > 8 and not [name for name in variables if not is_on_the_page(name)]


def test_a_name_that_is_not_there_is_noticed():
    assert not is_on_the_page("phasee") and not is_on_the_page("stat") and is_on_the_page("stats")


def examples():
    return [code for language, code in re.findall(r"```(python)\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.parametrize("code", examples(), ids=lambda code: code.strip().splitlines()[0][:40])
def test_the_examples_are_python(code):
    compile(code, "sdk-python.md", "exec")
