"""Fork, exit and SIGTERM: nothing that was recorded is left behind, and a child is not its parent."""

from __future__ import annotations

import atexit
import multiprocessing.process
import multiprocessing.util
import os
import signal
import threading
from typing import TYPE_CHECKING, Any, Dict

if TYPE_CHECKING:
    from ._client import Rollscope

#: Held until they are closed: what a forgotten client has recorded is sent, too. In the order of their beginning.
_watched: Dict[int, "Rollscope"] = {}
_EXIT_S = 5.0
_SIGNAL_S = 3.0
_previous: Any = None
_installed = False
_catches_sigterm = False


def watch(client: "Rollscope") -> None:
    """Flushes this client when the process ends, and gives it a life of its own in a forked child."""
    global _installed
    _watched[id(client)] = client
    if not _installed:
        _installed = True
        atexit.register(_close_all, _EXIT_S)
        os.register_at_fork(after_in_child=_after_fork)
        # Children of multiprocessing leave by os._exit and so without atexit, but they run its finalizers.
        multiprocessing.util.register_after_fork(_after_multiprocessing_fork, _finalize)
        if multiprocessing.process.parent_process() is not None:
            _finalize(None)
    _catch_sigterm()


def forget(client: "Rollscope") -> None:
    _watched.pop(id(client), None)


def _close_all(timeout_s: float) -> None:
    for client in list(_watched.values()):
        client.close(timeout_s)


def _after_fork() -> None:
    for client in list(_watched.values()):
        client._forked()


class _AfterFork:
    """What multiprocessing needs as a key; it holds keys weakly."""


_after_multiprocessing_fork = _AfterFork()


def _finalize(_: Any) -> None:
    multiprocessing.util.Finalize(None, _close_all, args=(_EXIT_S,), exitpriority=0)


def _catch_sigterm() -> None:
    """Once: a handler that somebody sets later is theirs, and may call ours."""
    global _previous, _catches_sigterm
    if _catches_sigterm or threading.current_thread() is not threading.main_thread():
        return
    handler = signal.getsignal(signal.SIGTERM)
    # Somebody who ignores the signal, or handles it in C, keeps it.
    if handler is None or handler is signal.SIG_IGN:
        return
    try:
        _previous = signal.signal(signal.SIGTERM, _on_sigterm)
        _catches_sigterm = True
    except (ValueError, OSError):
        pass


def _on_sigterm(number: int, frame: Any) -> None:
    if callable(_previous):
        # Flushed, not closed: a handler of the training may go on and record more.
        for client in list(_watched.values()):
            client.flush(_SIGNAL_S)
        _previous(number, frame)
        return
    _close_all(_SIGNAL_S)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTERM)
