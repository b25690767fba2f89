package io.rollscope.store.sql;

import java.time.Duration;
import java.util.Optional;

/** A user's SQL got no answer, which is not the fault of its text. The message is for the user. */
public final class SqlUnavailableException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Duration retryAfter;

  SqlUnavailableException(String message) {
    this(message, null);
  }

  SqlUnavailableException(String message, Duration retryAfter) {
    super(message);
    this.retryAfter = retryAfter;
  }

  /** When to ask again, if that helps. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
