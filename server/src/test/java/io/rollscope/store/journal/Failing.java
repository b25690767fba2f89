package io.rollscope.store.journal;

import java.io.IOException;
import java.time.Duration;

/** What the journal fails with, made without a failing disk. */
public final class Failing {
  private Failing() {}

  public static RetryableJournalException busy(Duration retryAfter) {
    return new JournalBusyException("journal: full (expected: room)", retryAfter);
  }

  public static RetryableJournalException disk(Duration retryAfter) {
    return new JournalFailedException(
        "journal: disk full (expected: room)", new IOException("No space left"), retryAfter);
  }
}
