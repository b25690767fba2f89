package io.rollscope.sdk.internal.span;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds how much long text waits in memory; short text is bounded by the number of spans. */
public final class TextBudget {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  public TextBudget(long limit) {
    this.limit = limit;
  }

  boolean reserve(int characters) {
    if (used.addAndGet(characters) <= limit) {
      return true;
    }
    used.addAndGet(-characters);
    return false;
  }

  void release(int characters) {
    used.addAndGet(-characters);
  }
}
