package io.rollscope.cli.demo;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporterBuilder;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One simulated process with an OpenTelemetry SDK of its own. What it adds to a plain SDK is three
 * log records: one when a span starts, one every ten seconds, and one when the process ends.
 */
final class OtelProcess {
  private static final int QUEUE = 8_192;

  /** Before the queue can be full, wait: nothing is dropped, so beats may say so. */
  private static final int UNSENT = QUEUE / 2;

  private static final long FLUSH_S = 10;
  private static final AttributeKey<String> NAME = AttributeKey.stringKey("rollscope.span.name");
  private static final AttributeKey<String> PARENT =
      AttributeKey.stringKey("rollscope.span.parent_id");

  private final SdkTracerProvider traces;
  private final SdkLoggerProvider logs;
  private final Tracer tracer;
  private final Logger logger;
  private final AtomicInteger open = new AtomicInteger();
  private int unsent;
  private boolean alive = true;

  /**
   * @param resource what is known of the process
   * @param server where {@code /v1/traces} and {@code /v1/logs} are
   * @param token what the server wants to see, or null
   */
  OtelProcess(Resource resource, URI server, String token) {
    OtlpHttpSpanExporterBuilder spans =
        OtlpHttpSpanExporter.builder().setEndpoint(server + "/v1/traces");
    OtlpHttpLogRecordExporterBuilder records =
        OtlpHttpLogRecordExporter.builder().setEndpoint(server + "/v1/logs");
    if (token != null) {
      spans.addHeader("Authorization", "Bearer " + token);
      records.addHeader("Authorization", "Bearer " + token);
    }
    traces =
        SdkTracerProvider.builder()
            .setResource(resource)
            .addSpanProcessor(
                BatchSpanProcessor.builder(spans.build())
                    .setMaxQueueSize(QUEUE)
                    .setScheduleDelay(500, TimeUnit.MILLISECONDS)
                    .build())
            .build();
    logs =
        SdkLoggerProvider.builder()
            .setResource(resource)
            .addLogRecordProcessor(
                BatchLogRecordProcessor.builder(records.build())
                    .setMaxQueueSize(QUEUE)
                    .setScheduleDelay(200, TimeUnit.MILLISECONDS)
                    .build())
            .build();
    tracer = traces.get("rollscope-demo");
    logger = logs.get("rollscope-demo");
  }

  boolean isAlive() {
    return alive;
  }

  /** Starts a span and says so at once, because a span itself is only told when it ends. */
  Span start(String name, Span parent, long startNs, Attributes attributes) {
    Span span = span(name, parent, startNs, attributes);
    open.incrementAndGet();
    Context context = Context.root().with(span);
    var start =
        logger
            .logRecordBuilder()
            .setEventName("rollscope.span.start")
            .setContext(context)
            .setTimestamp(startNs, TimeUnit.NANOSECONDS)
            .setAllAttributes(attributes)
            .setAttribute(NAME, name);
    if (parent != null) {
      start.setAttribute(PARENT, parent.getSpanContext().getSpanId());
    }
    start.emit();
    counted();
    return span;
  }

  void end(Span span, long endNs) {
    span.end(endNs, TimeUnit.NANOSECONDS);
    open.decrementAndGet();
    counted();
  }

  /** A span that is told only when it is over, as most instrumentation does. */
  void finished(String name, Span parent, long startNs, long endNs, Attributes attributes) {
    span(name, parent, startNs, attributes).end(endNs, TimeUnit.NANOSECONDS);
    counted();
  }

  private Span span(String name, Span parent, long startNs, Attributes attributes) {
    SpanBuilder builder =
        tracer
            .spanBuilder(name)
            .setStartTimestamp(startNs, TimeUnit.NANOSECONDS)
            .setAllAttributes(attributes);
    return (parent == null ? builder.setNoParent() : builder.setParent(Context.root().with(parent)))
        .startSpan();
  }

  /** What became of a session, said after its span has ended. */
  void verdict(Span session, long timeNs, Attributes attributes) {
    logger
        .logRecordBuilder()
        .setEventName("rollscope.session.final")
        .setContext(Context.root().with(session))
        .setTimestamp(timeNs, TimeUnit.NANOSECONDS)
        .setAllAttributes(attributes)
        .emit();
    counted();
  }

  /** Says that the process lives. */
  synchronized void beat() {
    if (alive) {
      sign("rollscope.beat");
    }
  }

  private void sign(String event) {
    logger
        .logRecordBuilder()
        .setEventName(event)
        .setTimestamp(System.currentTimeMillis(), TimeUnit.MILLISECONDS)
        .setAttribute(AttributeKey.longKey("rollscope.open_spans"), (long) open.get())
        .setAttribute(AttributeKey.longKey("rollscope.dropped.spans"), 0L)
        .setAttribute(AttributeKey.longKey("rollscope.dropped.starts"), 0L)
        .setAttribute(AttributeKey.longKey("rollscope.dropped.metrics"), 0L)
        .emit();
  }

  private void counted() {
    if (++unsent >= UNSENT) {
      unsent = 0;
      CompletableResultCode.ofAll(List.of(traces.forceFlush(), logs.forceFlush()))
          .join(FLUSH_S, TimeUnit.SECONDS);
    }
  }

  /** Ends as a process that is killed: without a word, open spans stay open. */
  synchronized void die() {
    alive = false;
    shutdown();
  }

  /** Ends in order. */
  synchronized CompletableResultCode end() {
    if (alive) {
      sign("rollscope.process.end");
    }
    alive = false;
    return shutdown();
  }

  private CompletableResultCode shutdown() {
    return CompletableResultCode.ofAll(List.of(traces.shutdown(), logs.shutdown()));
  }
}
