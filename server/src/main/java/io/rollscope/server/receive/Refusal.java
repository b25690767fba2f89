package io.rollscope.server.receive;

import java.time.Duration;

/**
 * Why a request is not acknowledged, in the words of both protocols.
 *
 * @param retryAfter when to try again, or null when that is no use
 */
public record Refusal(Why why, String message, Duration retryAfter) {
  /** What went wrong. */
  public enum Why {
    MALFORMED(400, 3),
    UNAUTHENTICATED(401, 16),
    FORBIDDEN(403, 7),
    NOT_FOUND(404, 12),
    WRONG_METHOD(405, 12),
    TOO_SLOW(408, 4),
    TOO_LARGE(413, 8),
    UNSUPPORTED(415, 12),
    MISDIRECTED(421, 7),
    BUSY(429, 14),
    BROKEN(500, 13),
    FAILING(503, 14);

    private final int httpStatus;
    private final int grpcStatus;

    Why(int httpStatus, int grpcStatus) {
      this.httpStatus = httpStatus;
      this.grpcStatus = grpcStatus;
    }

    public int httpStatus() {
      return httpStatus;
    }

    public int grpcStatus() {
      return grpcStatus;
    }
  }

  public static Refusal of(Why why, String message) {
    return new Refusal(why, message, null);
  }

  public static Refusal later(Why why, String message, Duration retryAfter) {
    return new Refusal(why, message, retryAfter);
  }

  /** For {@code Retry-After}, which counts whole seconds. */
  long retryAfterSeconds() {
    return Math.max(1, (retryAfter.toMillis() + 999) / 1000);
  }
}
