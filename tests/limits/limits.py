"""A real server at its limits: too many open spans, a full disk, killed while it deletes a run."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "crash"))
from server import SMALL, Server  # noqa: E402

WAIT_SECONDS = 90
MEASURED = 3
DELETE_ROUNDS = 5
failed = False


def tell(fine, what, why=""):
    global failed
    failed |= not fine
    print(f"{'ok' if fine else 'not ok'} - limits: {what}{'' if fine else ': ' + str(why)}", flush=True)


def started(data, options=SMALL):
    server = Server(data, options)
    if not server.wait():
        print(f"Bail out! server does not start: {server.errors()}")
        sys.exit(1)
    return server


def spans(run, numbers, ended=True, filler=""):
    """A request: one session per ten spans."""
    now = time.time_ns()
    told = []
    for number in numbers:
        span = {
            "traceId": f"{number // 10 + 1:032x}", "spanId": f"{number + 1:016x}", "name": "generate",
            "startTimeUnixNano": str(now - 10**9),
            "attributes": [{"key": "filler", "value": {"stringValue": filler}}]}
        if ended:
            span["endTimeUnixNano"] = str(now)
        told.append(span)
    resource = {"attributes": [{"key": "rl.run.id", "value": {"stringValue": run}}]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": told}]}]}


def post(server, request):
    """Status, headers and body of the answer."""
    message = urllib.request.Request(
        server.addresses["otlp_http"] + "/v1/traces", data=json.dumps(request).encode(),
        headers={"Content-Type": "application/json"})
    return answer(message)


def answer(message):
    try:
        with urllib.request.urlopen(message, timeout=60) as got:
            return got.status, got.headers, got.read()
    except urllib.error.HTTPError as e:
        with e:
            return e.code, e.headers, e.read()


def get(server, path):
    return answer(server.addresses["url"] + path)


def until(seconds, condition):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def open_spans():
    data = tempfile.mkdtemp(prefix="rollscope-limits-")
    server = started(data, SMALL + " -Drollscope.open.spans=100")
    status, _, body = post(server, spans("r", range(150), ended=False))
    partial = json.loads(body).get("partialSuccess", {})
    tell(status == 200 and int(partial.get("rejectedSpans", 0)) == 50 and "too many open spans" in
         partial.get("errorMessage", ""), "open spans beyond the limit are refused in the answer", body)

    def refused():
        page = get(server, "/metrics")[2].decode()
        found = re.search(r'rollscope_refused_items_total{reason="too many open spans[^"]*"} (\S+)', page)
        return found and float(found.group(1)) == 50

    tell(until(WAIT_SECONDS, refused), "they are counted in /metrics", "not in time")
    tell(until(WAIT_SECONDS, lambda: server.query("SELECT count(*) FROM spans WHERE outcome = 'open'") == [[100]]),
         "those up to the limit are open", "not in time")
    post(server, spans("r", range(150)))
    status, _, body = post(server, spans("r2", range(1000, 1100), ended=False))
    tell(until(WAIT_SECONDS, lambda: server.query("SELECT count(*) FROM spans WHERE run = 'r' AND outcome = 'ok'") == [[150]]),
         "when they end there is room again", body)
    server.kill()
    shutil.rmtree(data)


def metric(server, name):
    return float(re.search(rf"^{name} (\S+)", get(server, "/metrics")[2].decode(), re.MULTILINE).group(1))


def two_runs(server, number, gone):
    """A run to delete and one that must survive, in the same segments, of which there are several."""
    for part in range(3):
        sealed = metric(server, "rollscope_seals_total")
        base = number * 10_000 + part * 1000
        post(server, spans(gone, range(base, base + 500)))
        post(server, spans("kept", range(base + 500, base + 1000)))
        if not until(WAIT_SECONDS, lambda: metric(server, "rollscope_seals_total") > sealed):
            return False
    return True


def delete(server, run):
    """Seconds it took, or None if the server did not live to answer."""
    began = time.monotonic()
    try:
        server.ask(f"/api/v1/runs/{run}", method="DELETE")
        return time.monotonic() - began
    except OSError:
        return None


def shortest_deletion(data):
    """How long one takes at least, or None if it does not work."""
    server = started(data)
    took = []
    for number in range(MEASURED):
        took.append(delete(server, f"gone-{number}") if two_runs(server, number, f"gone-{number}") else None)
    server.kill()
    return None if None in took else min(took)


def killed_deletion():
    what = "a kill during a deletion leaves other runs whole, and it can be repeated"
    data = tempfile.mkdtemp(prefix="rollscope-limits-")
    shortest = shortest_deletion(data)
    if shortest is None:
        tell(False, what, "a deletion failed, or nothing was sealed in time")
        return
    problem = None
    interrupted = 0
    for number in range(MEASURED, MEASURED + DELETE_ROUNDS):
        server = started(data)
        gone = f"gone-{number}"
        if not two_runs(server, number, gone):
            problem = f"round {number}: nothing was sealed in time"
        took = []
        thread = threading.Thread(target=lambda: took.append(delete(server, gone)))
        thread.start()
        time.sleep(random.uniform(0, shortest))  # This is the test: any moment of a deletion.
        server.kill()
        thread.join()
        deleted = took[0] is not None
        interrupted += not deleted
        server = started(data)
        left = server.query(f"SELECT count(*), count(DISTINCT trace_id || span_id) FROM spans WHERE run = '{gone}'")[0]
        if left[0] != left[1] or left[0] > 1500 or (deleted and left[0] > 0):
            problem = f"round {number}: {left} spans of the deleted run"
        if left[0] > 0:  # else nobody knows the run any more
            server.ask(f"/api/v1/runs/{gone}", method="DELETE")
        kept = server.query("SELECT count(*), count(DISTINCT trace_id || span_id) FROM spans WHERE run = 'kept'")[0]
        if kept != [1500 * (number + 1)] * 2:
            problem = f"round {number}: {kept} spans of the other run"
        left = server.query(f"SELECT count(*) FROM spans WHERE run = '{gone}'")
        if left != [[0]]:
            problem = f"round {number}: {left} spans after the second deletion"
        server.kill()
    print(f"# a deletion takes at least {shortest:.2f} s; {interrupted} of {DELETE_ROUNDS} were interrupted")
    tell(problem is None and interrupted > 0, what, problem or "no deletion was interrupted")
    shutil.rmtree(data)


def full_disk():
    what = "a full disk"
    folder = tempfile.mkdtemp(prefix="rollscope-limits-")
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", folder], stderr=subprocess.DEVNULL).returncode == 0
    if not mounted:
        print(f"ok - limits: {what} # SKIP a file system cannot be mounted here")
        os.rmdir(folder)
        return
    try:
        fill(folder)
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
        os.rmdir(folder)


def fill(folder):
    server = started(folder + "/data")
    text = "".join(random.choices("0123456789abcdef", k=2000))
    number = 0
    filler = folder + "/filler"
    with open(filler, "wb") as out:
        room = shutil.disk_usage(folder).free - (2 << 20)
        out.write(b"x" * room)
    acknowledged = 0
    refusal = None
    while refusal is None and number < 50_000:
        status, headers, body = post(server, spans("full", range(number, number + 100), filler=text))
        number += 100
        if status == 200:
            acknowledged += 100
        else:
            refusal = status, headers.get("Retry-After"), body
    tell(refusal and refusal[0] == 503 and int(refusal[1] or 0) > 0, "a full disk: 503 with Retry-After", refusal)
    tell(until(WAIT_SECONDS, lambda: get(server, "/readyz")[0] == 503), "a full disk: /readyz says 503", get(server, "/readyz"))
    tell(get(server, "/healthz")[0] == 200, "a full disk: the process lives", get(server, "/healthz"))
    tell(until(WAIT_SECONDS, lambda: re.search("store: takes no requests: ", server.errors())), "a full disk: the operator is told",
         server.errors())
    os.remove(filler)
    tell(until(60, lambda: get(server, "/readyz")[0] == 200), "space is back: /readyz says 200", get(server, "/readyz"))
    status, _, body = post(server, spans("full", range(number, number + 100), filler=text))
    tell(status == 200, "space is back: requests are taken", body)
    acknowledged += 100

    def all_there(asked):
        rows = asked.query("SELECT count(*), count(DISTINCT trace_id || span_id) FROM spans WHERE run = 'full'")
        return rows[0][0] == rows[0][1] and acknowledged <= rows[0][0] <= number + 100

    tell(until(WAIT_SECONDS, lambda: all_there(server)), "space is back: everything acknowledged is there, once", acknowledged)
    server.kill()
    server = started(folder + "/data")
    tell(until(WAIT_SECONDS, lambda: all_there(server)), "and after a kill", acknowledged)
    server.kill()


def main():
    open_spans()
    killed_deletion()
    full_disk()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
