"""The page, started with the training: `rollscope watch` on a spool, `rollscope server start` for OTLP, as a child process."""

from __future__ import annotations

import http.client
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse
from typing import IO, Any, Dict, List, Optional

from ._settings import DEFAULT_URL, Settings

log = logging.getLogger("rollscope")

PATIENCE_S = 60.0
_ANSWER_S = 3.0
_STOP_S = 10.0
_PAGE_PORT = 18080
#: Variables that mean this process; a server has some of the same names for other things.
_OURS = frozenset("ROLLSCOPE_" + name for name in "URL RUN RUN_ID PROJECT ENABLED SPOOL VIEWER ROLE RANK".split())
#: Tells child processes, which inherit ROLLSCOPE_VIEWER, that there is a viewer.
_STARTED_BY = "ROLLSCOPE_VIEWER_STARTED_BY"

# The server ends when its standard input does, however this process ends: by exit, by kill -9, by loss of power of a container.
_SUPERVISE = """
exec 3<&0 0</dev/null
scratch=$1; shift
"$@" 3<&- & server=$!
{ read _; kill $server; } <&3 2>/dev/null & reader=$!
exec 3<&-
wait $server; status=$?
kill $reader 2>/dev/null
rm -rf -- "$scratch"
exit $status
"""


class Viewer:
    """Of one process. A server that answers already is used, and left alone at the end."""

    #: What is printed.
    line = "Rollscope: %s"
    #: The page's address, once it is there.
    url: Optional[str] = None

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._server: Optional["subprocess.Popen[bytes]"] = None
        self._pid = os.getpid()

    def start(self) -> Optional[str]:
        """The page's address, which is printed; None, and one warning, if there is none. Sets the settings' url to the server's."""
        if _was_started_by_another():
            return None
        try:
            url = self._watch() if self._settings.spool else self._serve()
            os.environ[_STARTED_BY] = str(os.getpid())
            print(self.line % url, flush=True)
            self.url = url
            return url
        except Exception as error:  # training goes on without a page
            self.stop()
            log.warning("rollscope: no viewer: %s; the training goes on without it", error)
            return None

    def serves(self, settings: Settings) -> bool:
        """Whether what these settings record is shown here; they then send to the same server."""
        mine = self._settings
        if mine.spool or settings.spool:
            return mine.spool == settings.spool
        if settings.url and not _same(settings.url, mine.url or DEFAULT_URL):
            return False
        settings.url, settings.signal_urls = mine.url, {}
        return True

    def stop(self) -> None:
        """Ends a server that was started here."""
        server, self._server = self._server, None
        self.url = None
        if self._pid != os.getpid():
            return
        os.environ.pop(_STARTED_BY, None)
        if server is None:
            return
        _close(server.stdin)
        try:
            server.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()

    def disown(self) -> None:
        """In a forked child: the server lives as long as the parent does."""
        server, self._server = self._server, None
        if server is not None:
            _close(server.stdin)
            server.returncode = 0  # or it would be reported as a process that nobody waited for

    # ── the two ways ──

    def _watch(self) -> str:
        folder = os.path.abspath(self._settings.spool or "")
        os.makedirs(folder, exist_ok=True)
        scratch = tempfile.mkdtemp(prefix="rollscope-viewer-")
        command = ["watch", folder, "--otlp-http-port", "0"]
        if "ROLLSCOPE_DATA" not in os.environ:
            # The spool keeps everything; what is read from it need not stay.
            command += ["--data", os.path.join(scratch, "data")]
        return str(self._run(command, scratch)["url"])

    def _serve(self) -> str:
        settings = self._settings
        wanted = settings.url or DEFAULT_URL
        target = urllib.parse.urlsplit(wanted)
        if _answers(target, settings.all_headers()):
            return self._page_of(wanted)
        if not _is_local(target.hostname or ""):
            raise OSError("%s does not answer (expected: a server there, or the address of this machine)" % wanted)
        report = self._run(["server", "start", "--otlp-http-port", str(target.port or 80)], tempfile.mkdtemp(prefix="rollscope-viewer-"))
        settings.url, settings.signal_urls = str(report["otlp_http"]), {}
        return str(report["url"])

    def _page_of(self, url: str) -> str:
        """Of a server that answers there; its OTLP address, if nobody knows its page's."""
        try:
            status = subprocess.run(
                [_launcher(), "server", "status", "--format", "json"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE_S,
                env=self._environment(),
            )
            report = json.loads(status.stdout)
            if _same(url, report["otlp_http"]):
                return str(report["url"])
        except (OSError, ValueError, KeyError, subprocess.SubprocessError):
            pass
        return url

    # ── the child ──

    def _run(self, command: List[str], scratch: str) -> Dict[str, Any]:
        """Starts a server and waits until it says where it is."""
        try:
            launcher = _launcher()
            said = open(os.path.join(scratch, "stdout"), "w+b")
            problems = open(os.path.join(scratch, "stderr"), "w+b")
        except OSError:
            shutil.rmtree(scratch, ignore_errors=True)
            raise
        with said, problems:
            words = [launcher, *command, *self._address(), "--format", "json"]
            self._server = subprocess.Popen(
                ["/bin/sh", "-c", _SUPERVISE, "rollscope-viewer", scratch, *words],
                stdin=subprocess.PIPE,
                stdout=said,
                stderr=problems,
                env=self._environment(),
                start_new_session=True,  # Ctrl+C is for the training, which then stops the server
            )
            end = time.monotonic() + PATIENCE_S
            while True:
                ended = self._server.poll() is not None
                report = _report(said)
                if report is not None:
                    return report
                if ended or time.monotonic() > end:
                    why = _last_line(problems) or ("it ended at once" if ended else "no answer within %d s" % PATIENCE_S)
                    raise OSError("%s %s: %s" % (launcher, " ".join(command[:2]), why))
                time.sleep(0.05)

    def _address(self) -> List[str]:
        return _free_ports(os.environ)

    def _environment(self) -> Dict[str, str]:
        environment = {name: value for name, value in os.environ.items() if name not in _OURS and name != _STARTED_BY}
        if self._settings.token:
            environment["ROLLSCOPE_TOKEN"] = self._settings.token
        return environment


def _was_started_by_another() -> bool:
    pid = os.environ.get(_STARTED_BY, "")
    return pid.isdigit() and pid != str(os.getpid()) and os.path.exists("/proc/" + pid)


def _launcher() -> str:
    home = os.environ.get("ROLLSCOPE_HOME")
    found = os.path.join(home, "rollscope") if home else shutil.which("rollscope")
    if not found or not os.access(found, os.X_OK):
        raise OSError("rollscope: not found in %s (expected: on the PATH or in ROLLSCOPE_HOME)" % (home or "the PATH"))
    return found


def _report(said: IO[bytes]) -> Optional[Dict[str, Any]]:
    said.seek(0)
    try:
        report = json.loads(said.read())
        return report if isinstance(report, dict) and "url" in report and "otlp_http" in report else None
    except ValueError:
        return None


def _last_line(problems: IO[bytes]) -> str:
    problems.seek(0)
    lines = problems.read()[-2000:].decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _free_ports(environment: "os._Environ[str]") -> List[str]:
    """The page's usual port if it is free: people have it in their bookmarks."""
    options: List[str] = []
    if "ROLLSCOPE_PORT" not in environment:
        options += ["--port", str(_PAGE_PORT if _is_free(_PAGE_PORT) else 0)]
    if "ROLLSCOPE_OTLP_GRPC_PORT" not in environment:
        options += ["--otlp-grpc-port", "0"]
    return options


def _is_free(port: int, host: str = "127.0.0.1") -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            return True
        except OSError:
            return False


def _answers(target: urllib.parse.SplitResult, headers: Dict[str, str]) -> bool:
    """Whether there is anybody who speaks HTTP."""
    kind = http.client.HTTPSConnection if target.scheme == "https" else http.client.HTTPConnection
    connection = kind(target.hostname or "", target.port, timeout=_ANSWER_S)
    try:
        connection.request("POST", target.path.rstrip("/") + "/v1/traces", b"", {"Content-Type": "application/x-protobuf", **headers})
        connection.getresponse()
        return True
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _is_local(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def _same(one: str, other: str) -> bool:
    a, b = urllib.parse.urlsplit(one), urllib.parse.urlsplit(other)
    return a.port == b.port and (a.hostname == b.hostname or (_is_local(a.hostname or "") and _is_local(b.hostname or "")))


def _close(pipe: Optional[IO[bytes]]) -> None:
    if pipe is not None:
        try:
            pipe.close()
        except OSError:
            pass
