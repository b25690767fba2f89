package io.rollscope.sdk;

import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.span.RecordedSpan;

/** A prompt, and the group of sessions that answer it. */
public final class Task extends Work<Task> {
  static final Task OFF = new Task();

  private Task() {}

  Task(RecordedSpan span, Context context) {
    super(span, context);
  }

  @Override
  Task self() {
    return this;
  }
}
