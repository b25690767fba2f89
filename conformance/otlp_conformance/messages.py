"""Requests to send: good ones, bad ones, padded ones; as Protobuf messages and as OTLP/JSON."""
import base64
import os
import random
import time

from google.protobuf import json_format
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

from otlp_conformance.signals import LOGS, METRICS, TRACES

SERVICE = "otlp-conformance"
INSTANCE = "00000000-0000-4000-8000-0000000c04f0"
ID_KEYS = ("traceId", "spanId", "parentSpanId")
SECOND = 1_000_000_000


def trace_id():
    return os.urandom(15) + b"\x01"


def span_id():
    return os.urandom(7) + b"\x01"


def attribute(key, value):
    kind = {str: "string_value", bool: "bool_value", int: "int_value", float: "double_value", bytes: "bytes_value"}
    return KeyValue(key=key, value=AnyValue(**{kind[type(value)]: value}))


def envelope(signal):
    """A request with one resource and one scope; returns it and the list its items go into."""
    request = signal.request()
    if signal is TRACES:
        resource = request.resource_spans.add()
        scope = resource.scope_spans.add()
        items = scope.spans
    elif signal is LOGS:
        resource = request.resource_logs.add()
        scope = resource.scope_logs.add()
        items = scope.log_records
    else:
        resource = request.resource_metrics.add()
        scope = resource.scope_metrics.add()
        items = scope.metrics
    resource.resource.attributes.append(attribute("service.name", SERVICE))
    resource.resource.attributes.append(attribute("service.instance.id", INSTANCE))
    scope.scope.name = "otlp_conformance"
    return request, items


def request(signal, good=1, bad=0, log_event="", trace=None):
    """A request of so many good and bad items; spans belong to one trace."""
    message, items = envelope(signal)
    trace = trace or trace_id()
    now = time.time_ns()
    for number in range(good + bad):
        is_bad = number >= good
        if signal is TRACES:
            _span(items.add(), bytes(16) if is_bad else trace, now)
        elif signal is LOGS:
            _log(items.add(), trace, 0 if is_bad else now, log_event)
        else:
            _gauge(items.add(), 0 if is_bad else now)
    return message


def _span(span, trace, now):
    span.trace_id = trace
    span.span_id = span_id()
    span.name = "conformance span"
    span.kind = 2
    span.start_time_unix_nano = now - SECOND
    span.end_time_unix_nano = now
    span.attributes.append(attribute("conformance.text", "ü€😀"))
    span.attributes.append(attribute("conformance.whole", 2**53 + 1))


def _log(record, trace, when, event):
    record.trace_id = trace
    record.span_id = span_id()
    record.time_unix_nano = when
    record.observed_time_unix_nano = when
    record.severity_number = 9
    record.event_name = event
    if not event:
        record.body.string_value = "a line of a log"


def _gauge(metric, when):
    metric.name = "conformance.gauge"
    metric.unit = "1"
    point = metric.gauge.data_points.add()
    point.time_unix_nano = when
    point.as_int = 42


def metrics_of_all_kinds():
    """A gauge, a sum, a histogram, an exponential histogram and a summary with one point each."""
    message, items = envelope(METRICS)
    now = time.time_ns()
    _gauge(items.add(), now)
    total = items.add(name="conformance.sum", unit="By").sum
    total.aggregation_temporality, total.is_monotonic = 2, True
    total.data_points.add(start_time_unix_nano=now - SECOND, time_unix_nano=now, as_double=0.5)
    histogram = items.add(name="conformance.histogram", unit="s").histogram
    histogram.aggregation_temporality = 1
    histogram.data_points.add(
        start_time_unix_nano=now - SECOND,
        time_unix_nano=now,
        count=3,
        sum=6.0,
        explicit_bounds=[1.0, 2.0],
        bucket_counts=[1, 1, 1],
    )
    exponential = items.add(name="conformance.exponential", unit="s").exponential_histogram
    exponential.aggregation_temporality = 2
    point = exponential.data_points.add(
        start_time_unix_nano=now - SECOND, time_unix_nano=now, count=4, sum=3.0, scale=-1, zero_count=1
    )
    point.positive.offset = -2
    point.positive.bucket_counts.extend([1, 1])
    point.negative.bucket_counts.append(1)
    summary = items.add(name="conformance.summary", unit="s").summary
    quantiles = summary.data_points.add(time_unix_nano=now, count=2, sum=3.0)
    quantiles.quantile_values.add(quantile=0.5, value=1.5)
    return message


def span_with_every_kind_of_value():
    """A span with attributes of every kind, an event, a link and a status."""
    message = request(TRACES)
    span = message.resource_spans[0].scope_spans[0].spans[0]
    for value in ("", "text", True, -(2**63), 2**63 - 1, 0.1, float("nan"), float("-inf"), b"\x00\xff"):
        span.attributes.append(attribute(f"conformance.{len(span.attributes)}", value))
    listed = span.attributes.add(key="conformance.list").value.array_value
    listed.values.add(int_value=1)
    listed.values.add(string_value="two")
    listed.values.add().kvlist_value.values.append(attribute("three", 3.0))
    span.attributes.add(key="conformance.nothing")
    span.events.add(time_unix_nano=span.start_time_unix_nano, name="event").attributes.append(attribute("a", 1))
    span.links.add(trace_id=trace_id(), span_id=span_id(), trace_state="vendor=1")
    span.status.code = 2
    span.status.message = "failed"
    span.flags = 0x101
    return message


def from_the_future(message):
    """The message with fields nobody knows in it and in all messages of it: a number, two fixed ones, a text."""
    for field, value in message.ListFields():
        if field.message_type:
            for part in value if hasattr(value, "append") else [value]:
                from_the_future(part)
    message.MergeFromString(b"\xf0\x3e\x07" + b"\xf1\x3e" + bytes(8) + b"\xf5\x3e" + bytes(4) + b"\xf2\x3e\x01x")
    return message


def padded(message, size):
    """The bytes of a message, with a field that nobody knows, exactly `size` bytes long."""
    known = message.SerializeToString()
    tag = b"\xfa\x3e"  # field 1007, length-delimited
    rest = size - len(known) - len(tag)
    for width in range(1, 6):
        if rest - width < 1 << (7 * width):
            return known + tag + _varint(rest - width, width) + _filler(rest - width)
    raise ValueError(size)


def _filler(size):
    """Bytes that compress about as well as telemetry does, not as well as a bomb."""
    noise = random.Random(size).randbytes(size // 32 + 1)
    return b"".join(bytes((byte,)) + bytes(31) for byte in noise)[:size]


def _varint(value, width):
    return bytes(((value >> (7 * i)) & 0x7F) | (0x80 if i < width - 1 else 0) for i in range(width))


def to_json(message):
    """A message as an object of OTLP/JSON: Protobuf's JSON, but ids in hex and enums as numbers."""
    return _with_hex_ids(json_format.MessageToDict(message, use_integers_for_enums=True))


def _with_hex_ids(value):
    if isinstance(value, dict):
        return {
            key: base64.b64decode(item).hex() if key in ID_KEYS else _with_hex_ids(item) for key, item in value.items()
        }
    if isinstance(value, list):
        return [_with_hex_ids(item) for item in value]
    return value
