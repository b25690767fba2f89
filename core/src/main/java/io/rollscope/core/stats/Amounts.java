package io.rollscope.core.stats;

import io.rollscope.core.stats.Durations.Summary;
import java.util.Arrays;

/** Numbers of any kind (rewards, tokens) collected for exact percentiles. */
public final class Amounts {
  private double[] values = new double[16];
  private int count;

  public void add(double value) {
    if (count == values.length) {
      values = Arrays.copyOf(values, count + (count >> 1));
    }
    values[count++] = value;
  }

  public void addAll(Amounts other) {
    for (int i = 0; i < other.count; i++) {
      add(other.values[i]);
    }
  }

  /** The usual summary of one number at least; in whatever order they came. */
  public Summary summary() {
    double[] sorted = Arrays.copyOf(values, count);
    Arrays.sort(sorted);
    return new Summary(
        count,
        Arrays.stream(sorted).average().orElseThrow(),
        sorted[0],
        sorted[count - 1],
        Percentiles.ofSorted(sorted, .25),
        Percentiles.ofSorted(sorted, .5),
        Percentiles.ofSorted(sorted, .75),
        Percentiles.ofSorted(sorted, .9),
        Percentiles.ofSorted(sorted, .95),
        Percentiles.ofSorted(sorted, .99));
  }
}
