"""The page of one training run, as XTuner's own viewer was: begun with the trace and ended with it."""

from __future__ import annotations

import atexit
import dataclasses
import os
from typing import Any

from ..._settings import Settings
from .._recording import say_once
from ._config import TraceConfig


class ProducerViewer:
    """Rollscope's viewer on the host and port that the config names."""

    def __init__(self, settings: Settings, config: TraceConfig) -> None:
        self._settings = dataclasses.replace(settings, viewer_host=config.viewer_host, viewer_port=config.viewer_port)
        self._viewer: Any = None
        self._pid = os.getpid()

    def start(self) -> None:
        try:
            from ..._viewer import Viewer

            self._viewer = Viewer(self._settings)
            url = self._viewer.start()
        except Exception as error:  # a page that cannot be shown is no reason not to train
            say_once("viewer", "did not start: %s: %s", type(error).__name__, error)
            return
        atexit.register(self.stop)
        if url:
            print("Producer Trace Viewer: %s" % url.rstrip("/"), flush=True)

    def stop(self) -> None:
        viewer, self._viewer = self._viewer, None
        if viewer is not None and os.getpid() == self._pid:
            viewer.stop()
            atexit.unregister(self.stop)
