package io.rollscope.core.model;

import java.util.Locale;

/** How a span ended, or that it has not. */
public enum Outcome {
  /** It ended and nothing was reported to be wrong. */
  OK,
  /** It ended by an error. */
  ERROR,
  /** It was cancelled from outside; nobody's fault. */
  CANCELLED,
  /** It has started and not ended. */
  OPEN,
  /** It is open, and its process is known to be dead. */
  LOST;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The word used in reports and on the wire. */
  public String word() {
    return word;
  }

  /** Whether the span has not ended. */
  public boolean isOpen() {
    return this == OPEN || this == LOST;
  }
}
