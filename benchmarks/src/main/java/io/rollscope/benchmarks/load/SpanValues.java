package io.rollscope.benchmarks.load;

/**
 * The changing values of one span, all of them computed from the number of its session: a session
 * that is cut by the end of a batch goes on with the same ids in the next.
 */
final class SpanValues {
  /** Tokens and steps have four digits, so that every encoding of them has one width. */
  static final int FOUR_DIGITS = 1_000;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long SECOND = 1_000_000_000L;
  private static final long SHORTEST = 110 * SECOND;
  private static final long LONGEST = 240 * SECOND;

  private final long seed;
  private final Calendar calendar;

  long traceHigh;
  long traceLow;
  long spanId;
  long parentId;
  long startNs;
  long endNs;
  long requestHigh;
  long requestLow;
  int step;
  int inputTokens;
  int outputTokens;

  /** Millionths of a second, six digits. */
  int firstToken;

  /**
   * When sessions happen and what they belong to.
   *
   * @param sessionsPerStep how many sessions a training step has
   * @param steps how many steps there are before they repeat
   * @param startNs end of session 0; 0 if every session ends when it is sent
   * @param spacingNs from the end of one session to the end of the next
   */
  record Calendar(int sessionsPerStep, int steps, long startNs, long spacingNs) {
    long endOf(long session, long nowNs) {
      return startNs == 0 ? nowNs : startNs + session * spacingNs;
    }

    int stepOf(long session) {
      return FOUR_DIGITS + (int) (session / sessionsPerStep % steps);
    }
  }

  SpanValues(long seed, Calendar calendar) {
    this.seed = seed;
    this.calendar = calendar;
  }

  /**
   * Takes the values of one span.
   *
   * @param nowNs when the session is sent, the same for all of its spans
   */
  void take(long session, SessionSpan span, long nowNs) {
    traceHigh = random(1, session);
    traceLow = random(2, session);
    long number = session * SessionSpan.COUNT;
    spanId = random(3, number + span.ordinal());
    parentId = span.parent() == null ? 0 : random(3, number + span.parent().ordinal());
    requestHigh = random(4, number + span.ordinal());
    requestLow = random(5, number + span.ordinal());
    long bits = random(6, number + span.ordinal());
    inputTokens = FOUR_DIGITS + (int) ((bits & 0xffff) % 9_000);
    outputTokens = FOUR_DIGITS + (int) ((bits >>> 16 & 0xffff) % 9_000);
    firstToken = 100_000 + (int) ((bits >>> 32) % 900_000);
    step = calendar.stepOf(session);
    long jitter = random(7, session) >>> 1;
    long duration = SHORTEST + jitter % (LONGEST - SHORTEST);
    long sessionStart = calendar.endOf(session, nowNs) - duration;
    startNs = sessionStart + duration / 1024 * span.from() + requestHigh % SECOND / 2 + SECOND / 2;
    endNs = sessionStart + duration / 1024 * span.to() - requestLow % SECOND / 2 - SECOND / 2;
  }

  /** The id of a session's trace, as text. */
  String trace(long session) {
    return String.format("%016x%016x", random(1, session), random(2, session));
  }

  private long random(long kind, long number) {
    long z = seed + GOLDEN * (number * 8 + kind);
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
