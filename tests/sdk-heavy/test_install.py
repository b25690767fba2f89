"""Installed the way a user does it."""
import os
import pathlib
import shutil
import subprocess
import sys
import venv

import pytest

from server import ROOT

SDK = pathlib.Path(ROOT, "sdk", "python")
CLEAN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=CLEAN, **more)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    said = run(os.path.join(ROOT, "dev"), "wheels", folder)
    assert f"pip install --no-index --find-links {folder.name} rollscope" in said
    return folder


def test_it_installs_offline_from_the_wheels(wheels, tmp_path):
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", wheels, "rollscope")
    code = "import rollscope, rollscope.compat, os; print(rollscope.__version__, os.path.exists(os.path.join(os.path.dirname(rollscope.__file__), 'py.typed')))"
    assert run(python, "-c", code, cwd=tmp_path) == "0.1.0 True\n"
    assert {line.split("==")[0] for line in run(python, "-m", "pip", "freeze").split()} == {"opentelemetry-api", "rollscope", "typing_extensions"}
    run(python, "-m", "pip", "check")


def test_it_installs_from_its_folder(tmp_path):
    """`pip install ./sdk/python`. From a copy, because the build leaves files there; with what is installed here for dependencies."""
    shutil.copytree(SDK, tmp_path / "sdk", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
    run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target", tmp_path / "there", tmp_path / "sdk")
    installed = {path.relative_to(tmp_path / "there") for path in (tmp_path / "there" / "rollscope").rglob("*") if path.suffix in (".py", ".typed")}
    assert installed == {path.relative_to(SDK / "src") for path in (SDK / "src" / "rollscope").rglob("*") if path.suffix in (".py", ".typed")}
