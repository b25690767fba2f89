"""What is really kept: needs --verify."""
from concurrent.futures import ThreadPoolExecutor
import json

from otlp_conformance import messages
from otlp_conformance.registry import EXTRA, MUST, Skipped, check, expect
from otlp_conformance.signals import TRACES
from otlp_conformance.target import JSON, PROTOBUF, WAYS, encode, expect_full_success


STARTED, ENDED = 1_700_000_000_123_456_789, 1_700_000_001_987_654_321


def _inside(target):
    if not target.verifier:
        raise Skipped("needs a look inside: --verify KIND=URL")
    return target.verifier


def _kept_once(target, trace, ids):
    found = [s["span_id"] for s in _inside(target).await_spans(trace, ids)]
    expect(sorted(found) == sorted(ids), f"{len(found)} spans, {len(set(found))} different (expected: {len(ids)})")
    return f"{len(found)} spans"


def _ids(message):
    return [s.span_id.hex() for s in message.resource_spans[0].scope_spans[0].spans]


@check("stored.{way}", MUST, "What was acknowledged is there, each span once, compressed or not", way=WAYS)
def stored(target, way):
    _inside(target)
    trace = messages.trace_id()
    requests = [target.request(TRACES, 50, trace=trace) for _ in range(2)]
    for request, gzip in zip(requests, (False, True)):
        expect_full_success(TRACES, way.send(target, TRACES, request, gzip))
    return _kept_once(target, trace, [i for request in requests for i in _ids(request)])


@check("stored.duplicates", EXTRA, "A span sent again, on another way too, is kept once")
def duplicates(target):
    _inside(target)
    trace = messages.trace_id()
    request = target.request(TRACES, 5, trace=trace)
    ways = [w for w in WAYS for _ in range(2)]
    for way in ways:
        expect_full_success(TRACES, way.send(target, TRACES, request))
    return f"sent {len(ways)} times: {_kept_once(target, trace, _ids(request))}"


@check("stored.partial", MUST, "Of a request that is partly rejected the other part is kept")
def partial(target):
    _inside(target)
    trace = messages.trace_id()
    request = target.request(TRACES, 4, 3, trace=trace)
    outcome = WAYS[0].send(target, TRACES, request)
    if not outcome.accepted:
        raise Skipped(f"refuses such a request as a whole: {outcome.observed}")
    return _kept_once(target, trace, _ids(request)[:4])


@check("stored.json.same", MUST, "A span is the same whichever way it came: ids of either case, integers as text or number")
def same(target):
    inside = _inside(target)
    trace = messages.trace_id()
    ids = []
    for is_other in (False, True):
        request = messages.to_json(target.request(TRACES, trace=trace))
        span = request["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
        ids.append(span["spanId"])
        span.update(name="same", parentSpanId="00000000000000ab", attributes=[_number("n", 2**63 - 1, is_other)])
        for key, value in (("startTimeUnixNano", STARTED), ("endTimeUnixNano", ENDED)):
            span[key] = value if is_other else str(value)
        if is_other:
            span.update({key: span[key].upper() for key in messages.ID_KEYS})
        answer = target.post(TRACES, JSON, json.dumps(request).encode())
        expect(answer.status == 200, str(answer))
    found = {s["span_id"]: s for s in inside.await_spans(trace, ids)}
    expect(set(ids) <= set(found), f"{sorted(found)} (expected: {ids})")
    kept = [(*(found[i][k] for k in ("parent_id", "name", "start_ns", "end_ns")), found[i]["attributes"]["n"]) for i in ids]
    wanted = ("00000000000000ab", "same", STARTED, ENDED, str(2**63 - 1))
    expect(kept == [wanted, wanted], f"{kept} (expected: twice {wanted})")
    return str(wanted)


def _number(key, value, is_number):
    return {"key": key, "value": {"intValue": value if is_number else str(value)}}


@check("stored.snake-case", MUST, "Spans under names of the .proto files are not OTLP/JSON, and not kept")
def snake_case(target):
    _inside(target)
    hidden = messages.trace_id()
    request = messages.to_json(target.request(TRACES, trace=hidden))
    request["resource_spans"] = request.pop("resourceSpans")
    answer = target.post(TRACES, JSON, json.dumps(request).encode())
    expect(answer.status in (200, 400), str(answer))
    return f"{answer}; " + _none_of(target, hidden)


@check("stored.refused", EXTRA, "Of a request that was refused, or never complete, nothing is kept")
def refused(target):
    _inside(target)
    trace = messages.trace_id()
    body = encode(target.request(TRACES, 5, trace=trace), PROTOBUF)
    answer = target.post(TRACES, PROTOBUF, body + b"\xff")
    expect(answer.status == 400, f"{answer} (expected: 400)")
    with target.connect() as connection:
        connection.head("POST", TRACES.path, [("Content-Type", "application/x-protobuf"), ("Content-Length", len(body) + 1)])
        connection.send(body)
    return _none_of(target, trace)


def _none_of(target, trace):
    """Waits for something sent later, then looks."""
    later = messages.trace_id()
    request = target.request(TRACES, trace=later)
    expect_full_success(TRACES, WAYS[0].send(target, TRACES, request))
    _kept_once(target, later, _ids(request))
    found = len(target.verifier.spans(trace))
    expect(found == 0, f"{found} spans kept (expected: none)")
    return "nothing kept"


@check("stored.concurrent", MUST, "Everything that many senders were told is accepted is there")
def concurrent(target):
    _inside(target)
    trace = messages.trace_id()
    requests = [target.request(TRACES, 20, trace=trace) for _ in range(48)]

    def send(numbered):
        number, request = numbered
        return WAYS[number % 3].send(target, TRACES, request).accepted

    with ThreadPoolExecutor(16) as pool:
        taken = list(pool.map(send, enumerate(requests)))
    ids = [i for request, accepted in zip(requests, taken) if accepted for i in _ids(request)]
    return f"{sum(taken)} of {len(requests)} requests accepted: {_kept_once(target, trace, ids)}"
