package io.rollscope.core.time;

/**
 * Times and durations in integer nanoseconds.
 *
 * <p>Sources write seconds as decimal text that is read as a double. The double's exact value is
 * rounded half-even to nanoseconds; multiplying by 1e9 would round twice.
 */
public final class Nanos {

  /** End of a span that has not ended. */
  public static final long OPEN = Long.MAX_VALUE;

  /** A time or duration that the source did not give. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  /** Times beyond ± this are refused, so that differences of two times never overflow. */
  public static final long LIMIT = 1L << 62;

  private static final long PER_SECOND = 1_000_000_000L;

  private Nanos() {}

  /** Nanoseconds since the epoch by the clock of this machine. */
  public static long ofClock() {
    java.time.Instant now = java.time.Clock.systemUTC().instant();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  /**
   * The exact value of {@code seconds} in nanoseconds, rounded half-even.
   *
   * @return {@link #UNKNOWN} when not finite or beyond {@link #LIMIT}
   */
  public static long fromSeconds(double seconds) {
    long bits = Double.doubleToRawLongBits(seconds);
    int exponent = (int) (bits >>> 52) & 0x7ff;
    if (exponent == 0x7ff) {
      return UNKNOWN;
    }
    long mantissa = bits & 0xfffffffffffffL;
    if (exponent != 0) {
      mantissa |= 0x10000000000000L;
    } else {
      exponent = 1;
    }
    // |seconds| = mantissa * 2^(exponent - 1075); the product with 1e9 has at most 83 bits.
    long magnitude = scale(mantissa, exponent - 1075);
    if (magnitude == UNKNOWN) {
      return UNKNOWN;
    }
    return bits < 0 ? -magnitude : magnitude;
  }

  private static long scale(long mantissa, int exponent) {
    long high = Math.multiplyHigh(mantissa, PER_SECOND);
    long low = mantissa * PER_SECOND;
    if (exponent >= 0) {
      return mantissa == 0 ? 0 : UNKNOWN;
    }
    int shift = -exponent;
    if (shift > 84) {
      return 0;
    }
    long whole;
    long rest;
    long half;
    if (shift < 64) {
      if (high >>> shift != 0) {
        return UNKNOWN;
      }
      whole = (low >>> shift) | (high << (64 - shift));
      rest = low & ((1L << shift) - 1);
      half = 1L << (shift - 1);
      if (whole < 0 || whole > LIMIT) {
        return UNKNOWN;
      }
      int order = Long.compareUnsigned(rest, half);
      return order > 0 || (order == 0 && (whole & 1) == 1) ? whole + 1 : whole;
    }
    // The fraction now reaches into the high word.
    int highShift = shift - 64;
    whole = high >>> highShift;
    long highRest = high & ((1L << highShift) - 1);
    int order;
    if (highShift == 0) {
      order = Long.compareUnsigned(low, Long.MIN_VALUE);
    } else {
      half = 1L << (highShift - 1);
      order = Long.compare(highRest, half);
      if (order == 0 && low != 0) {
        order = 1;
      }
    }
    return order > 0 || (order == 0 && (whole & 1) == 1) ? whole + 1 : whole;
  }

  /** As a double, for people and JSON. */
  public static double toSeconds(long nanos) {
    return nanos / 1e9;
  }

  /** Length of [start, end], never negative. */
  public static long length(long start, long end) {
    return Math.max(0, end - start);
  }
}
