package io.rollscope.simulator;

import io.rollscope.core.model.Event;
import java.io.IOException;

/** Passes on so many session events. */
final class SessionEventLimit implements LimitedSink {
  private final Sink sink;
  private long limit;
  private long taken;

  SessionEventLimit(Sink sink, long limit) {
    this.sink = sink;
    this.limit = limit;
  }

  void limitTo(long newLimit) {
    limit = newLimit;
  }

  @Override
  public boolean isFull() {
    return taken >= limit;
  }

  @Override
  public long taken() {
    return taken;
  }

  @Override
  public void session(long pid, Event event) throws IOException {
    if (taken < limit) {
      taken++;
      sink.session(pid, event);
    }
  }

  @Override
  public void training(TrainingSpan span) throws IOException {
    sink.training(span);
  }
}
