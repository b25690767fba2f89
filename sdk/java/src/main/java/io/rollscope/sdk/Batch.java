package io.rollscope.sdk;

import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.span.RecordedSpan;

/** One training step's worth of tasks and sessions. */
public final class Batch extends Work<Batch> {
  static final Batch OFF = new Batch();

  private Batch() {}

  Batch(RecordedSpan span, Context context, Recorder recorder) {
    super(span, context, recorder);
  }

  @Override
  Batch self() {
    return this;
  }

  /** A task of this batch, from any thread. */
  public Task task(String id) {
    return task(id, null);
  }

  /** Likewise, with a name. */
  public Task task(String id, String name) {
    return isOff() ? Task.OFF : recorder().task(id, name, context());
  }

  /** A session of this batch, from any thread. */
  public Session session() {
    return session(null);
  }

  /** Likewise, with an id. */
  public Session session(String id) {
    return isOff() ? Session.OFF : recorder().session(id, context());
  }

  /** A phase of this batch, from any thread, whatever is current there. */
  public Phase phase(String name) {
    return inside(name);
  }
}
