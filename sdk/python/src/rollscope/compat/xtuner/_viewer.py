"""The page of one training run, as XTuner's own viewer was: begun with the trace and ended with it."""

from __future__ import annotations

from typing import List

from ..._settings import Settings
from ..._viewer import Viewer, _is_free
from .._recording import log
from .._unknown import forgiving


class ProducerViewer(Viewer):
    """Rollscope's viewer on the host and port that XTuner's config names; on a free port if that one is taken."""

    line = "Producer Trace Viewer: %s"

    def __init__(self, settings: Settings, host: str, port: int) -> None:
        super().__init__(settings)
        self._host = host
        self._port = port

    def _address(self) -> List[str]:
        port = self._port
        if port and not _is_free(port, self._host):
            log.warning("rollscope: viewer: port %d of %s is taken; a free one is used", port, self._host)
            port = 0
        return ["--host", self._host, "--port", str(port), "--otlp-grpc-port", "0"]


class ProducerTraceViewerHandle:
    """What `start_trace_viewer` returns."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self.url = viewer.url or "none"
        self.closed = False

    @forgiving(None)
    def close(self) -> None:
        """Ends the page, unless `rollscope.init` has begun it."""
        self.closed = True
        if isinstance(self._viewer, ProducerViewer):
            self._viewer.stop()
