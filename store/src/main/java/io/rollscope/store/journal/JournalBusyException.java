package io.rollscope.store.journal;

import java.time.Duration;

/** More frames are waiting for the disk than the journal may hold; this one was never written. */
public final class JournalBusyException extends RetryableJournalException {
  public JournalBusyException(String message, Duration retryAfter) {
    super(message, null, retryAfter);
  }
}
