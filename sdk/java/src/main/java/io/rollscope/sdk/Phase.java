package io.rollscope.sdk;

import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.span.RecordedSpan;

/** A piece of work with a name, like {@code generate} or {@code reward}, in a session or not. */
public final class Phase extends Work<Phase> {
  static final Phase OFF = new Phase();

  private Phase() {}

  Phase(RecordedSpan span, Context context) {
    super(span, context);
  }

  @Override
  Phase self() {
    return this;
  }

  /** Its inside is over for this thread, but it goes on. */
  void leave() {
    if (!isOff()) {
      recorded().detach();
    }
  }
}
