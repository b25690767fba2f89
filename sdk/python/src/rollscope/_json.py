"""OTLP requests as JSON, one per line: what the spool writes."""

from __future__ import annotations

import json
import math
from typing import Any, Dict, Iterable, List, Mapping, Optional

from . import _values
from ._metrics import Point
from ._recorder import LogRecord

CONTENT_TYPE = "application/json"
_INT64 = 1 << 63


class JsonEncoder:
    """Writes requests of one process; not thread-safe, the sender owns it."""

    content_type = CONTENT_TYPE

    def __init__(self, resource: Mapping[str, Any], content: Optional[int], version: str) -> None:
        self._content = content
        self._resource = {"attributes": [_pair(key, value) for key, value in resource.items()]}
        self._scope = {"name": "rollscope", "version": version}

    def spans(self, spans: Iterable[Any]) -> bytes:
        return self._request("resourceSpans", "scopeSpans", "spans", [self._span(span) for span in spans])

    def logs(self, records: Iterable[LogRecord]) -> bytes:
        return self._request("resourceLogs", "scopeLogs", "logRecords", [self._log(record) for record in records])

    def metrics(self, points: Iterable[Point]) -> bytes:
        return self._request("resourceMetrics", "scopeMetrics", "metrics", [self._metric(point) for point in points])

    def _request(self, resources: str, scopes: str, items: str, values: List[Any]) -> bytes:
        scope = {"scope": self._scope, items: values}
        request = {resources: [{"resource": self._resource, scopes: [scope]}]}
        return json.dumps(request, separators=(",", ":"), allow_nan=False).encode("ascii")

    def _span(self, span: Any) -> Dict[str, Any]:
        out: Dict[str, Any] = {"traceId": "%032x" % span.trace_id, "spanId": "%016x" % span.span_id}
        if span.parent_id:
            out["parentSpanId"] = "%016x" % span.parent_id
        if span.trace_state:
            out["traceState"] = span.trace_state.to_header()
        out.update(
            name=_whole(_values.name_of(span)),
            kind=span.otel_kind,
            startTimeUnixNano=str(span.start_ns),
            endTimeUnixNano=str(span.end_ns),
        )
        if span.attributes:
            out["attributes"] = self._attributes(span.attributes)
        if span.events:
            out["events"] = [
                {"timeUnixNano": str(time_ns), "name": _whole(name), "attributes": self._attributes(attributes or {})}
                for time_ns, name, attributes in span.events
            ]
        if span.links:
            out["links"] = [
                {
                    "traceId": "%032x" % context.trace_id,
                    "spanId": "%016x" % context.span_id,
                    "attributes": self._attributes(attributes or {}),
                }
                for context, attributes in span.links
            ]
        if span.status_code:
            out["status"] = {"code": span.status_code}
            if span.status_message:
                out["status"]["message"] = _whole(span.status_message)
        return out

    def _log(self, record: LogRecord) -> Dict[str, Any]:
        out: Dict[str, Any] = {
            "timeUnixNano": str(record.time_ns),
            "eventName": record.event_name,
            "attributes": self._attributes(record.attributes),
        }
        if record.trace_id:
            out["traceId"] = "%032x" % record.trace_id
            out["spanId"] = "%016x" % record.span_id
        return out

    def _metric(self, point: Point) -> Dict[str, Any]:
        data: Dict[str, Any] = {"timeUnixNano": str(point.time_ns), "attributes": [_pair(key, value) for key, value in point.attributes.items()]}
        if point.start_ns:
            data["startTimeUnixNano"] = str(point.start_ns)
        out: Dict[str, Any] = {"name": point.name}
        if point.description:
            out["description"] = point.description
        if point.unit:
            out["unit"] = point.unit
        if point.kind == "histogram":
            data.update(
                count=str(point.count),
                sum=_number(point.value),
                bucketCounts=[str(count) for count in point.bucket_counts],
                explicitBounds=list(point.bounds),
            )
            if point.count:
                data.update(min=_number(point.least), max=_number(point.most))
            out["histogram"] = {"dataPoints": [data], "aggregationTemporality": 2}
        else:
            data["asDouble"] = _number(point.value)
            if point.kind == "gauge":
                out["gauge"] = {"dataPoints": [data]}
            else:
                out["sum"] = {"dataPoints": [data], "aggregationTemporality": 2, "isMonotonic": True}
        return out

    def _attributes(self, attributes: Mapping[str, Any]) -> List[Dict[str, Any]]:
        pairs: List[Dict[str, Any]] = []
        for key, value in attributes.items():
            if key in _values.CONTENT_KEYS:
                if self._content is None:
                    continue
                pairs.append({"key": key, "value": {"stringValue": _whole(_values.text(value, self._content))}})
            else:
                pairs.append(_pair(key, value))
        return pairs


def _pair(key: str, value: Any) -> Dict[str, Any]:
    if value.__class__ is str and len(value) > _values.LONGEST_NAME:
        value = _values.fitting(key, value)
    return {"key": _whole(key[: _values.MAX_TEXT]), "value": _any_value(value)}


def _any_value(value: Any) -> Dict[str, Any]:
    kind = value.__class__
    if kind is str:
        return {"stringValue": _whole(value[: _values.MAX_TEXT])}
    if kind is bool:
        return {"boolValue": value}
    if kind is int:
        return {"intValue": str(value)} if -_INT64 <= value < _INT64 else {"stringValue": _values.text(value)}
    if kind is float:
        return {"doubleValue": _number(value)}
    if kind is list:
        return {"arrayValue": {"values": [_any_value(each) for each in value]}}
    return {"stringValue": _values.text(value)}


def _number(value: float) -> Any:
    """Protobuf's JSON has words for what JSON cannot say."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _whole(text: str) -> str:
    """Half a surrogate pair is no character; readers refuse it."""
    return text.encode("utf-8", "replace").decode("utf-8")
