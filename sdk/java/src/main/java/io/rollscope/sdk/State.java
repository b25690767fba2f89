package io.rollscope.sdk;

import io.rollscope.sdk.internal.Lanes;
import io.rollscope.sdk.internal.span.RecordedSpan;

/** What a lane, like a trainer, is doing; apart from sessions. */
public final class State extends Work<State> {
  static final State OFF = new State();

  private final Lanes lanes;
  private final Lanes.Entry entry;

  private State() {
    lanes = null;
    entry = null;
  }

  State(RecordedSpan span, Lanes lanes, Lanes.Entry entry, Recorder recorder) {
    super(span, null, recorder);
    this.lanes = lanes;
    this.entry = entry;
  }

  @Override
  State self() {
    return this;
  }

  @Override
  public void close() {
    super.close();
    if (lanes != null) {
      lanes.leave(entry);
    }
  }
}
