"""What callers get when nothing is recorded: one object that takes everything and keeps nothing."""

from __future__ import annotations

from typing import Any, Optional

from opentelemetry.trace import INVALID_SPAN_CONTEXT, NonRecordingSpan

from . import _misuse


class NoSpan(NonRecordingSpan):
    """Stands for a batch, task, session, phase or state."""

    name = ""
    trace_id = span_id = parent_id = 0
    status: Optional[str] = None

    def _nothing(self, /, *args: Any, **more: Any) -> None:
        """Does nothing."""

    event = fail = tokens = accepted = rejected = failed = dropped = cancelled = count = reward = _failed = _nothing
    # OpenTelemetry's own have the arguments that they need.
    set_attribute = set_attributes = add_event = add_link = update_name = set_status = record_exception = _nothing

    def end(self, /, end_time: Optional[int] = None, *odd: Any, **more: Any) -> None:
        if odd or more:
            _misuse.warn_of_end(odd, more)

    def set(self, /, *args: Any, **more: Any) -> "NoSpan":
        return self

    def task(self, /, *args: Any, **more: Any) -> "NoSpan":
        return self

    session = phase = child = task

    def __enter__(self) -> "NoSpan":
        return self

    def __exit__(self, *error: Any) -> None:
        """Lets an exception pass."""

    async def __aenter__(self) -> "NoSpan":
        return self

    async def __aexit__(self, *error: Any) -> None:
        """Lets an exception pass."""


NO_SPAN: Any = NoSpan(INVALID_SPAN_CONTEXT)
