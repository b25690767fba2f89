package io.rollscope.store.metric;

import io.rollscope.otlp.record.MetricPoint;
import java.util.Arrays;

/** What a counter or a histogram has added up to; buckets are those of its metric. */
final class Totals {
  double value;
  long count;
  long[] buckets;

  /** What a point says, in the buckets of its metric. */
  static Totals of(MetricPoint point, double[] bounds) {
    Totals totals = new Totals();
    if (point.count() == null) {
      totals.value = point.value() == null ? 0 : point.value();
      return totals;
    }
    totals.value = point.sum() == null ? 0 : point.sum();
    totals.count = point.count();
    if (bounds != null) {
      totals.buckets = new long[bounds.length + 1];
      Rebucketing.add(point, bounds, totals.buckets);
    }
    return totals;
  }

  void add(Totals other) {
    value += other.value;
    count += other.count;
    if (other.buckets != null) {
      buckets = buckets == null ? new long[other.buckets.length] : buckets;
      for (int i = 0; i < buckets.length; i++) {
        buckets[i] += other.buckets[i];
      }
    }
  }

  /** The same in other buckets: each goes whole into the first that it does not exceed. */
  Totals in(double[] bounds, double[] others) {
    if (buckets == null || Arrays.equals(bounds, others)) {
      return this;
    }
    Totals in = new Totals();
    in.value = value;
    in.count = count;
    in.buckets = new long[others.length + 1];
    Rebucketing.add(bounds, buckets, others, in.buckets);
    return in;
  }
}
