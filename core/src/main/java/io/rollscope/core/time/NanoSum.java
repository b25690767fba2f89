package io.rollscope.core.time;

import java.math.BigInteger;

/** An exact sum of durations that cannot overflow, whatever is added. */
public final class NanoSum {
  private long high;
  private long low;

  /** Adds a duration that is not negative. */
  public void add(long nanos) {
    long sum = low + nanos;
    if (Long.compareUnsigned(sum, low) < 0) {
      high++;
    }
    low = sum;
  }

  /** Adds a duration several times; neither is negative. */
  public void add(long nanos, int times) {
    high += Math.multiplyHigh(nanos, times);
    add(nanos * times);
  }

  /** Adds another sum. */
  public void add(NanoSum other) {
    add(other.low);
    high += other.high;
  }

  /** Takes away a duration that was added before. */
  public void subtract(long nanos) {
    if (Long.compareUnsigned(low, nanos) < 0) {
      high--;
    }
    low -= nanos;
  }

  /** Takes away a sum that was added before. */
  public void subtract(NanoSum other) {
    subtract(other.low);
    high -= other.high;
  }

  /** Adds a sum that is not negative. */
  public void add(BigInteger nanos) {
    add(nanos.longValue());
    high += nanos.shiftRight(Long.SIZE).longValue();
  }

  /** Whether this sum is greater than another. */
  public boolean exceeds(NanoSum other) {
    return high > other.high || (high == other.high && Long.compareUnsigned(low, other.low) > 0);
  }

  /** The sum in seconds. */
  public double seconds() {
    double lowPart = (low >>> 1) * 2.0 + (low & 1);
    return (high * 0x1p64 + lowPart) / 1e9;
  }

  /** The sum in nanoseconds; only for sums known to fit, such as one session's time. */
  public long exact() {
    if (high != 0 || low < 0) {
      throw new ArithmeticException("sum does not fit in 63 bits");
    }
    return low;
  }
}
