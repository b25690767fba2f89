"""OTLP requests as JSON, one per line: what a folder holds. Written by hand: `json` needs a tree first, which costs three times as much."""

from __future__ import annotations

import math
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any, Dict, Iterable, List, Mapping, Optional

from . import _values
from ._metrics import Point
from ._recorder import LogRecord

CONTENT_TYPE = "application/json"
_INT64 = 1 << 63
#: What was written is kept for the next span: so many keys and names, so many texts of one key (ids never come again), none that is longer.
_MOST_KNOWN = 4096
_MOST_TEXTS = 64
_MOST_KEYS_WITH_TEXTS = 256
_LONGEST_KNOWN = 64


class JsonEncoder:
    """Writes requests of one process; not thread-safe, the sender owns it."""

    content_type = CONTENT_TYPE

    def __init__(self, resource: Mapping[str, Any], content: Optional[int], version: str) -> None:
        self._content = content
        self._keys: Dict[str, str] = {}
        self._names: Dict[str, str] = {}
        self._texts: Dict[str, Dict[str, str]] = {}
        self._trace = (0, "")
        attributes = ",".join([self._pair(key, value) for key, value in resource.items()])
        self._resource = '[{"resource":{"attributes":[%s]},' % attributes
        self._scope = '[{"scope":{"name":"rollscope","version":%s},' % _text(version)

    def spans(self, spans: Iterable[Any]) -> bytes:
        return self._request("resourceSpans", "scopeSpans", "spans", [self._span(span) for span in spans])

    def logs(self, records: Iterable[LogRecord]) -> bytes:
        return self._request("resourceLogs", "scopeLogs", "logRecords", [self._log(record) for record in records])

    def metrics(self, points: Iterable[Point]) -> bytes:
        return self._request("resourceMetrics", "scopeMetrics", "metrics", [self._metric(point) for point in points])

    def _request(self, resources: str, scopes: str, items: str, values: List[str]) -> bytes:
        return f'{{"{resources}":{self._resource}"{scopes}":{self._scope}"{items}":[{",".join(values)}]}}]}}]}}'.encode("ascii")

    # ── a span ──

    def _span(self, span: Any) -> str:
        trace_id, trace = self._trace
        if span.trace_id != trace_id:
            trace = f'{{"traceId":"{span.trace_id:032x}","spanId":"'
            self._trace = span.trace_id, trace
        parent = f'","parentSpanId":"{span.parent_id:016x}"' if span.parent_id else '"'
        rest = ""
        if span.events or span.links or span.status_code or span.trace_state:
            rest = self._rare(span)
        name = self._names.get(span.name) if span.name.__class__ is str else None
        return (
            f'{trace}{span.span_id:016x}{parent},"name":{name or self._name(span)},"kind":{span.otel_kind},'
            f'"startTimeUnixNano":"{span.start_ns}","endTimeUnixNano":"{span.end_ns}","attributes":[{self._attributes(span.attributes)}]{rest}}}'
        )

    def _name(self, span: Any) -> str:
        name = _values.name_of(span)
        known = _text(name)
        _keep(self._names, name, known)
        return known

    def _rare(self, span: Any) -> str:
        parts = [""]
        if span.trace_state:
            parts.append('"traceState":%s' % _text(span.trace_state.to_header()))
        if span.events:
            events = [
                '{"timeUnixNano":"%d","name":%s,"attributes":[%s]}' % (time_ns, _text(name), self._attributes(attributes))
                for time_ns, name, attributes in span.events
            ]
            parts.append('"events":[%s]' % ",".join(events))
        if span.links:
            links = [
                '{"traceId":"%032x","spanId":"%016x","attributes":[%s]}' % (context.trace_id, context.span_id, self._attributes(attributes))
                for context, attributes in span.links
            ]
            parts.append('"links":[%s]' % ",".join(links))
        if span.status_code:
            message = ',"message":%s' % _text(span.status_message) if span.status_message else ""
            parts.append('"status":{"code":%d%s}' % (span.status_code, message))
        return ",".join(parts)

    # ── log records and metrics ──

    def _log(self, record: LogRecord) -> str:
        ids = ""
        if record.trace_id:
            ids = ',"traceId":"%032x","spanId":"%016x"' % (record.trace_id, record.span_id)
        return (
            f'{{"timeUnixNano":"{record.time_ns}","eventName":{_text(record.event_name)},"attributes":[{self._attributes(record.attributes)}]{ids}}}'
        )

    def _metric(self, point: Point) -> str:
        # A label is part of the series, whatever it is called: without it two series would be one.
        labels = ",".join([self._pair(key, value) for key, value in point.attributes.items()])
        data = '{"timeUnixNano":"%d","attributes":[%s]' % (point.time_ns, labels)
        if point.start_ns:
            data += ',"startTimeUnixNano":"%d"' % point.start_ns
        if point.kind == "histogram":
            data += self._histogram(point)
        else:
            data += ',"asDouble":%s' % _number(point.value)
        more = {"gauge": "", "counter": ',"aggregationTemporality":2,"isMonotonic":true'}.get(point.kind, ',"aggregationTemporality":2')
        head = '{"name":%s' % _text(point.name)
        if point.description:
            head += ',"description":%s' % _text(point.description)
        if point.unit:
            head += ',"unit":%s' % _text(point.unit)
        kind = "sum" if point.kind == "counter" else point.kind
        return '%s,"%s":{"dataPoints":[%s}]%s}}' % (head, kind, data, more)

    def _histogram(self, point: Point) -> str:
        counts = ",".join(['"%d"' % count for count in point.bucket_counts])
        bounds = ",".join([_number(bound) for bound in point.bounds])
        said = ',"count":"%d","sum":%s,"bucketCounts":[%s],"explicitBounds":[%s]' % (point.count, _number(point.value), counts, bounds)
        if point.count:
            said += ',"min":%s,"max":%s' % (_number(point.least), _number(point.most))
        return said

    # ── attributes ──

    def _attributes(self, attributes: Optional[Mapping[str, Any]]) -> str:
        if not attributes:
            return ""
        known_keys, texts = self._keys, self._texts
        pairs: List[str] = []
        add = pairs.append
        for key, value in attributes.items():
            head, kind = known_keys.get(key), value.__class__
            if head is None:
                self._first(pairs, key, value)
            elif kind is str:
                known = texts.get(key)
                add((known.get(value) if known is not None else None) or self._text_pair(key, head, value, known))
            elif kind is int and -_INT64 <= value < _INT64:
                add(f'{head}"intValue":"{value}"}}}}')
            elif kind is float and value - value == 0.0:  # finite
                add(f'{head}"doubleValue":{value!r}}}}}')
            elif kind is bool:
                add(head + (_TRUE if value else _FALSE))
            else:
                add(head + _value(value))
        return ",".join(pairs)

    def _first(self, pairs: List[str], key: str, value: Any) -> None:
        """A pair whose key is not known: it is the first of its key, or the key is long, or it holds content."""
        if key not in _values.CONTENT_KEYS:
            pairs.append(self._pair(key, value))
        elif self._content is not None:
            pairs.append('{"key":%s,"value":{"stringValue":%s}}' % (_text(key), _text(_values.text(value, self._content))))

    def _text_pair(self, key: str, head: str, value: str, known: Optional[Dict[str, str]]) -> str:
        if len(value) > _LONGEST_KNOWN:
            return self._pair(key, value)
        pair = head + _value(value)
        if known is None and len(self._texts) < _MOST_KEYS_WITH_TEXTS:
            known = self._texts[key] = {}
        if known is not None and len(known) < _MOST_TEXTS:
            known[value] = pair
        return pair

    def _pair(self, key: str, value: Any) -> str:
        if value.__class__ is str and len(value) > _values.LONGEST_NAME:
            value = _values.fitting(key, value)
        return (self._keys.get(key) or self._key(key)) + _value(value)

    def _key(self, key: str) -> str:
        head = '{"key":%s,"value":{' % _text(key[: _values.MAX_TEXT])
        # A label of a metric may be called as content is: a span that has it must still be asked.
        if len(key) <= _LONGEST_KNOWN and key not in _values.CONTENT_KEYS:
            if len(self._keys) >= _MOST_KNOWN:
                self._keys.clear()
                self._texts.clear()
            self._keys[key] = head
        return head


def _keep(known: Dict[str, str], text: str, written: str) -> None:
    if len(text) <= _LONGEST_KNOWN:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[text] = written


_TRUE, _FALSE = '"boolValue":true}}', '"boolValue":false}}'


def _value(value: Any) -> str:
    """An AnyValue, without its first brace and with the pair's last one: parts of a pair that are kept."""
    kind = value.__class__
    if kind is str:
        return '"stringValue":%s}}' % _text(value[: _values.MAX_TEXT])
    if kind is bool:
        return _TRUE if value else _FALSE
    if kind is int and -_INT64 <= value < _INT64:
        return f'"intValue":"{value}"}}}}'
    if kind is float:
        return '"doubleValue":%s}}' % _number(value)
    if kind is list:
        return '"arrayValue":{"values":[%s]}}}' % ",".join(["{" + _value(each)[:-1] for each in value])
    return '"stringValue":%s}}' % _text(_values.text(value))


def _number(value: float) -> str:
    """Protobuf's JSON has words for what JSON cannot say."""
    if math.isfinite(value):
        return float.__repr__(value) if value.__class__ is float else repr(float(value))
    return '"NaN"' if math.isnan(value) else '"Infinity"' if value > 0 else '"-Infinity"'


def _text(text: str) -> str:
    """Half a surrogate pair is no character; readers refuse it."""
    return _quoted(text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8"))
