package io.rollscope.server.receive;

import io.rollscope.server.receive.Refusal.Why;
import java.time.Duration;

/**
 * What a receiver takes.
 *
 * @param message most bytes of a request, before and after decompression
 * @param drained most bytes of a refused request that are read and thrown away, so that the sender
 *     gets to see the answer
 */
public record Limits(int message, long drained) {
  static final Duration RETRY_SOON = Duration.ofSeconds(1);

  /** OpenTelemetry's recommendation. */
  public static final Limits DEFAULT = new Limits(64 << 20, 256L << 20);

  /** For bodies that hold a message and a little more. */
  Limits plus(int more) {
    return new Limits(message + more, drained);
  }

  Refusal tooLarge(String what) {
    return Refusal.of(
        Why.TOO_LARGE, what + ": more than " + message + " bytes (expected: at most that)");
  }

  Refusal noRoom() {
    return Refusal.later(
        Why.BUSY,
        "requests in flight: too many bytes (expected: a retry after a moment)",
        RETRY_SOON);
  }
}
