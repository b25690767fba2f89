package io.rollscope.core.accounting;

/** Is told where the time of a session went, piece by piece. */
@FunctionalInterface
public interface Pieces {
  /** The wait before the session's first span. */
  int QUEUE = -1;

  /** A wait between two spans. */
  int GAP = -2;

  /** The wait after the last span of a finalised session. */
  int BARRIER = -3;

  /** The time after the last span, for no known reason. */
  int UNACCOUNTED = -4;

  /** The wait for others of the group, inside a span that had nothing else to do. */
  int SIBLINGS = -5;

  /** Word for a wait. */
  static String word(int wait) {
    return switch (wait) {
      case QUEUE -> "queue";
      case GAP -> "gap";
      case BARRIER -> "barrier";
      case UNACCOUNTED -> "unaccounted";
      case SIBLINGS -> "siblings";
      default -> throw new IllegalArgumentException("wait: " + wait);
    };
  }

  /**
   * The time from {@code from} to {@code to}, never empty, belongs to one span or wait. Pieces do
   * not overlap and cover the window; they come in no promised order.
   *
   * @param leaf number of the span, or the wait
   */
  void piece(int leaf, long from, long to);
}
