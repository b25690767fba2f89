"""What senders send, and what they may expect to find again: everything a 200 or OK was received for."""

import http.client
import os
import random
import threading
import time
from urllib.parse import urlsplit

import grpc
from opentelemetry.proto.collector.logs.v1 import logs_service_pb2 as logs
from opentelemetry.proto.collector.logs.v1 import logs_service_pb2_grpc as logs_grpc
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2_grpc as metrics_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as traces
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as traces_grpc


def attribute(holder, key, value):
    pair = holder.attributes.add(key=key)
    pair.value.string_value = value


class Ledger:
    """What was acknowledged, and what may or may not have arrived because the answer was lost."""

    def __init__(self):
        self.lock = threading.Lock()
        self.runs = {}
        self.in_doubt = []

    def run(self, name):
        with self.lock:
            return self.runs.setdefault(name, Run())

    def acknowledged(self, request):
        with self.lock:
            self.runs.setdefault(request.run, Run()).add(request)

    def doubt(self, request):
        with self.lock:
            if request.path == "metrics":  # Points carry no id: repeating one may store it twice.
                self.runs.setdefault(request.run, Run()).maybe_points.update(request.points)
            else:
                self.in_doubt.append(request)

    def take_doubts(self):
        with self.lock:
            taken, self.in_doubt = self.in_doubt, []
            return taken


class Run:
    def __init__(self):
        self.spans = {}  # (trace, span) -> is it closed
        self.session_of = {}  # session -> spans
        self.verdicts = {}
        self.points = set()
        self.maybe_points = set()

    def add(self, request):
        for span, closed in request.spans.items():
            self.spans[span] = closed or self.spans.get(span, False)
            self.session_of.setdefault(request.session, set()).add(span)
        self.verdicts.update(request.verdicts)
        self.points.update(request.points)


class Request:
    def __init__(self, path, message, run, session=None, spans=None, verdicts=None, points=None):
        self.path = path
        self.message = message
        self.run = run
        self.session = session
        self.spans = spans or {}
        self.verdicts = verdicts or {}
        self.points = points or set()


class Session:
    """One rollout: its requests in the order in which a program sends them."""

    def __init__(self, run, random):
        self.run = run
        self.random = random
        self.trace = random.randbytes(16)
        self.id = self.trace.hex()[:12]
        self.began = time.time_ns() - 1_000_000_000
        self.ids = [random.randbytes(8) for _ in range(2 + random.randint(1, 30))]

    def requests(self):
        root, generate, rest = self.ids[0], self.ids[1], self.ids[2:]
        yield self.starts([root, generate])
        yield self.ended(rest)
        if self.random.random() < 0.3:
            yield self.point()
        if self.random.random() < 0.7:
            yield self.ended([generate, root])
            if self.random.random() < 0.5:
                yield self.verdict(self.random.choice(["accepted", "rejected", "dropped"]))

    def resource(self, holder):
        attribute(holder.resource, "rl.run.id", self.run)
        attribute(holder.resource, "service.name", "crash")

    def starts(self, ids):
        message = logs.ExportLogsServiceRequest()
        resource = message.resource_logs.add()
        self.resource(resource)
        scope = resource.scope_logs.add()
        for span in ids:
            record = scope.log_records.add(event_name="rollscope.span.start", time_unix_nano=self.began)
            record.trace_id, record.span_id = self.trace, span
            attribute(record, "rollscope.span.name", self.name(span))
            if span != self.ids[0]:
                attribute(record, "rollscope.span.parent_id", self.ids[0].hex())
            self.describe(record, span)
        return self.request("logs", message, spans={(self.trace.hex(), s.hex()): False for s in ids})

    def name(self, span):
        return "rollout" if span == self.ids[0] else "generate" if span == self.ids[1] else "toolcall"

    def describe(self, holder, span):
        if span == self.ids[0]:
            attribute(holder, "rl.kind", "session")
            attribute(holder, "rl.session.id", self.id)

    def ended(self, ids):
        message = traces.ExportTraceServiceRequest()
        resource = message.resource_spans.add()
        self.resource(resource)
        scope = resource.scope_spans.add()
        for i, span in enumerate(ids):
            record = scope.spans.add(trace_id=self.trace, span_id=span, name=self.name(span))
            if span != self.ids[0]:
                record.parent_span_id = self.ids[0]
            record.start_time_unix_nano = self.began + (i if span not in self.ids[:2] else 0)
            record.end_time_unix_nano = self.began + 500_000_000
            self.describe(record, span)
            for n in range(5):
                attribute(record, f"tool.argument.{n}", self.random.randbytes(20).hex())
        return self.request("traces", message, spans={(self.trace.hex(), s.hex()): True for s in ids})

    def verdict(self, status):
        message = logs.ExportLogsServiceRequest()
        resource = message.resource_logs.add()
        self.resource(resource)
        record = resource.scope_logs.add().log_records.add(event_name="rollscope.session.final")
        record.trace_id, record.span_id = self.trace, self.ids[0]
        record.time_unix_nano = time.time_ns()
        attribute(record, "rl.status", status)
        return self.request("logs", message, verdicts={self.id: status})

    def point(self):
        message = metrics.ExportMetricsServiceRequest()
        resource = message.resource_metrics.add()
        self.resource(resource)
        metric = resource.scope_metrics.add().metrics.add(name="crash.point")
        number = self.random.getrandbits(50)
        metric.gauge.data_points.add(time_unix_nano=time.time_ns(), as_double=float(number))
        return self.request("metrics", message, points={number})

    def request(self, path, message, **told):
        return Request(path, message, self.run, self.id, **told)


class Refused(Exception):
    """The server said that the same request will never be taken."""


class HttpClient:
    def __init__(self, addresses):
        self.connection = http.client.HTTPConnection(urlsplit(addresses["otlp_http"]).netloc, timeout=30)

    def send(self, request):
        body = request.message.SerializeToString()
        while True:
            self.connection.request("POST", "/v1/" + request.path, body, {"Content-Type": "application/x-protobuf"})
            answer = self.connection.getresponse()
            text = answer.read()
            if answer.status == 200 and not text:
                return
            if answer.status not in (429, 503):
                raise Refused(f"{answer.status} {text!r}")
            time.sleep(0.05)

    def close(self):
        self.connection.close()


class GrpcClient:
    def __init__(self, addresses):
        self.channel = grpc.insecure_channel(addresses["otlp_grpc"], [("grpc.enable_retries", 0)])
        self.stubs = {
            "traces": traces_grpc.TraceServiceStub(self.channel),
            "logs": logs_grpc.LogsServiceStub(self.channel),
            "metrics": metrics_grpc.MetricsServiceStub(self.channel),
        }

    def send(self, request):
        try:
            answer = self.stubs[request.path].Export(request.message, timeout=30)
        except grpc.RpcError as e:
            if e.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED):
                raise ConnectionError(str(e.code())) from e
            raise Refused(f"{e.code()} {e.details()}") from e
        if answer.HasField("partial_success") and answer.partial_success.ByteSize():
            raise Refused(str(answer.partial_success))

    def close(self):
        self.channel.close()


class Sender(threading.Thread):
    """Sends sessions until it is told to stop or the server is gone."""

    def __init__(self, client, run, ledger):
        super().__init__(daemon=True)
        self.client = client
        self.run_name = run
        self.ledger = ledger
        self.random = random.Random(os.urandom(8))
        self.stopped = threading.Event()
        self.error = None

    def run(self):
        try:
            while not self.stopped.is_set():
                for request in Session(self.run_name, self.random).requests():
                    if not self.deliver(request):
                        return
        finally:
            self.client.close()

    def deliver(self, request):
        try:
            self.client.send(request)
            self.ledger.acknowledged(request)
            return True
        except (OSError, http.client.HTTPException):
            self.ledger.doubt(request)
        except Refused as e:
            self.error = e
        return False
