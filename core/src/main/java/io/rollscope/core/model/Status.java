package io.rollscope.core.model;

import java.util.Locale;

/** The life of a session. */
public enum Status {
  QUEUED,
  RUNNING,
  COMPLETED,
  ACCEPTED,
  REJECTED,
  FAILED,
  DROPPED,
  CANCELLED,
  LOST;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The word used in reports and on the wire. */
  public String word() {
    return word;
  }

  /** Whether the session may still do something: it is queued or running. */
  public boolean isUnfinished() {
    return this == QUEUED || this == RUNNING;
  }
}
