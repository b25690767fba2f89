package io.rollscope.benchmarks.sdk;

import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Encodes what OpenTelemetry's SDK would send, as its own exporter does, counts it, and throws it
 * away: the same point at which ours is thrown away.
 */
final class CountingExporter implements SpanExporter {
  private final AtomicLong spans = new AtomicLong();

  long spans() {
    return spans.get();
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> some) {
    TraceRequestMarshaler request = TraceRequestMarshaler.create(some);
    try {
      request.writeBinaryTo(new ByteArrayOutputStream(request.getBinarySerializedSize()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    spans.addAndGet(some.size());
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode flush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }
}
