"""Tempo beside a server. What it answers is asked of a real one where there is one: on the PATH, or TEMPO=FILE (TEMPO=FILE:FILE for several versions)."""
import base64
import json
import os
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
import rollscope
import yaml
from server import Server
from stack import ROOT, Stack, answers, free_port, is_alive, wait_until

#: Answers for its version, and to whether it is ready at the port of its configuration.
STAND_IN = """
    import http.server, re, sys, time
    if "-version" in sys.argv:
        sys.stdout.buffer.write({answer!r})
        sys.exit({code})
    text = open(sys.argv[1].split("=", 1)[1]).read()
    class Ready(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/ready" else 404)
            self.end_headers()
        def log_message(self, *words): pass
    http.server.HTTPServer(("127.0.0.1", int(re.search("http_listen_port: ([0-9]+)", text)[1])), Ready).serve_forever()
"""


def stand_in(program, answer, code=0):
    return program("tempo", STAND_IN.format(answer=answer, code=code))


def start(stack, tempo):
    return stack.call(*stack.start_arguments("--with", "tempo", "--detach", "--tempo", tempo, "--tempo-port", str(free_port())))


def leaves(value):
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in leaves(each)]
    return [value]


COMMON = {"server", "distributor", "storage", "usage_report"}
OF_VERSION = {2: {"compactor"}, 3: {"backend_worker", "backend_scheduler", "live_store"}}


@pytest.mark.parametrize("answer, major", [
    (b"tempo, version 2.10.8 (branch: HEAD, revision: 0123abc)\n  build user: x\n", 2),
    (b"tempo, version v2.6.1 (branch: , revision: )\n", 2),
    (b"\ntempo, version 3.1.0 (branch: main, revision: unknown)\n", 3),
    (b"tempo, version 3.0.0-rc.1 (branch: main)\n", 3),
])
def test_the_configuration_is_that_of_the_found_version(stack, program, answer, major):
    done = start(stack, stand_in(program, answer))
    assert done.returncode == 0, done.stderr
    with open(os.path.join(stack.data, "stack", "tempo.yaml"), encoding="utf-8") as text:
        config = yaml.safe_load(text)
    assert set(config) == COMMON | OF_VERSION[major]
    compaction = config["compactor"] if major == 2 else config["backend_worker"]
    assert compaction == {"compaction": {"block_retention": "720h"}}
    assert config["usage_report"] == {"reporting_enabled": False}
    assert all(value.startswith(stack.data) for value in leaves(config) if isinstance(value, str) and "/" in value)
    protocols = config["distributor"]["receivers"]["otlp"]["protocols"]
    addresses = [protocols["http"]["endpoint"], protocols["grpc"]["endpoint"], *(config["server"][f"{kind}_listen_address"] for kind in ("http", "grpc"))]
    assert all(address.split(":")[0] == "127.0.0.1" for address in addresses)
    with urllib.request.urlopen(stack.parts()["rollscope"]["url"] + "/metrics", timeout=10) as text:
        assert f'rollscope_forward_spans_total{{url="http://{protocols["http"]["endpoint"]}/v1/traces"}}' in text.read().decode()


@pytest.mark.parametrize("answer, code, told", [
    (b"tempo, version 1.5.0 (branch: HEAD)\n", 0, "tempo: version 1.5.0 of {program} (expected: 2.x or 3.x; --tempo FILE)"),
    (b"tempo, version 4.0.1\n", 0, "tempo: version 4.0.1 of {program} (expected: 2.x or 3.x; --tempo FILE)"),
    (b"tempo, version main-0123abc (branch: main)\n", 0, 'tempo: {program} -version answers "tempo, version main-0123abc (branch: main)" (expected: '),
    (b"", 1, "tempo: {program} -version answers nothing (expected: "),
    (b"unknown flag\nusage: tempo FILE\n", 2, 'tempo: {program} -version answers "unknown flag" (expected: '),
    pytest.param(b"\xff\x00\x1b[2J" * 100_000, 0, 'tempo: {program} -version answers "', id="noise"),
])
def test_a_version_that_is_not_supported_or_cannot_be_read_is_one_line(stack, program, answer, code, told):
    tempo = stand_in(program, answer, code)
    done = start(stack, tempo)
    assert done.returncode == 1
    assert done.stderr.startswith("rollscope: " + told.format(program=tempo)) and done.stderr.count("\n") == 1 and len(done.stderr) < 1_000 and "\x1b" not in done.stderr, done.stderr[:1_000]
    assert stack.parts() == {}


def test_a_program_that_does_not_answer_for_its_version_is_ended(stack, program, tmp_path):
    pid = tmp_path / "pid"
    done = start(stack, program("tempo", f"import os, time\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\ntime.sleep(3600)\n"))
    assert done.returncode == 1 and "-version answers nothing" in done.stderr
    assert not is_alive(int(pid.read_text())) and stack.parts() == {}


# ── with a real Tempo ──

PROGRAMS = [path for path in os.environ.get("TEMPO", "").split(os.pathsep) if path] or list(filter(None, [shutil.which("tempo")]))


@pytest.fixture(scope="module", params=PROGRAMS or [None], ids=lambda path: os.path.basename(path or "none"))
def real(request, tmp_path_factory):
    """A stack with Tempo."""
    if request.param is None:
        pytest.skip("no tempo on the PATH, and TEMPO is not set")
    one = Stack(str(tmp_path_factory.mktemp("stack")))
    try:
        done = start(one, request.param)
        assert done.returncode == 0, done.stdout + done.stderr
        yield one
    finally:
        one.end()


def get(url, **parameters):
    """The answer, or None."""
    request = urllib.request.Request(url + ("?" + urllib.parse.urlencode(parameters) if parameters else ""), headers={"Accept": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            if error.code == 404:
                return None
            raise AssertionError(f"{url}: {error.code} {error.read()[:500]}") from None


def known(attributes):
    return {pair["key"]: pair["value"] for pair in attributes}


def as_hex(id):
    """Ids are base64 in Tempo's JSON."""
    return base64.b64decode(id).hex() if id else ""


def in_tempo(url, trace):
    """The spans of a trace, by id, as they were sent: ids as hex, attributes by key."""
    answer = get(f"{url}/api/traces/{trace}")
    if answer is None:
        return {}
    spans = {}
    for resource in answer.get("batches") or answer.get("resourceSpans"):
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                spans[as_hex(span["spanId"])] = {
                    "trace": as_hex(span["traceId"]),
                    "parent": as_hex(span.get("parentSpanId")),
                    "name": span["name"],
                    "start": int(span["startTimeUnixNano"]),
                    "end": int(span["endTimeUnixNano"]),
                    "attributes": known(span.get("attributes", ())),
                    "resource": known(resource["resource"]["attributes"]),
                    "status": (span.get("status") or {}).get("code", "STATUS_CODE_UNSET"),
                    "events": [(event["name"], int(event["timeUnixNano"]), known(event.get("attributes", ()))) for event in span.get("events", ())],
                    "links": [(as_hex(link["traceId"]), as_hex(link["spanId"])) for link in span.get("links", ())],
                }
    return spans


def send(otlp, spans, **resource):
    body = {"resourceSpans": [{"resource": {"attributes": [{"key": k.replace("__", "."), "value": {"stringValue": v}} for k, v in resource.items()]}, "scopeSpans": [{"spans": spans}]}]}
    request = urllib.request.Request(otlp + "/v1/traces", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert json.load(answer) in ({}, {"partialSuccess": {}})


def otlp(stack):
    return Server.running(stack.data).otlp


def test_a_real_tempo_has_the_forwarded_trace_as_it_was_sent(real):
    tempo = real.parts()["tempo"]["url"]
    trace, root, child, other = "5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b173", "eee19b7ec3c1b174", "0af7651916cd43dd8448eb211c80319c"
    now = time.time_ns()
    attributes = {
        "text": {"stringValue": "größe \"x\"\n"},
        "whole": {"intValue": "9007199254740993"},
        "real": {"doubleValue": 0.1},
        "yes": {"boolValue": True},
        "list": {"arrayValue": {"values": [{"stringValue": "a"}, {"stringValue": "b"}]}},
    }
    event = {"name": "chunk", "timeUnixNano": str(now + 5), "attributes": [{"key": "tokens", "value": {"intValue": "7"}}]}
    send(otlp(real), [
        {"traceId": trace, "spanId": root, "name": "session", "kind": 1, "startTimeUnixNano": str(now), "endTimeUnixNano": str(now + 2_000_000_003),
         "attributes": [{"key": "rl.session.id", "value": {"stringValue": "s-1"}}]},
        {"traceId": trace, "spanId": child, "parentSpanId": root, "name": "generate", "kind": 1, "startTimeUnixNano": str(now + 1), "endTimeUnixNano": str(now + 1_000_000_002),
         "attributes": [{"key": key, "value": value} for key, value in attributes.items()], "events": [event],
         "links": [{"traceId": other, "spanId": root}], "status": {"code": 2, "message": "no tokens"}},
    ], service__name="trainer", rl__run__id="verl/demo")
    wait_until(lambda: len(in_tempo(tempo, trace)) == 2, "the trace in Tempo")
    found = in_tempo(tempo, trace)
    assert found[root]["trace"] == found[child]["trace"] == trace
    assert (found[root]["parent"], found[root]["name"], found[root]["start"], found[root]["end"]) == ("", "session", now, now + 2_000_000_003)
    assert (found[child]["parent"], found[child]["name"], found[child]["start"], found[child]["end"]) == (root, "generate", now + 1, now + 1_000_000_002)
    assert found[child]["attributes"] == attributes
    assert (found[child]["status"], found[root]["status"]) == ("STATUS_CODE_ERROR", "STATUS_CODE_UNSET")
    assert found[child]["events"] == [("chunk", now + 5, {"tokens": {"intValue": "7"}})]
    assert found[child]["links"] == [(other, root)]
    assert found[root]["resource"] == {"service.name": {"stringValue": "trainer"}, "rl.run.id": {"stringValue": "verl/demo"}}
    here = {span["span_id"]: span for span in get(f"{real.parts()['rollscope']['url']}/api/v1/traces/{trace}")["spans"]}
    assert {id: (span["parent_id"] or "", span["name"], int(span["start_ns"]), int(span["end_ns"])) for id, span in here.items()} == {
        id: (span["parent"], span["name"], span["start"], span["end"]) for id, span in found.items()}


def panels():
    for name in ("training", "rollout", "engines", "health"):
        with open(os.path.join(ROOT, "deploy", "grafana", "dashboards", name + ".json"), encoding="utf-8") as text:
            for panel in json.load(text)["panels"]:
                for target in panel.get("targets", ()):
                    if target.get("queryType") == "traceql":
                        yield pytest.param(target, id=f"{name}: {panel['title']}")


@pytest.mark.parametrize("target", panels())
def test_a_panel_of_a_real_tempo_has_the_lanes(real, target):
    """RL-Insight's states name their lane as it does, ours as we do; a span without lane is not among them."""
    tempo = real.parts()["tempo"]["url"]
    client = rollscope.Rollscope(run="p/e", url=otlp(real))
    with client.batch(train_step=1):
        for lane in range(5):
            client.state("rollout", lane=f"engine-{lane}").end()
        with client.session("s"), client.phase("generate"):
            pass
    client.close()
    now = time.time_ns()
    lane = [{"key": "state_lane_id", "value": {"stringValue": "replica_0"}}]
    send(otlp(real), [{"traceId": f"{now:032x}", "spanId": "1" * 16, "name": "rollout", "startTimeUnixNano": str(now), "endTimeUnixNano": str(now + 1), "attributes": lane}], service__name="rl_insight_monitor")

    def rows():
        found = get(tempo + "/api/search", q=target["query"], limit=target["limit"], spss=target.get("spss", 3), start=int(time.time()) - 3600, end=int(time.time()) + 60)
        return sorted({
            (span["name"], known(span["attributes"]).get("rl.lane", {}).get("stringValue"), known(span["attributes"]).get("state_lane_id", {}).get("stringValue"))
            for trace in found["traces"] for set in trace.get("spanSets", ()) for span in set["spans"]}, key=str)

    expected = sorted([*(("rollout", f"engine-{lane}", None) for lane in range(5)), ("rollout", None, "replica_0")], key=str)
    wait_until(lambda: rows() == expected, "the lanes in Tempo")
