package io.rollscope.core.metric;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** How many observations lie in which bucket, whatever buckets they came in. */
public final class Observations {
  private static final class Bucket {
    final double lower;
    double count;

    Bucket(double lower) {
      this.lower = lower;
    }
  }

  /** By upper bound. */
  private final NavigableMap<Double, Bucket> buckets = new TreeMap<>();

  private double count;
  private double sum;

  private void add(double lower, double upper, double observations) {
    if (observations > 0) {
      buckets.computeIfAbsent(upper, u -> new Bucket(lower)).count += observations;
    }
  }

  /**
   * A bucket between two bounds.
   *
   * @param lower NaN for the first one
   * @param upper NaN for the last one
   */
  public void addBucket(double lower, double upper, double observations) {
    double to = Double.isNaN(upper) ? Double.POSITIVE_INFINITY : upper;
    double from = Double.isNaN(lower) ? (to > 0 ? 0 : Double.NEGATIVE_INFINITY) : lower;
    add(from, to, observations);
  }

  /** A bucket of an exponential histogram, below zero or above. */
  public void addExponential(int scale, int index, boolean negative, double observations) {
    double upper = Math.pow(2, (index + 1) * Math.pow(2, -scale));
    double lower = Math.pow(2, index * Math.pow(2, -scale));
    add(negative ? -upper : lower, negative ? -lower : upper, observations);
  }

  /** What is as near to zero as that. */
  public void addZeros(double threshold, double observations) {
    add(-threshold, threshold, observations);
  }

  public void addTotals(double observations, double total) {
    count += observations;
    sum += total;
  }

  /** The place and the bounds of a cumulative histogram's bucket do not matter: all are added. */
  void add(Observations other) {
    other.buckets.forEach((upper, bucket) -> add(bucket.lower, upper, bucket.count));
    addTotals(other.count, other.sum);
  }

  double count() {
    return count;
  }

  double sum() {
    return sum;
  }

  double mean() {
    return count > 0 ? sum / count : Double.NaN;
  }

  double lowest() {
    return buckets.isEmpty() ? Double.NaN : finite(buckets.firstEntry(), true);
  }

  double highest() {
    return buckets.isEmpty() ? Double.NaN : finite(buckets.lastEntry(), false);
  }

  private static double finite(Map.Entry<Double, Bucket> bucket, boolean lower) {
    double upper = bucket.getKey();
    double from = bucket.getValue().lower;
    double wanted = lower ? from : upper;
    double other = lower ? upper : from;
    return Double.isFinite(wanted) ? wanted : other;
  }

  /** By going straight through the bucket that the quantile is in; NaN without observations. */
  double quantile(double q) {
    double all = buckets.values().stream().mapToDouble(b -> b.count).sum();
    double rank = q * all;
    double below = 0;
    for (Map.Entry<Double, Bucket> entry : buckets.entrySet()) {
      double in = entry.getValue().count;
      if (below + in >= rank) {
        double lower = entry.getValue().lower;
        double upper = entry.getKey();
        if (!Double.isFinite(upper)) {
          return lower;
        }
        return Double.isFinite(lower) ? lower + (upper - lower) * (rank - below) / in : upper;
      }
      below += in;
    }
    return Double.NaN;
  }

  /** With an empty bucket below each one that would otherwise seem to begin further down. */
  NavigableMap<Double, Double> byUpperBound() {
    NavigableMap<Double, Double> counts = new TreeMap<>();
    for (Map.Entry<Double, Bucket> entry : buckets.entrySet()) {
      double lower = entry.getValue().lower;
      if (Double.isFinite(lower) && lower != 0) {
        counts.putIfAbsent(lower, 0.0);
      }
      counts.put(entry.getKey(), entry.getValue().count);
    }
    return counts;
  }
}
