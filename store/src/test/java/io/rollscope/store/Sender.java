package io.rollscope.store;

import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.RequestWriter;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.TraceRequestBuilder;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Sign;
import io.rollscope.otlp.record.Verdict;
import io.rollscope.otlp.wire.ProtoWriter;
import io.rollscope.store.journal.Source;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client of a store in tests: builds requests, decodes them as a receiver does, and sends them.
 */
final class Sender {
  static final long T0 = 1_800_000_000_000_000_000L;
  static final long SECOND = 1_000_000_000L;

  private final Store store;
  private final AtomicLong clock;
  private TraceRequestBuilder request;

  Sender(Store store, AtomicLong clock) {
    this.store = store;
    this.clock = clock;
    begin("run-1", "i-1");
  }

  Sender begin(String run, String instance) {
    request = new TraceRequestBuilder().resource();
    request.attribute("service.name", "trainer").attribute("service.instance.id", instance);
    request.attribute("rl.run.id", run);
    return this;
  }

  /** Seconds after {@link #T0}; a negative end leaves it open. */
  Sender span(long trace, long id, long parent, String name, double from, double to) {
    request.span(trace, trace, id, parent, name, at(from), to < 0 ? Nanos.OPEN : at(to));
    return this;
  }

  Sender attribute(String key, String value) {
    request.attribute(key, value);
    return this;
  }

  Sender attribute(String key, long value) {
    request.attribute(key, value);
    return this;
  }

  Sender failed(String type, String message, double at) {
    request.failed(type, message, at(at));
    return this;
  }

  static long at(double seconds) {
    return T0 + Math.round(seconds * SECOND);
  }

  Receipt send() {
    Receipt receipt = send(Signal.TRACES, new Source.Otlp(Signal.TRACES), request.build());
    begin("run-1", "i-1");
    return receipt;
  }

  Receipt sendLogs(List<Verdict> verdicts, List<Sign> signs) {
    return send(Signal.LOGS, new Source.Otlp(Signal.LOGS), RequestWriter.logs(verdicts, signs));
  }

  /** A beat of that process, and what it is asked for. */
  List<Long> beat(String instance, double at) {
    Sign beat = new Sign(origin(instance), "run-1", false, at(at), 1, 0, 0, 0, 0, 0);
    return sendLogs(List.of(), List.of(beat)).wantedStacks();
  }

  /** A request with where the work of a span stands. */
  void sendStack(String instance, long trace, long span, double at, String frames) {
    ProtoWriter out = new ProtoWriter(256);
    int resourceLogs = out.begin(1);
    int resource = out.begin(1);
    origin(instance).attributes().writeTo(out, 1);
    out.end(resource);
    int scope = out.begin(2);
    int record = out.begin(2);
    out.fixed64(1, at(at));
    attribute(out, 6, "rollscope.stack.frames", frames);
    out.id(9, trace, trace);
    out.id(10, span);
    out.string(12, "rollscope.stack");
    out.end(record);
    out.end(scope);
    out.end(resourceLogs);
    send(Signal.LOGS, new Source.Otlp(Signal.LOGS), out.toBytes());
  }

  /** A request with one metric: a gauge, with these values at that time and a second later each. */
  void sendGauge(String name, double at, double... values) {
    sendGauge(Map.of(), name, at, values);
  }

  /**
   * The same with attributes at every point.
   *
   * @param attributes texts and whole numbers
   */
  void sendGauge(Map<String, Object> attributes, String name, double at, double... values) {
    ProtoWriter out = new ProtoWriter(256);
    int resourceMetrics = out.begin(1);
    int scope = out.begin(2);
    int metric = out.begin(2);
    out.string(1, name);
    int gauge = out.begin(5);
    for (int i = 0; i < values.length; i++) {
      int point = out.begin(1);
      out.fixed64(3, at(at + i));
      out.float64(4, values[i]);
      attributes.forEach((key, value) -> attribute(out, 7, key, value));
      out.end(point);
    }
    out.end(gauge);
    out.end(metric);
    out.end(scope);
    out.end(resourceMetrics);
    send(Signal.METRICS, new Source.Otlp(Signal.METRICS), out.toBytes());
  }

  /** A request with metrics. */
  Receipt send(Points points) {
    return send(Signal.METRICS, new Source.Otlp(Signal.METRICS), points.build());
  }

  private static void attribute(ProtoWriter out, int field, String key, Object value) {
    int pair = out.begin(field);
    out.string(1, key);
    int any = out.begin(2);
    if (value instanceof Long number) {
      out.varint(3, number);
    } else {
      out.string(1, (String) value);
    }
    out.end(any);
    out.end(pair);
  }

  /** The process that sends, as a receiver decodes it. */
  static Origin origin(String instance) {
    TraceRequestBuilder any = new TraceRequestBuilder().resource();
    any.attribute("service.name", "trainer").attribute("service.instance.id", instance);
    byte[] bytes = any.span(1, 1, 1, 0, "any", T0, T0).build();
    try {
      return RequestDecoder.decode(Signal.TRACES, bytes, 0, T0).spans().get(0).origin();
    } catch (BadRequestException e) {
      throw new AssertionError(e);
    }
  }

  private Receipt send(Signal signal, Source source, byte[] protobuf) {
    byte[] bytes = new byte[Incoming.HEAD + protobuf.length];
    System.arraycopy(protobuf, 0, bytes, Incoming.HEAD, protobuf.length);
    try {
      var decoded = RequestDecoder.decode(signal, bytes, Incoming.HEAD, clock.get());
      return store
          .accept(new Incoming(source, signal, clock.get(), bytes, decoded))
          .toCompletableFuture()
          .join();
    } catch (BadRequestException e) {
      throw new AssertionError(e);
    }
  }
}
