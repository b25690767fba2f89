package io.rollscope.server.scrape.text;

/**
 * One line of an exposition.
 *
 * @param name with its suffix: {@code latency_bucket}
 * @param timeNs what the line itself says, in nanoseconds since the epoch; {@link #NOW} as a rule
 */
public record Sample(String name, Labels labels, double value, long timeNs) {
  /** The time of the scrape. */
  public static final long NOW = Long.MIN_VALUE;
}
