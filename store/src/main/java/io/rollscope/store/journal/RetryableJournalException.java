package io.rollscope.store.journal;

import java.io.IOException;
import java.time.Duration;

/** The frame is not acknowledged; the same frame may be sent again after a while. */
public abstract sealed class RetryableJournalException extends IOException
    permits JournalBusyException, JournalFailedException {
  private final Duration retryAfter;

  RetryableJournalException(String message, Throwable cause, Duration retryAfter) {
    super(message, cause);
    this.retryAfter = retryAfter;
  }

  /** When to try again. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
