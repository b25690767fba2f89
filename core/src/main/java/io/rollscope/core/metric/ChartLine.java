package io.rollscope.core.metric;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;

/** One line while it is made: what is at which place. */
final class ChartLine {
  private final String name;
  private final Map<String, String> labels;
  private final MetricSeries like;
  private final NavigableMap<Long, double[]> points = new TreeMap<>();
  private final NavigableSet<Long> ends = new java.util.TreeSet<>();

  ChartLine(String name, Map<String, String> labels, MetricSeries like) {
    this.name = name;
    this.labels = labels;
    this.like = like;
  }

  void put(long place, double y, double min, double max) {
    if (Double.isFinite(y)) {
      points.put(place, new double[] {y, min, max});
    }
  }

  /** The series ended there: the line does not go on to the next point. */
  void end(long place) {
    ends.add(place);
  }

  /** Goes straight through places that have no point because points are rare. */
  void fill(long reach) {
    NavigableMap<Long, double[]> between = new TreeMap<>();
    Map.Entry<Long, double[]> before = null;
    for (Map.Entry<Long, double[]> point : points.entrySet()) {
      if (before != null) {
        long gap = point.getKey() - before.getKey();
        boolean ended = !ends.subSet(before.getKey(), point.getKey()).isEmpty();
        for (long i = 1; i < gap && gap <= reach && !ended; i++) {
          double share = (double) i / gap;
          double[] a = before.getValue();
          double[] b = point.getValue();
          double[] mean = new double[a.length];
          Arrays.setAll(mean, k -> a[k] + share * (b[k] - a[k]));
          between.put(before.getKey() + i, mean);
        }
      }
      before = point;
    }
    points.putAll(between);
  }

  void places(NavigableSet<Long> all) {
    all.addAll(points.keySet());
    for (long end : ends) { // A gap needs a place to be at.
      if (!points.isEmpty() && end + 1 < points.lastKey() && !points.containsKey(end + 1)) {
        all.add(end + 1);
      }
    }
  }

  /** Ten digits: nobody sees more in a chart, and means have seventeen. */
  private static double rounded(double value) {
    if (value == 0 || !Double.isFinite(value) || value == Math.rint(value)) {
      return value;
    }
    double scale = Math.pow(10, 9 - Math.floor(Math.log10(Math.abs(value))));
    double rounded = Math.rint(value * scale) / scale;
    return Double.isFinite(rounded) ? rounded : value;
  }

  ChartReport.Line at(NavigableSet<Long> places) {
    double[][] columns = new double[3][places.size()];
    int i = 0;
    for (long place : places) {
      double[] point = points.get(place);
      for (int c = 0; c < columns.length; c++) {
        columns[c][i] = point == null ? Double.NaN : rounded(point[c]);
      }
      i++;
    }
    return new ChartReport.Line(
        name, labels, like.kind, like.identity.unit(), columns[0], columns[1], columns[2]);
  }
}
