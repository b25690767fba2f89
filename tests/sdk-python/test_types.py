"""Typed, and written in the Python of 2020."""
import ast
import os
import pathlib
import subprocess
import sys

import pytest

from server import ROOT

SDK = pathlib.Path(ROOT, "sdk", "python")
SOURCES = sorted((SDK / "src").rglob("*.py"))
CLEAN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}

USER = '''
import rollscope as rs
from rollscope import Result

rs.init(run="r", url="host:4318", rank=0)
tokens: rs.Counter = rs.counter("tokens")

@rs.trace("judge", attributes=lambda text: {"length": len(text)})
def judge(text: str) -> float:
    return 0.5

@rs.trace
async def generate(prompt: str) -> str:
    return prompt

async def rollout(prompt: str) -> float:
    async with rs.session("s1") as session:
        with rs.phase("generate", n=1) as phase:
            text = await generate(prompt)
            phase.set(completion_tokens=88).event("done")
        session.count("turns")
        session.accepted()
    with rs.batch(train_step=7) as batch, batch.task("t") as task, task.session() as other, rs.state("rollout", lane="l"):
        other.rejected("too old")
    tokens.add(3, worker="w0", step=7)
    return judge(text)

class Mine:
    content_type = "application/json"
    def send(self, signal: str, body: bytes, timeout: float) -> Result:
        return Result("sent")
    def close(self) -> None: ...

rs.init(transport=Mine())
'''
MISTAKES = [
    ("judge(7)", "incompatible type"),
    ('rs.phase("p").acepted()', "has no attribute"),
    ("rs.init(url=7)", "incompatible type"),
    ('rs.session("s").count(3.5)', "incompatible type"),
    ("generate('x') + 1", "Unsupported operand"),
]


def mypy(tmp_path, *words):
    environment = {**CLEAN, "MYPYPATH": str(SDK / "src"), "MYPY_CACHE_DIR": str(tmp_path / "cache")}
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--exclude", "/compat/", *map(str, words)], capture_output=True, text=True, env=environment)


def test_it_is_typed(tmp_path):
    """The package without compat, and a user's file, under mypy --strict; and mistakes are found, so nothing is Any that matters."""
    pytest.importorskip("mypy")
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(USER)
    bad.write_text(USER + "\n".join(line for line, _ in MISTAKES) + "\n")
    checked = mypy(tmp_path, SDK / "src" / "rollscope", good)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    found = [line for line in mypy(tmp_path, bad).stdout.splitlines() if ": error: " in line]
    assert len(found) == len(MISTAKES) and all(wanted in line for line, (_, wanted) in zip(found, MISTAKES)), found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(SDK / "src")))
def test_it_is_written_in_the_syntax_of_3_9(path):
    tree = ast.parse(path.read_text(), feature_version=(3, 9))
    assert not [node for node in ast.walk(tree) if type(node).__name__ in ("Match", "TryStar")]
    lazy = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" and node.names[0].name == "annotations" for node in tree.body)
    annotations = {id(inner) for node in ast.walk(tree) for field in ("annotation", "returns") for inner in ast.walk(getattr(node, field, None) or ast.Pass())}
    unions = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr) and not (lazy and id(node) in annotations) and _names_types(node)
    ]
    assert not unions, f"X | Y at run time in lines {unions}"


def _names_types(node):
    """`int | None`, and not `flags | 1`."""
    sides = [node.left, node.right]
    return any((isinstance(side, ast.Constant) and side.value is None) or (isinstance(side, ast.Name) and side.id in ("str", "int", "float", "bool", "dict", "list", "bytes")) for side in sides)
