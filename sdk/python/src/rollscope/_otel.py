"""OpenTelemetry's API on our recorder: code that is instrumented with it keeps working, and its open spans are seen."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Sequence

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Link, SpanKind
from opentelemetry.trace.propagation import _SPAN_KEY  # type: ignore[attr-defined]

from . import _ids, _values
from ._noop import NO_SPAN
from ._span import Span, _get_current

if TYPE_CHECKING:
    from ._client import Rollscope


class TracerProvider(trace.TracerProvider):
    """Make it the global one with `opentelemetry.trace.set_tracer_provider(rs.tracer_provider)`."""

    def __init__(self, client: "Rollscope") -> None:
        self._client = client

    def get_tracer(
        self,
        instrumenting_module_name: str,
        instrumenting_library_version: Optional[str] = None,
        schema_url: Optional[str] = None,
        attributes: Optional[Mapping[str, Any]] = None,
    ) -> "Tracer":
        return Tracer(self._client)

    def force_flush(self, timeout_millis: int = 5000) -> bool:
        return self._client.flush(timeout_millis / 1000)

    def shutdown(self) -> None:
        self._client.close()


class Tracer(trace.Tracer):
    def __init__(self, client: "Rollscope") -> None:
        self._client = client

    def start_span(
        self,
        name: str,
        context: Optional[Context] = None,
        kind: SpanKind = SpanKind.INTERNAL,
        attributes: Optional[Mapping[str, Any]] = None,
        links: Optional[Sequence[Link]] = None,
        start_time: Optional[int] = None,
        record_exception: bool = True,
        set_status_on_exception: bool = True,
    ) -> Any:
        recorder = self._client._recorder
        if recorder is None:
            return NO_SPAN
        own = _values.own(attributes)
        parent = (_get_current() if context is None else context).get(_SPAN_KEY)
        in_session, coordinates, trace_state = True, None, None
        if isinstance(parent, Span):
            in_session, coordinates, trace_state = parent.in_session, parent.coordinates, parent.trace_state
            trace_id, parent_id = parent.trace_id, parent.span_id
        elif isinstance(parent, trace.Span) and parent.get_span_context().is_valid:
            remote = parent.get_span_context()
            trace_id, parent_id, trace_state = remote.trace_id, remote.span_id, remote.trace_state
        else:
            trace_id, parent_id = _ids.trace_id(), 0
        if not in_session:
            own = {"rl.kind": "op", **(coordinates or {}), **(own or {})}
        span = Span(recorder, name, trace_id, parent_id, in_session, coordinates, own, start_time or 0)
        span.trace_state = trace_state
        # OTLP counts from "unspecified", the API from "internal".
        span.otel_kind = kind.value + 1
        for link in links or ():
            span.add_link(link.context, link.attributes)
        return span

    @contextmanager
    def start_as_current_span(
        self,
        name: str,
        context: Optional[Context] = None,
        kind: SpanKind = SpanKind.INTERNAL,
        attributes: Optional[Mapping[str, Any]] = None,
        links: Optional[Sequence[Link]] = None,
        start_time: Optional[int] = None,
        record_exception: bool = True,
        set_status_on_exception: bool = True,
        end_on_exit: bool = True,
    ) -> Iterator[Any]:
        span = self.start_span(name, context, kind, attributes, links, start_time)
        with trace.use_span(span, end_on_exit, record_exception, set_status_on_exception):
            yield span
