package io.rollscope.server;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps spans that ended, so that a test can export them when it likes. */
final class CapturedSpans implements SpanProcessor {
  private final List<SpanData> ended = new CopyOnWriteArrayList<>();

  List<SpanData> ended() {
    return ended;
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {}

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    ended.add(span.toSpanData());
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }
}
