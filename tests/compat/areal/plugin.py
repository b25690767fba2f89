"""AReaL without what needs a GPU or a cluster, with Rollscope's tracer and converter in the place of its own."""
import ast
import dataclasses
import importlib.machinery
import importlib.util
import json
import logging
import os
import pathlib
import socket
import subprocess
import sys
import types

import pytest

MODE = os.environ["ROLLSCOPE_COMPAT_MODE"]
ORIGINAL = pathlib.Path(os.environ["ROLLSCOPE_COMPAT_ORIGINAL"])
ROLLSCOPE = pathlib.Path(__file__).resolve().parents[3] / "rollscope"


def stand_in(name, **contents):
    module = types.ModuleType(name)
    module.__dict__.update(contents)
    # torch and others are asked by find_spec whether they are there.
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)
    return module


def package(name):
    """Its modules are the original's, its __init__ is not run."""
    stand_in(name, __path__=[str(ORIGINAL.joinpath(*name.split(".")))])


def configs():
    """The two dataclasses as they are."""
    tree = ast.parse((ORIGINAL / "areal" / "api" / "cli_args.py").read_text())
    tree.body = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name in ("PerfTracerConfig", "SessionTracerConfig")]
    found = {"dataclass": dataclasses.dataclass, "field": dataclasses.field, "MISSING": "???"}
    exec(compile(tree, "cli_args.py", "exec", flags=__import__("__future__").annotations.compiler_flag), found)
    return {node.name: found[node.name] for node in tree.body}


def free_ports(count, *_):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def convert(source, output=None, display_time_unit="ms"):
    """`perf_trace_converter.convert_jsonl_to_chrome_trace`, by the command."""
    command = [ROLLSCOPE, "convert", "--quiet", "--compat", "areal", "--align", "none", "--display-time-unit", display_time_unit, str(source), "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise FileNotFoundError(done.stderr)
    if output is not None:
        pathlib.Path(output).write_text(done.stdout)
    return json.loads(done.stdout)


def main(arguments):
    source, *output = arguments
    command = [ROLLSCOPE, "convert", "--quiet", "--compat", "areal", "--align", "none", source, *(["-o", *output] if output else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout, end="")
    return done.returncode


for each in ("areal", "areal.utils", "areal.api", "areal.infra"):
    package(each)
stand_in("areal.api.cli_args", **configs())
stand_in("areal.utils.logging", getLogger=logging.getLogger)
stand_in("areal.utils.network", find_free_ports=free_ports)
# Without devices: what needs a GPU skips itself.
for each in ("areal.platforms", "areal.infra.platforms"):
    stand_in(each, current_platform=None)
if importlib.util.find_spec("torch") is None:
    stand_in("torch")
    stand_in("torch.profiler", profile=None, ProfilerActivity=types.SimpleNamespace(CPU=0, CUDA=1))
if importlib.util.find_spec("orjson") is None:
    stand_in("orjson", loads=json.loads)
if MODE != "control":
    from rollscope.compat import areal

    sys.modules["areal.utils.perf_tracer"] = sys.modules["areal.utils"].perf_tracer = areal
    package("areal.tools")
    stand_in("areal.tools.perf_trace_converter", convert_jsonl_to_chrome_trace=convert, main=main)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """AReaL's tests give their own folder as `fileroot`, and look for its files there."""
    if MODE == "read-back":
        monkeypatch.setenv("ROLLSCOPE_COMPAT_FILES", str(tmp_path))
