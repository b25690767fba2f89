package io.rollscope.sdk;

/**
 * What could not be kept or sent since the process began.
 *
 * @param spans ends of spans, and late verdicts
 * @param starts records that a span has begun; its end may have been sent all the same
 * @param metrics points
 */
public record Dropped(long spans, long starts, long metrics) {
  static final Dropped NOTHING = new Dropped(0, 0, 0);

  long sum() {
    return spans + starts + metrics;
  }
}
