"""OTLP requests as protobuf, written by hand: the generated classes cost several times as much per span."""

from __future__ import annotations

import struct
from typing import Any, Dict, Iterable, List, Mapping, Optional

from . import _values
from ._recorder import LogRecord
from ._metrics import Point

CONTENT_TYPE = "application/x-protobuf"

_KIND_AND_TIMES = struct.Struct("<2scQcQ").pack
_SPAN_AND_PARENT = struct.Struct(">2sQ2sQ").pack
_FIXED64 = struct.Struct("<Q").pack
_DOUBLE = struct.Struct("<d").pack
_INT64 = 1 << 63
#: What was encoded is kept for the next span: so many keys and names, so many texts of one key (ids never come again), none that is longer.
_MOST_KNOWN = 4096
_MOST_TEXTS = 64
_MOST_KEYS_WITH_TEXTS = 256
_LONGEST_KNOWN = 256
_LONGEST_TEXT = 64


def varint(value: int) -> bytes:
    if value < 0x80:
        return _ONE_BYTE[value]
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


_ONE_BYTE = [bytes((value,)) for value in range(0x80)]


#: Values of attributes, with their tag and length: small numbers, and what stands before a short text of so many bytes or before a double.
_SMALL_INTS = [b"\x12\x02\x18" + one for one in _ONE_BYTE]
_BEFORE_TEXT = [bytes((0x12, length + 2, 0x0A, length)) for length in range(0x7E)]
_BEFORE_DOUBLE = b"\x12\x09\x21"
_TRUE, _FALSE = b"\x12\x02\x10\x01", b"\x12\x02\x10\x00"


def _utf8(value: str) -> bytes:
    return value.encode("utf-8", "replace")


def _field(tag: bytes, body: bytes) -> bytes:
    return tag + varint(len(body)) + body


class ProtobufEncoder:
    """Writes requests of one process; not thread-safe, the sender owns it."""

    content_type = CONTENT_TYPE

    def __init__(self, resource: Mapping[str, Any], content: Optional[int], version: str) -> None:
        self._content = content
        self._keys: Dict[str, bytes] = {}
        self._texts: Dict[str, Dict[str, bytes]] = {}
        self._trace = (0, b"")
        self._names: Dict[str, bytes] = {}
        self._resource = _field(b"\x0a", b"".join(_field(b"\x0a", self._pair(k, v)) for k, v in resource.items()))
        self._scope = _field(b"\x0a", _field(b"\x0a", b"rollscope") + _field(b"\x12", _utf8(version)))

    # ── requests ──

    def spans(self, spans: Iterable[Any]) -> bytes:
        return self._request([self._span(span) for span in spans])

    def logs(self, records: Iterable[LogRecord]) -> bytes:
        return self._request([self._log(record) for record in records])

    def metrics(self, points: Iterable[Point]) -> bytes:
        return self._request([self._metric(point) for point in points])

    def _request(self, items: List[bytes]) -> bytes:
        parts = [self._scope]
        add = parts.append
        for item in items:
            add(b"\x12" + varint(len(item)))
            add(item)
        return _field(b"\x0a", self._resource + _field(b"\x12", b"".join(parts)))

    # ── a span ──

    def _span(self, span: Any) -> bytes:
        trace_id, trace = self._trace
        if span.trace_id != trace_id:
            trace = b"\x0a\x10" + span.trace_id.to_bytes(16, "big")
            self._trace = span.trace_id, trace
        if span.parent_id:
            ids = _SPAN_AND_PARENT(b"\x12\x08", span.span_id, b"\x22\x08", span.parent_id)
        else:
            ids = b"\x12\x08" + span.span_id.to_bytes(8, "big")
        parts = [trace, ids, self._name(span), _KIND_AND_TIMES(b"\x30\x01", b"\x39", span.start_ns, b"\x41", span.end_ns)]
        if span.attributes:
            self._attributes(parts, b"\x4a", span.attributes)
        if span.otel_kind != 1 or span.events or span.links or span.status_code or span.trace_state:
            self._rare(parts, span)
        return b"".join(parts)

    def _name(self, span: Any) -> bytes:
        known = self._names.get(span.name) if span.name.__class__ is str else None
        if known is None:
            name = _values.name_of(span)
            known = _field(b"\x2a", _utf8(name))
            if len(self._names) > _MOST_KNOWN:
                self._names.clear()
            self._names[name] = known
        return known

    def _rare(self, parts: List[bytes], span: Any) -> None:
        if span.otel_kind != 1:  # overrides the one that was written with the times
            parts.append(b"\x30" + varint(span.otel_kind))
        if span.trace_state:
            parts.append(_field(b"\x1a", _utf8(span.trace_state.to_header())))
        for time_ns, name, attributes in span.events or ():
            event = [b"\x09", _FIXED64(time_ns), _field(b"\x12", _utf8(name))]
            self._attributes(event, b"\x1a", attributes or {})
            parts.append(_field(b"\x5a", b"".join(event)))
        for context, attributes in span.links or ():
            link = [b"\x0a\x10", context.trace_id.to_bytes(16, "big"), b"\x12\x08", context.span_id.to_bytes(8, "big")]
            self._attributes(link, b"\x22", attributes or {})
            parts.append(_field(b"\x6a", b"".join(link)))
        if span.status_code:
            message = _field(b"\x12", _utf8(span.status_message)) if span.status_message else b""
            parts.append(_field(b"\x7a", message + b"\x18" + varint(span.status_code)))

    # ── log records and metrics ──

    def _log(self, record: LogRecord) -> bytes:
        parts = [b"\x09", _FIXED64(record.time_ns)]
        self._attributes(parts, b"\x32", record.attributes)
        if record.trace_id:
            parts += (b"\x4a\x10", record.trace_id.to_bytes(16, "big"), b"\x52\x08", record.span_id.to_bytes(8, "big"))
        parts.append(_field(b"\x62", _utf8(record.event_name)))
        return b"".join(parts)

    def _metric(self, point: Point) -> bytes:
        data = [b"\x19", _FIXED64(point.time_ns)]
        if point.start_ns:
            data += (b"\x11", _FIXED64(point.start_ns))
        if point.kind == "histogram":
            self._histogram(data, point)
        else:
            data += (b"\x21", _DOUBLE(point.value))
        tag = b"\x4a" if point.kind == "histogram" else b"\x3a"
        # A label is part of the series, whatever it is called: without it two series would be one.
        data += [_field(tag, self._pair(key, value)) for key, value in point.attributes.items()]
        body = _field(b"\x0a", b"".join(data))
        if point.kind == "gauge":
            body = _field(b"\x2a", body)
        elif point.kind == "counter":
            body = _field(b"\x3a", body + b"\x10\x02\x18\x01")
        else:
            body = _field(b"\x4a", body + b"\x10\x02")
        head = _field(b"\x0a", _utf8(point.name))
        if point.description:
            head += _field(b"\x12", _utf8(point.description))
        if point.unit:
            head += _field(b"\x1a", _utf8(point.unit))
        return head + body

    def _histogram(self, data: List[bytes], point: Point) -> None:
        counts, bounds = point.bucket_counts, point.bounds
        data += (b"\x21", _FIXED64(point.count), b"\x29", _DOUBLE(point.value))
        data.append(_field(b"\x32", struct.pack("<%dQ" % len(counts), *counts)))
        data.append(_field(b"\x3a", struct.pack("<%dd" % len(bounds), *bounds)))
        if point.count:
            data += (b"\x59", _DOUBLE(point.least), b"\x61", _DOUBLE(point.most))

    # ── attributes ──

    def _attributes(self, parts: List[bytes], tag: bytes, attributes: Mapping[str, Any]) -> None:
        known_keys, texts, add = self._keys, self._texts, parts.append
        for key, value in attributes.items():
            head, kind = known_keys.get(key), value.__class__
            if head is None:
                pair = self._first(key, value)
                if pair is None:
                    continue
            elif kind is str:
                known = texts.get(key)
                pair = known.get(value) if known is not None else None
                if pair is None:
                    pair = self._text_pair(key, head, value, known)
            elif kind is int and 0 <= value < 0x80:
                pair = head + _SMALL_INTS[value]
            elif kind is float:
                pair = head + _BEFORE_DOUBLE + _DOUBLE(value)
            elif kind is bool:
                pair = head + (_TRUE if value else _FALSE)
            else:
                pair = self._pair(key, value)
            length = len(pair)
            add(tag + (_ONE_BYTE[length] if length < 0x80 else varint(length)))
            add(pair)

    def _first(self, key: str, value: Any) -> Optional[bytes]:
        """A pair whose key is not known: it is the first of its key, or the key is long, or it holds content."""
        if key not in _values.CONTENT_KEYS:
            return self._pair(key, value)
        if self._content is None:
            return None
        return _field(b"\x0a", _utf8(key)) + _field(b"\x12", _field(b"\x0a", _utf8(_values.text(value, self._content))))

    def _text_pair(self, key: str, head: bytes, value: str, known: Optional[Dict[str, bytes]]) -> bytes:
        if len(value) > _LONGEST_TEXT:
            return self._pair(key, value)
        raw = _utf8(value)
        pair = head + _BEFORE_TEXT[len(raw)] + raw if len(raw) < 0x7E else self._pair(key, value)
        if known is None and len(self._texts) < _MOST_KEYS_WITH_TEXTS:
            known = self._texts[key] = {}
        if known is not None and len(known) < _MOST_TEXTS:
            known[value] = pair
        return pair

    def _pair(self, key: str, value: Any) -> bytes:
        if value.__class__ is str and len(value) > _values.LONGEST_NAME:
            value = _values.fitting(key, value)
        body = _any_value(value)
        return (self._keys.get(key) or self._key(key)) + b"\x12" + varint(len(body)) + body

    def _key(self, key: str) -> bytes:
        head = _field(b"\x0a", _utf8(key[: _values.MAX_TEXT]))
        # A label of a metric may be called as content is: a span that has it must still be asked.
        if len(key) <= _LONGEST_KNOWN and key not in _values.CONTENT_KEYS:
            if len(self._keys) > _MOST_KNOWN:
                self._keys.clear()
                self._texts.clear()
            self._keys[key] = head
        return head


def _any_value(value: Any) -> bytes:
    kind = value.__class__
    if kind is str:
        body = _utf8(value if len(value) <= _values.MAX_TEXT else value[: _values.MAX_TEXT])
        return b"\x0a" + varint(len(body)) + body
    if kind is int:
        if 0 <= value < _INT64:
            return b"\x18" + varint(value)
        if -_INT64 <= value < 0:
            return b"\x18" + varint(value + (1 << 64))
        return _any_value(_values.text(value))
    if kind is float:
        return b"\x21" + _DOUBLE(value)
    if kind is bool:
        return b"\x10\x01" if value else b"\x10\x00"
    if kind is list:
        return _field(b"\x2a", b"".join(_field(b"\x0a", _any_value(each)) for each in value))
    return _any_value(_values.text(value))
