"""Something to do when a span ends, whoever ends it."""

from __future__ import annotations

from typing import Callable, Optional

from ..._span import Span
from .._recording import unhurt


def at_end(span: Span, work: Callable[[Span], None]) -> None:
    end, work = span._end, unhurt()(work)

    def ended(end_time: Optional[int] = None) -> None:
        if not span.end_ns:
            end(end_time)
            work(span)

    span._end = ended  # type: ignore[method-assign]
