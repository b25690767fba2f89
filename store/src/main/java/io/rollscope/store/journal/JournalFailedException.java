package io.rollscope.store.journal;

import java.time.Duration;

/** The disk failed. The frame may or may not be found after a restart. */
public final class JournalFailedException extends RetryableJournalException {
  JournalFailedException(String message, Throwable cause, Duration retryAfter) {
    super(message, cause, retryAfter);
  }
}
