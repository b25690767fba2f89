"""The three signals: where they are sent, and as which messages."""
from dataclasses import dataclass

from opentelemetry.proto.collector.logs.v1 import logs_service_pb2 as logs
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as traces


@dataclass(frozen=True)
class Signal:
    name: str
    method: str
    request: type
    response: type
    rejected: str  # field of partial_success

    @property
    def path(self):
        return "/v1/" + self.name

    def __str__(self):
        return self.name

    def __format__(self, spec):
        return self.name


def _method(service):
    return f"/opentelemetry.proto.collector.{service}/Export"


TRACES = Signal(
    "traces",
    _method("trace.v1.TraceService"),
    traces.ExportTraceServiceRequest,
    traces.ExportTraceServiceResponse,
    "rejected_spans",
)
LOGS = Signal(
    "logs",
    _method("logs.v1.LogsService"),
    logs.ExportLogsServiceRequest,
    logs.ExportLogsServiceResponse,
    "rejected_log_records",
)
METRICS = Signal(
    "metrics",
    _method("metrics.v1.MetricsService"),
    metrics.ExportMetricsServiceRequest,
    metrics.ExportMetricsServiceResponse,
    "rejected_data_points",
)
SIGNALS = (TRACES, LOGS, METRICS)
