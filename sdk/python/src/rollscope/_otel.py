"""OpenTelemetry's API on our recorder: code that is instrumented with it keeps working, and its open spans are seen."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Link, SpanKind
from opentelemetry.trace.propagation import _SPAN_KEY

from . import _ids, _values
from ._span import Span, _get_current, _time

if TYPE_CHECKING:
    from ._client import Rollscope

_NOTHING = trace.NoOpTracer()


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
            return _NOTHING.start_span(name, context)
        own = _values.own(attributes)
        where = _get_current() if context is None else context
        parent = where.get(_SPAN_KEY)
        in_session, trace_state = True, None
        coordinates: Optional[Mapping[str, Any]] = None
        if isinstance(parent, Span):
            in_session, coordinates, trace_state = parent.in_session, parent.coordinates, parent.trace_state
            trace_id, parent_id = parent.trace_id, parent.span_id
        else:
            remote, coordinates = self._client._remote(parent, where)
            if remote is None:
                trace_id, parent_id = _ids.trace_id(), 0
            else:
                far = remote.get_span_context()
                trace_id, parent_id, trace_state = far.trace_id, far.span_id, far.trace_state
            if "rl.session.id" in coordinates:
                own = {"rl.session.id": coordinates["rl.session.id"], **(own or {})}
        if not in_session:
            own = {"rl.kind": "op", **(coordinates or {}), **(own or {})}
        span = Span(recorder, name, trace_id, parent_id, in_session, coordinates, own, _time(start_time) if start_time else 0)
        span.trace_state = trace_state
        # OTLP counts from "unspecified", the API from "internal".
        span.otel_kind = kind.value + 1
        for link in links or ():
            span.add_link(link.context, link.attributes)
        return span

    def start_as_current_span(  # type: ignore[override]
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
    ) -> "_Current":
        def begin() -> Any:
            span = self.start_span(name, context, kind, attributes, links, start_time)
            return trace.use_span(span, end_on_exit, record_exception, set_status_on_exception)

        return _Current(begin)


class _Current:
    """A span that is current in a `with` block, or in each call of the function that it decorates, plain or async."""

    def __init__(self, begin: Callable[[], Any]) -> None:
        self._begin = begin
        self._manager: Any = None

    def __enter__(self) -> Any:
        self._manager = self._begin()
        return self._manager.__enter__()

    def __exit__(self, *error: Any) -> Any:
        return self._manager.__exit__(*error)

    def __call__(self, function: Any) -> Any:
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def wrapper(*args: Any, **more: Any) -> Any:
                with self._begin():
                    return await function(*args, **more)

        else:

            @functools.wraps(function)
            def wrapper(*args: Any, **more: Any) -> Any:
                with self._begin():
                    return function(*args, **more)

        return wrapper
