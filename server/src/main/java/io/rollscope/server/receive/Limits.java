package io.rollscope.server.receive;

import io.rollscope.server.receive.Refusal.Why;
import java.time.Duration;

/**
 * What a receiver takes. Why each limit is what it is stands in docs/decisions; {@link
 * io.rollscope.otlp.ElementLimits} bounds what is in a request.
 *
 * @param message most bytes of a request, before and after decompression
 * @param drained most bytes of a refused request that are read and thrown away, so that the sender
 *     gets to see the answer
 * @param slowAfter how long a body may take for some bytes
 */
public record Limits(int message, long drained, Duration slowAfter) {
  static final Duration RETRY_SOON = Duration.ofSeconds(1);

  /** A request of at most so many bytes never waits for a larger one. */
  static final int SMALL = 1 << 20;

  /** Most bytes that one compressed byte may become, beyond {@link #ANY_RATIO}. */
  static final int MAX_RATIO = 200;

  /** So many bytes a body may become however small it was. */
  static final int ANY_RATIO = 8 << 20;

  /** Members of a gzip body; parallel compressors make one per 64 kB or so. */
  static final int MAX_GZIP_MEMBERS = 10_000;

  /** Less than that in {@link #slowAfter} is too slow. */
  static final int SLOW_BYTES = 5_000;

  /** OpenTelemetry's recommendation. */
  public static final Limits DEFAULT = new Limits(64 << 20, 256L << 20, Duration.ofSeconds(10));

  /** For bodies that hold a message and a little more. */
  Limits plus(int more) {
    return new Limits(message + more, drained, slowAfter);
  }

  /** With messages no larger than that: others would never find room. */
  public Limits within(long room) {
    return new Limits((int) Math.min(message, room), drained, slowAfter);
  }

  /** The same for bodies that may take so long. */
  public Limits slowAfter(Duration patience) {
    return new Limits(message, drained, patience);
  }

  /** Most bytes that so many compressed ones may become. */
  int decompressed(int compressed) {
    return (int) Math.min(message, Math.max(ANY_RATIO, (long) MAX_RATIO * compressed));
  }

  Refusal tooMuchDecompressed(int compressed) {
    if (decompressed(compressed) == message) {
      return tooLarge("decompressed body");
    }
    return Refusal.of(
        Why.TOO_LARGE,
        "decompressed body: more than "
            + decompressed(compressed)
            + " bytes of "
            + compressed
            + " compressed ones (expected: at most "
            + MAX_RATIO
            + " times as many, or "
            + ANY_RATIO
            + ")");
  }

  Refusal tooLarge(String what) {
    return Refusal.of(
        Why.TOO_LARGE, what + ": more than " + message + " bytes (expected: at most that)");
  }

  Refusal tooSlow() {
    return Refusal.of(
        Why.TOO_SLOW,
        "body: less than "
            + SLOW_BYTES
            + " bytes in "
            + slowAfter.toSeconds()
            + " s (expected: at least that, until its end)");
  }

  Refusal noRoom() {
    return Refusal.later(
        Why.BUSY,
        "requests in flight: too many bytes (expected: a retry after a moment)",
        RETRY_SOON);
  }
}
