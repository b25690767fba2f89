"""One training process that reports through the real OpenTelemetry SDK."""
import uuid

import grpc
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter as GrpcLogs
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter as GrpcMetrics
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GrpcSpans
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter as HttpLogs
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter as HttpMetrics
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter as HttpSpans
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.metrics.view import ExplicitBucketHistogramAggregation, ExponentialBucketHistogramAggregation, View
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

NEVER_MS = 1_000_000
HOST, PID, RANK = "node-7", 4711, 3


class Sender:
    """Sends nothing by itself: `flush` does, and fails when the server did not take it."""

    def __init__(self, collector, protocol, run, gzip=False):
        self.run = run
        self.instance = str(uuid.uuid4())
        spans, logs, metrics = _exporters(collector, protocol, gzip)
        resource = Resource(
            {
                "service.name": "trainer",
                "service.instance.id": self.instance,
                "host.name": HOST,
                "process.pid": PID,
                "rl.run.id": run,
                "rl.worker.role": "rollout",
                "rl.worker.rank": RANK,
            }
        )
        self._spans = TracerProvider(resource=resource)
        self._spans.add_span_processor(BatchSpanProcessor(spans, schedule_delay_millis=NEVER_MS))
        self._logs = LoggerProvider(resource=resource)
        self._logs.add_log_record_processor(BatchLogRecordProcessor(logs, schedule_delay_millis=NEVER_MS))
        self._metrics = MeterProvider(
            resource=resource,
            shutdown_on_exit=False,
            metric_readers=[PeriodicExportingMetricReader(metrics, export_interval_millis=NEVER_MS)],
            views=[
                View(instrument_name="rl.reward", aggregation=ExplicitBucketHistogramAggregation((1.5, 2.5))),
                View(instrument_name="rl.tokens", aggregation=ExponentialBucketHistogramAggregation(max_size=4)),
            ],
        )
        self.tracer = self._spans.get_tracer("rollscope.tests")
        self.meter = self._metrics.get_meter("rollscope.tests")
        self._logger = self._logs.get_logger("rollscope.tests")

    def flush(self):
        assert self._spans.force_flush() and self._logs.force_flush() and self._metrics.force_flush()

    def flush_logs(self):
        """Nothing but log records: metrics would be sent once more."""
        assert self._logs.force_flush()

    def close(self):
        self._spans.shutdown()
        self._logs.shutdown()  # not the metrics: they would be exported once more

    def span(self, name, start, end=None, parent=None, **attributes):
        """A span with these times; started only, and never sent, without an end."""
        context = trace.set_span_in_context(parent) if parent else None
        span = self.tracer.start_span(name, context=context, start_time=start, attributes=_dotted(attributes))
        if end is not None:
            span.end(end)
        return span

    def tell(self, event, when, span=None, **attributes):
        """A log record of Rollscope's own kind, about a span or the process."""
        context = trace.set_span_in_context(span) if span else None
        self._logger.emit(timestamp=when, context=context, event_name=event, attributes=_dotted(attributes))

    def start(self, name, start, parent=None, **attributes):
        """An open span: its start is told, its end never comes."""
        span = self.span(name, start, parent=parent, **attributes)
        told = {"rollscope__span__name": name, **attributes}
        if parent:
            told["rollscope__span__parent_id"] = f"{parent.get_span_context().span_id:016x}"
        self.tell("rollscope.span.start", start, span, **told)
        return span


def _dotted(attributes):
    return {name.replace("__", "."): value for name, value in attributes.items()}


def trace_id(span):
    return f"{span.get_span_context().trace_id:032x}"


def span_id(span):
    return f"{span.get_span_context().span_id:016x}"


def _exporters(collector, protocol, gzip):
    if protocol == "grpc":
        options = {"endpoint": collector.otlp_grpc, "insecure": True}
        options["compression"] = grpc.Compression.Gzip if gzip else grpc.Compression.NoCompression
        return GrpcSpans(**options), GrpcLogs(**options), GrpcMetrics(**options)
    compression = Compression.Gzip if gzip else Compression.NoCompression
    made = zip((HttpSpans, HttpLogs, HttpMetrics), ("traces", "logs", "metrics"))
    return tuple(kind(endpoint=f"{collector.otlp_http}/v1/{signal}", compression=compression) for kind, signal in made)
