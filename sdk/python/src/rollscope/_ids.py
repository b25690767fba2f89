"""Random ids from a generator of our own: training code seeds the global one, on every rank with the same number."""

from __future__ import annotations

import os
import random

_source = random.Random()
_bits = _source.getrandbits
os.register_at_fork(after_in_child=_source.seed)


def span_id() -> int:
    return _bits(64) or span_id()


def trace_id() -> int:
    return _bits(128) or trace_id()
