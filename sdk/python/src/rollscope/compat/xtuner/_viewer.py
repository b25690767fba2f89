"""The page of one training run, as XTuner's own viewer was: begun with the trace and ended with it."""

from __future__ import annotations

from typing import List

from ..._settings import Settings
from ..._viewer import Viewer
from ._config import TraceConfig


class ProducerViewer(Viewer):
    """Rollscope's viewer on the host and port that XTuner's config names."""

    line = "Producer Trace Viewer: %s"

    def __init__(self, settings: Settings, config: TraceConfig) -> None:
        super().__init__(settings)
        self._config = config

    def _address(self) -> List[str]:
        return ["--host", self._config.viewer_host, "--port", str(self._config.viewer_port), "--otlp-grpc-port", "0"]
