package io.rollscope.core.session;

/** What was decided on a session apart from its spans; of several the newest holds (3.4). */
public interface SessionVerdict {
  long timeNs();

  /** As it was written. */
  String status();

  /** The source's own word, or null. */
  String sourceStatus();

  /** Why, or null. */
  String reason();

  /** Whether it holds against another of the same session, whichever came first. */
  default boolean holdsAgainst(SessionVerdict other) {
    if (other == null || timeNs() != other.timeNs()) {
      return other == null || timeNs() > other.timeNs();
    }
    int byStatus = status().compareTo(other.status());
    return byStatus != 0
        ? byStatus > 0
        : String.valueOf(reason()).compareTo(String.valueOf(other.reason())) >= 0;
  }
}
