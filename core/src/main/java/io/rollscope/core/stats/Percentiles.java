package io.rollscope.core.stats;

/** Percentiles by linear interpolation at position (n-1)·p, as numpy and pandas do. */
public final class Percentiles {
  private Percentiles() {}

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

  /** Of sorted numbers, at least one. */
  public static double ofSorted(double[] sorted, double p) {
    double position = (sorted.length - 1) * p;
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
  }
}
