"""Runs the test suites of an original three times, and compares.

control:    as they are.
exchanged:  only the module is exchanged for that of rollscope.compat.
read back:  besides, a test finds what was recorded in the form of the original: in its files, or in its store.

A project is a folder beside this file with two modules.
project.py: MARKER, a path inside of the original by which it is known; and suites(original), pairs of a test file (relative to the original)
            and a function from the mode to variables of the environment, or to None if the suite has no such mode.
plugin.py:  a plugin of pytest. It reads ROLLSCOPE_COMPAT_MODE (control, exchanged, read-back) and ROLLSCOPE_COMPAT_ORIGINAL, the folder; has stand-ins
            for imports that are heavy and beside the point; and exchanges the module in sys.modules.
Tests that are coroutines are run by coroutines.py.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
SDK = HERE.parent.parent / "sdk" / "python" / "src"
MODES = ("control", "exchanged", "read-back")
LIMIT_S = 900


def project_of(original):
    known = []
    for file in sorted(HERE.glob("*/project.py")):
        spec = importlib.util.spec_from_file_location(f"project_{file.parent.name}", file)
        project = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(project)
        if (original / project.MARKER).exists():
            return file.parent, project
        known.append(project.MARKER)
    sys.exit(f"compare: {original} (expected: a checkout with {' or '.join(known)})")


def run(original, folder, file, mode, more):
    """What became of each test of a file: passed, failed, skipped, with the first line of what failed; or why it did not start."""
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch, "report.xml")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("ROLLSCOPE_", "OTEL_", "PYTEST_"))}
        environment.update(
            PYTHONPATH=os.pathsep.join(map(str, (HERE, folder, SDK, original))),
            PYTHONDONTWRITEBYTECODE="1",
            ROLLSCOPE_COMPAT_MODE=mode,
            ROLLSCOPE_COMPAT_ORIGINAL=str(original),
            **more,
        )
        options = ("-c", os.devnull, "--rootdir", scratch, "--basetemp", f"{scratch}/tmp", "--noconftest", "--import-mode=importlib", "-p", "no:cacheprovider")
        command = [sys.executable, "-m", "pytest", *options, "-p", "coroutines", "-p", "plugin", f"--junitxml={report}", str(original / file)]
        try:
            done = subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False)
        except subprocess.TimeoutExpired:
            return {"did_not_start": f"not done after {LIMIT_S} s"}
        if not report.exists():
            said = (done.stderr or done.stdout).strip().splitlines()
            return {"did_not_start": said[-1] if said else f"exit {done.returncode}"}
        return counted(ElementTree.parse(report))


def counted(report):
    result = {"passed": 0, "failed": 0, "skipped": 0, "failures": {}}
    for case in report.iter("testcase"):
        wrong = case.find("failure") if case.find("failure") is not None else case.find("error")
        if wrong is not None:
            result["failed"] += 1
            result["failures"][case.get("name")] = (wrong.get("message") or "").strip().splitlines()[0][:200]
        elif case.find("skipped") is not None:
            result["skipped"] += 1
        else:
            result["passed"] += 1
    return result


def compare(original):
    folder, project = project_of(original)
    suites = []
    for file, environment in project.suites(original):
        suite = {"suite": str(file)}
        for mode in MODES:
            more = environment(mode)
            suite[mode] = None if more is None else run(original, folder, file, mode, more)
        suites.append(suite)
    return {"project": folder.name, "original": str(original), "suites": suites}


def cell(result):
    if result is None:
        return "–"
    if "did_not_start" in result:
        return "did not start"
    words = (("passed", "pass"), ("failed", "fail"), ("skipped", "skip"))
    return ", ".join(f"{result[name]} {word}" for name, word in words if result[name]) or "no tests"


def table(found):
    rows = [("suite", "control", "exchanged", "read back")]
    rows += [(suite["suite"], *(cell(suite[mode]) for mode in MODES)) for suite in found["suites"]]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
    for suite in found["suites"]:
        for mode in MODES:
            result = suite[mode] or {}
            lines += [f"\n{suite['suite']}, {mode}: {result['did_not_start']}"] if "did_not_start" in result else []
            lines += [f"\n{suite['suite']}, {mode}:"] if result.get("failures") else []
            lines += [f"  {name}: {message}" for name, message in result.get("failures", {}).items()]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="tests/compat/run", description="The test suites of an original against Rollscope.")
    parser.add_argument("original", metavar="ORIGINAL_DIR", type=pathlib.Path, help="a checkout of XTuner, AReaL or RL-Insight")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    given = parser.parse_args()
    found = compare(given.original.resolve())
    print(json.dumps(found, indent=2) if given.format == "json" else table(found))
    results = [suite[mode] for suite in found["suites"] for mode in MODES if suite[mode] is not None]
    sys.exit(any("did_not_start" in result for result in results))


if __name__ == "__main__":
    main()
