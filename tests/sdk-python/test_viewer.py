"""`viewer=True`: the page starts with the training and ends with it, however that ends."""
import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
import urllib.error
import urllib.request

import pytest

from server import ROOT, wait_until

SERVER_PORTS = {"ROLLSCOPE_PORT": "0", "ROLLSCOPE_OTLP_GRPC_PORT": "0"}


@pytest.fixture
def train(tmp_path):
    """Starts a training with a viewer; everything it starts is gone after the test."""
    started = []

    def start(body, **environment):
        code = "import os, signal, sys, time\nimport rollscope as rs\n" + textwrap.dedent(body)
        variables = {**os.environ, **SERVER_PORTS, "ROLLSCOPE_HOME": ROOT, "ROLLSCOPE_DATA": str(tmp_path / "data"), "TMPDIR": str(tmp_path), **environment}
        variables = {name: value for name, value in variables.items() if value is not None}
        process = subprocess.Popen([sys.executable, "-c", code], env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=30)
    wait_until(lambda: not servers_below(tmp_path), "all servers to end")


def servers_below(folder):
    """Processes that mention a folder of this test in their command line or environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as words, open(f"/proc/{pid}/environ", "rb") as variables:
                if int(pid) != os.getpid() and str(folder).encode() in words.read() + variables.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def page(line):
    assert line.startswith("Rollscope: http://127.0.0.1:"), line
    return line.split(": ", 1)[1].strip()


def answers(url):
    try:
        with urllib.request.urlopen(url + "/healthz", timeout=5) as answer:
            return json.load(answer) == {"status": "ok"}
    except OSError:
        return False


def sessions(url, run):
    try:
        with urllib.request.urlopen(f"{url}/api/v1/runs/{run}/live?scope=all", timeout=10) as answer:
            return [row["session"] for row in json.load(answer)["rows"]]
    except urllib.error.HTTPError:  # no such run yet
        return []


def test_a_server_for_otlp(train, tmp_path):
    port = free_port()
    process = train(
        f"""
        rs.init(run="v", url="127.0.0.1:{port}", viewer=True)
        with rs.session("s1"), rs.phase("p"): pass
        assert rs.flush(60)
        print(rs.environment()["ROLLSCOPE_URL"], flush=True)
        sys.stdin.readline()
        """
    )
    url = page(process.stdout.readline())
    assert process.stdout.readline() == f"http://127.0.0.1:{port}\n"
    wait_until(lambda: sessions(url, "v") == ["s1"], "the session to be on the page")
    out, err = process.communicate("\n", timeout=30)
    assert (out, err, process.returncode) == ("", "", 0)
    assert not answers(url) and not servers_below(tmp_path)
    assert not [name for name in os.listdir(tmp_path) if name.startswith("rollscope-viewer-")]


def test_a_spool_is_watched(train, tmp_path):
    """By the first process only: its children inherit ROLLSCOPE_VIEWER=1."""
    process = train(
        """
        import subprocess
        rs.init(project="p")  # the import has begun already; its viewer is kept
        with rs.session("s1"), rs.phase("p"): pass
        assert rs.flush(60)
        child = subprocess.run([sys.executable, "-c", "import rollscope as rs\\nwith rs.session('s2'): pass"], capture_output=True, text=True)
        print(repr(child.stdout + child.stderr), flush=True)
        sys.stdin.readline()
        """,
        ROLLSCOPE_VIEWER="1",
        ROLLSCOPE_SPOOL=str(tmp_path / "spool"),
        ROLLSCOPE_RUN="v",
        ROLLSCOPE_DATA=None,
    )
    url = page(process.stdout.readline())
    assert process.stdout.readline() == "''\n"
    wait_until(lambda: sorted(sessions(url, "v")) == ["s1", "s2"], "the sessions to be on the page")
    process.communicate("\n", timeout=30)
    assert process.returncode == 0 and not answers(url)
    assert len(list((tmp_path / "spool").rglob("*.jsonl*"))) == 2 and not [name for name in os.listdir(tmp_path) if name.startswith("rollscope-viewer-")]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["SIGKILL", "SIGTERM"])
def test_it_ends_when_the_training_is_killed(train, tmp_path, number):
    """Also while a forked worker lives on."""
    process = train(
        """
        rs.init(run="v", spool=os.environ["SPOOL"], viewer=True)
        if os.fork() == 0:
            os.close(1); os.close(2)
            sys.stdin.read()
            os._exit(0)
        print("ready", flush=True)
        time.sleep(60)
        """,
        SPOOL=str(tmp_path / "spool"),
        ROLLSCOPE_DATA=None,
    )
    url = page(process.stdout.readline())
    assert process.stdout.readline() == "ready\n" and answers(url)
    process.send_signal(number)
    assert process.wait(30) == -number
    wait_until(lambda: not answers(url), "the page to be gone")


def test_a_server_that_answers_already_is_used_and_left_alone(train, server, run):
    body = "rs.init(run=os.environ['NAME'], url=os.environ['URL'], viewer=True)\nwith rs.session('s1'): pass"
    process = train(body, NAME=run, URL=server.otlp, ROLLSCOPE_DATA=server.data)
    out, err = process.communicate(timeout=60)
    assert (out, err) == (f"Rollscope: {server.url}\n", "")
    server.wait_for(lambda: [row["session"] for row in server.live(run)["rows"]], ["s1"])
    assert answers(server.url)


def test_only_rank_0_starts_one(train, tmp_path):
    process = train("rs.init(run='v', rank=1, viewer=True, spool=os.environ['SPOOL'])", SPOOL=str(tmp_path / "spool"))
    assert process.communicate(timeout=30) == ("", "")


BROKEN = [
    ("not there", None, "not found in"),
    ("fails", "#!/bin/sh\necho 'rollscope: java: not found (expected: Java 17)' >&2\nexit 1\n", "java: not found"),
    ("ends at once", "#!/bin/sh\nexit 0\n", "it ended at once"),
    ("says nonsense", "#!/bin/sh\necho hello; exec sleep 60\n", "no answer within"),
]


@pytest.mark.parametrize("launcher, why", [pytest.param(script, why, id=name) for name, script, why in BROKEN])
def test_without_a_viewer_there_is_one_warning_and_training_goes_on(train, tmp_path, launcher, why):
    home = tmp_path / "home"
    home.mkdir()
    if launcher:
        (home / "rollscope").write_text(launcher)
        (home / "rollscope").chmod(0o755)
    process = train(
        """
        import rollscope._viewer
        rollscope._viewer.PATIENCE_S = 0.5
        rs.init(run="v", spool=os.environ["SPOOL"], viewer=True)
        with rs.session("s1"): pass
        print("done", rs.close())
        """,
        SPOOL=str(tmp_path / "spool"),
        ROLLSCOPE_HOME=str(home),
    )
    out, err = process.communicate(timeout=30)
    assert (out, process.returncode) == ("done True\n", 0)
    assert len(err.splitlines()) == 1 and "no viewer" in err and why in err
    assert len(list((tmp_path / "spool").rglob("*.jsonl*"))) == 1


def test_a_server_elsewhere_that_does_not_answer_is_not_replaced(train):
    """192.0.2.1 is nobody's: data that was meant for another machine is not sent to this one."""
    process = train(
        """
        import rollscope._viewer
        rollscope._viewer._ANSWER_S = 0.2
        client = rs.init(run="v", url="http://192.0.2.1:4318", viewer=True)
        print(client._settings.url)
        """
    )
    out, err = process.communicate(timeout=30)
    assert out == "http://192.0.2.1:4318\n" and "does not answer" in err
