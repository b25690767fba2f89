package io.rollscope.core.session;

import io.rollscope.core.time.Nanos;

/**
 * What was decided on a session, or got known of it, apart from its spans; of several decisions the
 * newest holds (contracts.md 3.4).
 */
public interface SessionVerdict {
  long timeNs();

  /** As it was written; null if nothing was decided. */
  String status();

  /** The source's own word, or null. */
  String sourceStatus();

  /** Why, or null. */
  String reason();

  /** When it was decided, or {@link Nanos#UNKNOWN}: what only got known later is no event. */
  default long decidedNs() {
    return status() == null ? Nanos.UNKNOWN : timeNs();
  }

  /** What it earned and used, as far as that was reported later. */
  LateFacts lateFacts();

  /** Whether its decision holds against that of another, whichever came first. */
  default boolean holdsAgainst(SessionVerdict other) {
    if (other != null && (status() == null || other.status() == null)) {
      boolean both = status() == null && other.status() == null;
      return both ? timeNs() >= other.timeNs() : status() != null;
    }
    if (other == null || timeNs() != other.timeNs()) {
      return other == null || timeNs() > other.timeNs();
    }
    int byStatus = status().compareTo(other.status());
    return byStatus != 0
        ? byStatus > 0
        : String.valueOf(reason()).compareTo(String.valueOf(other.reason())) >= 0;
  }
}
