"""Where OTLP/JSON is not what a JSON library does by itself."""
import base64
import json

from otlp_conformance import messages
from otlp_conformance.registry import EXTRA, MUST, check, expect
from otlp_conformance.signals import LOGS, METRICS, SIGNALS, TRACES
from otlp_conformance.target import JSON, decode, rejected


def _request(target, signal=TRACES):
    return messages.to_json(target.request(signal))


def _span(request):
    return request["resourceSpans"][0]["scopeSpans"][0]["spans"][0]


def _post(target, request, signal=TRACES):
    return target.post(signal, JSON, json.dumps(request).encode())


def _taken(target, request, signal=TRACES):
    response = decode(signal, JSON, _post(target, request, signal))
    expect(rejected(signal, response) == 0, f"200, but rejected: {response.partial_success.error_message}")
    return "200"


@check("http.json.ids.lower-case", MUST, "Trace and span ids are hex, in lower case")
def lower_case(target):
    return _taken(target, _request(target))


@check("http.json.ids.upper-case", MUST, "Trace and span ids are hex, in upper case")
def upper_case(target):
    request = _request(target)
    for key in ("traceId", "spanId"):
        _span(request)[key] = _span(request)[key].upper()
    return _taken(target, request)


@check("http.json.ids.base64", MUST, "Ids are not base64: such a span is refused, with 400 or by number, not taken with another id")
def base64_ids(target):
    request = _request(target)
    _span(request)["traceId"] = base64.b64encode(b"\xfb\xef\xbe" + messages.trace_id()[3:]).decode()
    return _refused_span(target, request)


@check("http.json.ids.wrong-length", EXTRA, "A trace id of 15 bytes is refused, with 400 or by number")
def wrong_length(target):
    request = _request(target)
    _span(request)["traceId"] = _span(request)["traceId"][2:]
    return _refused_span(target, request)


def _refused_span(target, request):
    answer = _post(target, request)
    if answer.status == 400:
        return "400"
    response = decode(TRACES, JSON, answer)
    expect(response.partial_success.rejected_spans == 1, f"{answer} (expected: 400, or one rejected span)")
    return "200, rejected 1: " + response.partial_success.error_message


@check("http.json.int64.text", MUST, "64-bit integers are read from decimal texts")
def int64_text(target):
    request = _request(target)
    _span(request)["attributes"].append({"key": "n", "value": {"intValue": "9223372036854775807"}})
    expect(isinstance(_span(request)["startTimeUnixNano"], str), "times are sent as numbers")
    return _taken(target, request)


@check("http.json.int64.number", MUST, "64-bit integers are read from numbers")
def int64_number(target):
    request = _request(target)
    for key in ("startTimeUnixNano", "endTimeUnixNano"):
        _span(request)[key] = int(_span(request)[key])
    _span(request)["attributes"].append({"key": "n", "value": {"intValue": -9223372036854775808}})
    return _taken(target, request)


@check("http.json.int64.count", MUST, "64-bit counts of histograms are read from texts and from numbers")
def int64_count(target):
    request = messages.to_json(messages.metrics_of_all_kinds())
    point = request["resourceMetrics"][0]["scopeMetrics"][0]["metrics"][2]["histogram"]["dataPoints"][0]
    point["bucketCounts"] = ["1", 1, "1"]
    point["count"] = 3
    return _taken(target, request, METRICS)


@check("http.json.int64.nonsense", MUST, "A text that is no number, in place of a number, is bad data: 400")
def int64_nonsense(target):
    request = _request(target)
    _span(request)["startTimeUnixNano"] = "yesterday"
    answer = _post(target, request)
    expect(answer.status == 400, f"{answer} (expected: 400)")
    return str(answer)


@check("http.json.enum.number", MUST, "Enums are integers")
def enum_number(target):
    request = _request(target)
    _span(request).update(kind=3, status={"code": 2})
    return _taken(target, request)


@check("http.json.enum.unknown", EXTRA, "A number that an enum does not have yet is taken, as in binary Protobuf")
def enum_unknown(target):
    request = _request(target)
    _span(request)["kind"] = 77
    return _taken(target, request)


@check("http.json.doubles", MUST, "Doubles are read from numbers, and NaN and the infinities from texts")
def doubles(target):
    request = _request(target)
    for value in (1, 1.5, 1e300, "NaN", "Infinity", "-Infinity"):
        _span(request)["attributes"].append({"key": f"d{value}", "value": {"doubleValue": value}})
    return _taken(target, request)


@check("http.json.bytes", MUST, "Bytes other than ids are base64")
def bytes_value(target):
    request = _request(target)
    _span(request)["attributes"].append({"key": "b", "value": {"bytesValue": "AP8="}})
    return _taken(target, request)


@check(
    "http.json.{signal}.unknown-fields",
    MUST,
    "Fields with unknown names are ignored, at every depth and of every shape",
    signal=SIGNALS,
)
def unknown_fields(target, signal):
    return _taken(target, _strewn(_request(target, signal)), signal)


def _strewn(value):
    if isinstance(value, list):
        return [_strewn(v) for v in value]
    if not isinstance(value, dict):
        return value
    unknown = {"futureObject": {"a": [1, {"b": None}]}, "futureList": [[], {}, "x"], "futureText": "x", "futureNull": None}
    return {**unknown, **{k: _strewn(v) for k, v in value.items()}}


@check("http.json.snake-case", MUST, "Names of the .proto files are not names of OTLP/JSON; they are unknown fields, and ignored")
def snake_case(target):
    request = _request(target)
    _span(request)["start_time_unix_nano"] = "yesterday"
    _span(request)["dropped_attributes_count"] = {"not": "a number"}
    return _taken(target, request)


@check("http.json.null", EXTRA, "null is a field that is not there, as in Protobuf's JSON")
def null(target):
    request = _request(target)
    _span(request).update(parentSpanId=None, links=None, status=None, traceState=None)
    return _taken(target, request)


@check("http.json.any-order", EXTRA, "Fields come in any order, also the resource after its spans, with any white space and escapes")
def any_order(target):
    request = _request(target)
    resource = request["resourceSpans"][0]
    request["resourceSpans"][0] = dict(reversed(list(resource.items())))
    body = json.dumps(request, indent=4, ensure_ascii=True).replace('"spanId"', '"\\u0073panId"').encode()
    response = decode(TRACES, JSON, target.post(TRACES, JSON, body))
    expect(response.partial_success.rejected_spans == 0, f"rejected: {response.partial_success.error_message}")
    return "200"


@check("http.json.deep", EXTRA, "Nesting of 20,000 levels is refused or taken; it breaks nothing")
def deep(target):
    levels = 20_000
    request = json.dumps(_request(target, LOGS)).encode()
    body = request[:-1] + b',"future":' + b"[" * levels + b"]" * levels + b"}"
    answer = target.post(LOGS, JSON, body)
    expect(answer.status in (200, 400), f"{answer} (expected: 200 or 400)")
    again = target.post(LOGS, JSON, request)
    expect(again.status == 200, f"{answer}, then {again} (expected: 200)")
    return str(answer)


@check("http.json.charset", EXTRA, "A parameter of the content type (application/json; charset=utf-8) changes nothing")
def charset(target):
    body = json.dumps(_request(target)).encode()
    with target.connect() as connection:
        answer = connection.request("POST", TRACES.path, [("Content-Type", "application/json; charset=utf-8")], body)
    decode(TRACES, JSON, answer)
    return str(answer)
