package io.rollscope.core.metric;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeSet;

/** A histogram over an axis. */
final class ChartHeatmap {
  private static final int MOST_BOUNDS = 100;

  private ChartHeatmap() {}

  static ChartReport.Heatmap of(HistogramLines lines, NavigableSet<Long> places) {
    NavigableSet<Double> all = new TreeSet<>();
    List<NavigableMap<Double, Double>> columns = new ArrayList<>();
    for (long place : places) {
      NavigableMap<Double, Double> column = lines.all(place).byUpperBound();
      columns.add(column);
      all.addAll(column.keySet());
    }
    NavigableSet<Double> bounds = fewer(all);
    List<double[]> counts = new ArrayList<>();
    for (NavigableMap<Double, Double> column : columns) {
      double[] row = new double[bounds.size()];
      column.forEach((upper, count) -> row[bounds.headSet(bounds.ceiling(upper)).size()] += count);
      counts.add(row);
    }
    return new ChartReport.Heatmap(
        bounds.stream().mapToDouble(Double::doubleValue).toArray(), counts);
  }

  /** Every so manieth, and the last. */
  private static NavigableSet<Double> fewer(NavigableSet<Double> all) {
    int every = (all.size() + MOST_BOUNDS - 1) / MOST_BOUNDS;
    if (every <= 1) {
      return all;
    }
    NavigableSet<Double> fewer = new TreeSet<>();
    int i = 0;
    for (double bound : all.descendingSet()) {
      if (i++ % every == 0) {
        fewer.add(bound);
      }
    }
    return fewer;
  }
}
