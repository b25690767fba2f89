package io.rollscope.sdk;

import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.span.RecordedSpan;

/** One training step's worth of tasks and sessions. */
public final class Batch extends Work<Batch> {
  static final Batch OFF = new Batch();

  private Batch() {}

  Batch(RecordedSpan span, Context context) {
    super(span, context);
  }

  @Override
  Batch self() {
    return this;
  }
}
