package io.rollscope.sdk;

import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.span.RecordedSpan;

/** A piece of work with a name, like {@code generate} or {@code reward}, in a session or not. */
public final class Phase extends Work<Phase> {
  static final Phase OFF = new Phase();

  private Phase() {}

  Phase(RecordedSpan span, Context context, Recorder recorder) {
    super(span, context, recorder);
  }

  @Override
  Phase self() {
    return this;
  }

  /** A phase below this one, from any thread, whatever is current there; also when it has ended. */
  public Phase child(String name) {
    return inside(name);
  }

  /** How many tokens the model read and wrote. A session has the sum of its calls. */
  public Phase tokens(long input, long output) {
    if (!isOff()) {
      recorder().setTokens(recorded(), input, output);
    }
    return this;
  }

  /** Its inside is over for this thread, but it goes on. */
  void leave() {
    if (!isOff()) {
      recorded().detach();
    }
  }
}
