package io.rollscope.core.stats;

import io.rollscope.core.time.NanoSum;
import java.util.Arrays;

/** Durations collected for exact percentiles. */
public final class Durations {
  private long[] values = new long[16];
  private int count;
  private boolean sorted = true;
  private final NanoSum sum = new NanoSum();

  public void add(long nanos) {
    if (count == values.length) {
      values = Arrays.copyOf(values, count + (count >> 1));
    }
    values[count++] = nanos;
    sorted = false;
    sum.add(nanos);
  }

  public void addAll(Durations other) {
    if (count + other.count > values.length) {
      values = Arrays.copyOf(values, Math.max(count + other.count, count + (count >> 1)));
    }
    System.arraycopy(other.values, 0, values, count, other.count);
    count += other.count;
    sorted = other.count == 0 && sorted;
    sum.add(other.sum);
  }

  public int count() {
    return count;
  }

  public double totalSeconds() {
    return sum.seconds();
  }

  public double meanSeconds() {
    return count == 0 ? 0 : sum.seconds() / count;
  }

  /** Percentile in seconds; {@code p} from 0 (least) to 1 (greatest). */
  public double seconds(double p) {
    if (!sorted) {
      Arrays.sort(values, 0, count);
      sorted = true;
    }
    return Percentiles.secondsOfSorted(values, count, p);
  }

  /** The usual summary; null for no values. */
  public Summary summary() {
    if (count == 0) {
      return null;
    }
    return new Summary(
        count,
        meanSeconds(),
        seconds(0),
        seconds(1),
        seconds(.25),
        seconds(.5),
        seconds(.75),
        seconds(.9),
        seconds(.95),
        seconds(.99));
  }

  /** Distribution of a metric; of durations in seconds. */
  public record Summary(
      int count,
      double mean,
      double min,
      double max,
      double p25,
      double p50,
      double p75,
      double p90,
      double p95,
      double p99) {}
}
