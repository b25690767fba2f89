package io.rollscope.core.session;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import java.util.Locale;
import java.util.Map;

/** Where a session stands: the first rule that applies (contracts.md 4.1, 4.2). */
public final class SessionStatus {
  private static final Map<String, Status> SOURCE_WORDS =
      Map.ofEntries(
          Map.entry("completed", Status.COMPLETED),
          Map.entry("archived", Status.COMPLETED),
          Map.entry("failed", Status.FAILED),
          Map.entry("aborted", Status.CANCELLED),
          Map.entry("expired", Status.DROPPED),
          Map.entry("filtered", Status.REJECTED),
          Map.entry("accepted", Status.ACCEPTED),
          Map.entry("rejected", Status.REJECTED),
          Map.entry("dropped", Status.DROPPED),
          Map.entry("cancelled", Status.CANCELLED),
          Map.entry("lost", Status.LOST));

  private SessionStatus() {}

  /** The status a source's word stands for, or null when it decides nothing. */
  public static Status ofWord(String word) {
    return word == null ? null : SOURCE_WORDS.get(word);
  }

  /** The status a verdict names; null for none or an unknown one. */
  public static Status ofVerdict(String word) {
    if (word == null) {
      return null;
    }
    try {
      return Status.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * @param verdict what was decided, or null
   * @param open how many of its spans have not ended
   * @param lost how many of these are lost
   * @param closed its status if none is open
   */
  public static Status of(Status verdict, int open, int lost, Status closed) {
    if (verdict != null) {
      return verdict;
    }
    if (open > 0) {
      return lost == open ? Status.LOST : Status.RUNNING;
    }
    return closed;
  }

  /**
   * The status of a session of which nothing is open and that nobody decided on.
   *
   * @param word the source's own, or null
   * @param last how its last span ended, or null
   * @param rootClosed whether its root has ended, where the source records parents
   */
  public static Status whenClosed(String word, Outcome last, boolean rootClosed) {
    Status said = ofWord(word);
    if (said != null) {
      return said;
    }
    if (last == Outcome.ERROR) {
      return Status.FAILED;
    }
    if (last == Outcome.CANCELLED) {
      return Status.CANCELLED;
    }
    return rootClosed ? Status.COMPLETED : Status.QUEUED;
  }
}
