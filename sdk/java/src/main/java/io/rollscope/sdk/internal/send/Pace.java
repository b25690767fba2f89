package io.rollscope.sdk.internal.send;

import java.time.Duration;

/** How often things are sent, and how long is waited after a failure. */
public record Pace(
    Duration flush, Duration beat, Duration metrics, Duration firstRetry, Duration lastRetry) {
  public static final Pace USUAL =
      new Pace(
          Duration.ofMillis(500),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          Duration.ofMillis(500),
          Duration.ofSeconds(30));
}
