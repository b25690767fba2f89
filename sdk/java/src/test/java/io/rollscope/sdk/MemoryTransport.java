package io.rollscope.sdk;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what it is given, and reads it with OpenTelemetry's own messages. */
final class MemoryTransport implements Transport {
  record Request(Signal signal, byte[] body) {}

  /** What to answer; like a server that is away. */
  interface Answer {
    Sent to(Signal signal, byte[] body) throws IOException, InterruptedException;
  }

  final List<Request> arrived = new CopyOnWriteArrayList<>();
  volatile Answer answer = (signal, body) -> Sent.all();
  volatile boolean closed;

  @Override
  public Sent send(Signal signal, byte[] body) throws IOException, InterruptedException {
    Sent sent = answer.to(signal, body);
    if (sent.outcome() == Sent.Outcome.ARRIVED) {
      arrived.add(new Request(signal, body));
    }
    return sent;
  }

  @Override
  public void close() {
    closed = true;
  }

  List<Span> spans() {
    return arrived.stream()
        .filter(r -> r.signal() == Signal.TRACES)
        .map(r -> parsed(() -> ExportTraceServiceRequest.parseFrom(r.body())))
        .flatMap(r -> r.getResourceSpansList().stream())
        .flatMap(r -> r.getScopeSpansList().stream())
        .flatMap(s -> s.getSpansList().stream())
        .toList();
  }

  List<LogRecord> logs(String event) {
    return arrived.stream()
        .filter(r -> r.signal() == Signal.LOGS)
        .map(r -> parsed(() -> ExportLogsServiceRequest.parseFrom(r.body())))
        .flatMap(r -> r.getResourceLogsList().stream())
        .flatMap(r -> r.getScopeLogsList().stream())
        .flatMap(s -> s.getLogRecordsList().stream())
        .filter(l -> l.getEventName().equals(event))
        .toList();
  }

  List<Metric> metrics() {
    return arrived.stream()
        .filter(r -> r.signal() == Signal.METRICS)
        .map(r -> parsed(() -> ExportMetricsServiceRequest.parseFrom(r.body())))
        .flatMap(r -> r.getResourceMetricsList().stream())
        .flatMap(r -> r.getScopeMetricsList().stream())
        .flatMap(s -> s.getMetricsList().stream())
        .toList();
  }

  private interface Parse<T> {
    T get() throws InvalidProtocolBufferException;
  }

  private static <T> T parsed(Parse<T> parse) {
    try {
      return parse.get();
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  static long number(LogRecord record, String key) {
    return record.getAttributesList().stream()
        .filter(a -> a.getKey().equals(key))
        .findFirst()
        .orElseThrow()
        .getValue()
        .getIntValue();
  }
}
