package io.rollscope.store.metric;

import io.rollscope.otlp.record.MetricPoint;
import java.util.Arrays;

/**
 * Histograms in the buckets of others. A bucket goes whole into the first one that it does not
 * exceed, so that what is said to be below a bound is.
 */
final class Rebucketing {
  /** Buckets that exponential histograms are shown in: 1, 2.5, 5 of each power of ten. */
  static final double[] STANDARD = standard();

  private Rebucketing() {}

  private static double[] standard() {
    double[] bounds = new double[31];
    String[] digits = {"1", "2.5", "5"};
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = Double.parseDouble(digits[i % 3] + "e" + (i / 3 - 4));
    }
    return bounds;
  }

  static void add(MetricPoint point, double[] bounds, long[] buckets) {
    MetricPoint.Exponential wide = point.exponential();
    if (wide != null) {
      addExponential(point, wide, bounds, buckets);
    } else if (Arrays.equals(point.bounds(), bounds)) {
      for (int i = 0; i < point.counts().length; i++) {
        buckets[i] += point.counts()[i];
      }
    } else if (point.counts() == null || point.counts().length == 0) {
      buckets[buckets.length - 1] += point.count();
    } else {
      add(point.bounds(), point.counts(), bounds, buckets);
    }
  }

  /** Adds counts that are in buckets with bounds of their own. */
  static void add(double[] from, long[] counts, double[] bounds, long[] buckets) {
    for (int i = 0; i < counts.length; i++) {
      put(i == from.length ? Double.POSITIVE_INFINITY : from[i], counts[i], bounds, buckets);
    }
  }

  private static void addExponential(
      MetricPoint point, MetricPoint.Exponential wide, double[] bounds, long[] buckets) {
    put(wide.zeroThreshold(), wide.zeroCount(), bounds, buckets);
    for (int i = 0; i < point.counts().length; i++) {
      put(upper(wide.scale(), wide.offset() + i), point.counts()[i], bounds, buckets);
    }
    for (int i = 0; i < wide.negativeCounts().length; i++) {
      double below = -upper(wide.scale(), wide.negativeOffset() + i - 1);
      put(below, wide.negativeCounts()[i], bounds, buckets);
    }
  }

  /** The upper bound of a bucket of an exponential histogram. */
  static double upper(int scale, int index) {
    return Math.pow(2, (index + 1) * Math.pow(2, -scale));
  }

  private static void put(double upper, long count, double[] bounds, long[] buckets) {
    if (count != 0) {
      int at = Arrays.binarySearch(bounds, upper * (1 - 1e-12));
      int exact = Arrays.binarySearch(bounds, upper);
      buckets[exact >= 0 ? exact : at >= 0 ? at : -at - 1] += count;
    }
  }
}
