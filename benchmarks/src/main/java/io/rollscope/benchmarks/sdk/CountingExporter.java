package io.rollscope.benchmarks.sdk;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what OpenTelemetry's SDK would send, and throws it away before it is encoded. */
final class CountingExporter implements SpanExporter {
  private final AtomicLong spans = new AtomicLong();

  long spans() {
    return spans.get();
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> some) {
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
