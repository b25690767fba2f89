package io.rollscope.core.stats;

import java.util.Arrays;

/** Percentiles by linear interpolation at position (n-1)·p, as numpy and pandas do. */
public final class Percentiles {
  private Percentiles() {}

  /** Of sorted values; 0 for none. */
  public static double ofSorted(double[] sorted, int count, double p) {
    if (count == 0) {
      return 0;
    }
    double position = (count - 1) * p;
    int below = (int) position;
    if (below + 1 >= count) {
      return sorted[count - 1];
    }
    double weight = position - below;
    return sorted[below] + (sorted[below + 1] - sorted[below]) * weight;
  }

  /** Of sorted durations in nanoseconds, as seconds; 0 for none. */
  public static double secondsOfSorted(long[] sorted, int count, double p) {
    if (count == 0) {
      return 0;
    }
    double position = (count - 1) * p;
    int below = (int) position;
    if (below + 1 >= count) {
      return sorted[count - 1] / 1e9;
    }
    double weight = position - below;
    return (sorted[below] + (sorted[below + 1] - sorted[below]) * weight) / 1e9;
  }

  /** Of values in any order, which are left as they are. */
  public static double of(double[] values, double p) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return ofSorted(sorted, sorted.length, p);
  }
}
