package io.rollscope.sdk;

import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.span.RecordedSpan;

/** A prompt, and the group of sessions that answer it. */
public final class Task extends Work<Task> {
  static final Task OFF = new Task();

  private Task() {}

  Task(RecordedSpan span, Context context, Recorder recorder) {
    super(span, context, recorder);
  }

  @Override
  Task self() {
    return this;
  }

  /** A session of this task, from any thread. */
  public Session session() {
    return session(null);
  }

  /** Likewise, with an id. */
  public Session session(String id) {
    return isOff() ? Session.OFF : recorder().session(id, context());
  }

  /** A phase of this task, from any thread, whatever is current there. */
  public Phase phase(String name) {
    return inside(name);
  }
}
