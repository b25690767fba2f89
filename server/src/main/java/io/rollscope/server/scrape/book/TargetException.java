package io.rollscope.server.scrape.book;

/** A target, or something asked of targets, that cannot be; the message says what was expected. */
public final class TargetException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What kind of no this is. */
  public enum Why {
    WRONG,
    UNKNOWN,
    ARCHIVED
  }

  private final Why why;

  private TargetException(Why why, String message) {
    super(message, null, false, false);
    this.why = why;
  }

  public static TargetException wrong(String what, Object value, String expected) {
    return new TargetException(Why.WRONG, what + ": " + value + " (expected: " + expected + ")");
  }

  /** With a message that says already what was expected. */
  static TargetException refused(String message) {
    return new TargetException(Why.WRONG, message);
  }

  static TargetException unknown(String what, Object value, String expected) {
    return new TargetException(Why.UNKNOWN, what + ": " + value + " (expected: " + expected + ")");
  }

  static TargetException archived(ExperimentId experiment) {
    return new TargetException(
        Why.ARCHIVED,
        "experiment: "
            + experiment
            + " is archived (expected: an active one; restore it with POST"
            + " /api/v1/experiments/restore before you register targets)");
  }

  public Why why() {
    return why;
  }
}
