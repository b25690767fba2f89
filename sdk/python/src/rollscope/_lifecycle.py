"""Fork, exit and SIGTERM: nothing that was recorded is left behind, and a child is not its parent."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._client import Rollscope

_watched: "weakref.WeakSet[Rollscope]" = weakref.WeakSet()
_EXIT_S = 5.0
_SIGNAL_S = 3.0
_previous: Any = None
_installed = False


def watch(client: "Rollscope") -> None:
    """Flushes this client when the process ends, and gives it a life of its own in a forked child."""
    global _installed
    _watched.add(client)
    if not _installed:
        _installed = True
        atexit.register(_close_all, _EXIT_S)
        os.register_at_fork(after_in_child=_after_fork)
    _catch_sigterm()
    _catch_multiprocessing()


def _close_all(timeout_s: float) -> None:
    for client in list(_watched):
        client.close(timeout_s)


def _after_fork() -> None:
    for client in list(_watched):
        client._forked()


def _catch_sigterm() -> None:
    global _previous
    if threading.current_thread() is not threading.main_thread():
        return
    handler = signal.getsignal(signal.SIGTERM)
    # Somebody who ignores the signal, or handles it in C, keeps it.
    if handler is _on_sigterm or handler is None or handler is signal.SIG_IGN:
        return
    try:
        _previous = signal.signal(signal.SIGTERM, _on_sigterm)
    except (ValueError, OSError):
        pass


def _on_sigterm(number: int, frame: Any) -> None:
    # Flushed, not closed: a handler of the training may go on and record more.
    for client in list(_watched):
        client.flush(_SIGNAL_S)
    if callable(_previous):
        _previous(number, frame)
        return
    _close_all(_SIGNAL_S)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTERM)


class _AfterFork:
    """What multiprocessing calls in a forked child, which leaves by os._exit and so without atexit."""


_after_multiprocessing_fork = _AfterFork()


def _catch_multiprocessing() -> None:
    util = sys.modules.get("multiprocessing.util")
    if util is None:
        import multiprocessing.util as util  # type: ignore[no-redef]
    util.register_after_fork(_after_multiprocessing_fork, _in_multiprocessing_child)


def _in_multiprocessing_child(_: Any) -> None:
    import multiprocessing.util

    multiprocessing.util.Finalize(None, _close_all, args=(_EXIT_S,), exitpriority=0)
