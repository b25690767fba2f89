"""Locks that outlive a fork."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any


class ForkLock:
    """A reentrant lock that is open in a forked child: the thread that held it when the process was forked does not exist there."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _all.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *error: Any) -> None:
        try:
            self._lock.release()
        except RuntimeError:
            pass  # the process was forked by code inside of the lock


_all: "weakref.WeakSet[ForkLock]" = weakref.WeakSet()


def _renew() -> None:
    for lock in list(_all):
        lock._lock = threading.RLock()


os.register_at_fork(after_in_child=_renew)
