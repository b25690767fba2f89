package io.rollscope.core.metric;

import java.util.Arrays;

/**
 * Where a histogram stood at some time, or what came to it.
 *
 * @param bounds of its buckets; null if it is exponential
 * @param counts of its buckets, of the positive ones if it is exponential
 */
public record HistogramState(
    double count,
    double sum,
    double[] bounds,
    double[] counts,
    int scale,
    double zeros,
    double zeroThreshold,
    int offset,
    int negativeOffset,
    double[] negative) {
  /** What came to it since then; null if it has started again or has other buckets. */
  HistogramState since(HistogramState before) {
    if (count < before.count) {
      return null;
    }
    if (bounds != null) {
      boolean same = before.bounds != null && Arrays.equals(bounds, before.bounds);
      return same ? with(minus(counts, 0, before.counts, 0), before) : null;
    }
    if (before.bounds != null || before.scale < scale) {
      return null;
    }
    HistogramState coarse = before.atScale(scale);
    HistogramState positive = with(minus(counts, offset, coarse.counts, coarse.offset), before);
    double[] rest = minus(negative, negativeOffset, coarse.negative, coarse.negativeOffset);
    return new HistogramState(
        positive.count,
        positive.sum,
        null,
        positive.counts,
        scale,
        Math.max(0, zeros - before.zeros),
        zeroThreshold,
        offset,
        negativeOffset,
        rest);
  }

  private HistogramState with(double[] fewer, HistogramState before) {
    return new HistogramState(
        count - before.count,
        sum - before.sum,
        bounds,
        fewer,
        scale,
        zeros,
        zeroThreshold,
        offset,
        negativeOffset,
        negative);
  }

  private static double[] minus(double[] now, int offset, double[] before, int beforeOffset) {
    double[] grown = now.clone();
    for (int i = 0; i < before.length; i++) {
      int at = i + beforeOffset - offset;
      if (at >= 0 && at < grown.length) {
        grown[at] = Math.max(0, grown[at] - before[i]);
      }
    }
    return grown;
  }

  /** With fewer, wider buckets: an SDK widens them when values spread. */
  private HistogramState atScale(int coarser) {
    int shift = scale - coarser;
    return new HistogramState(
        count,
        sum,
        null,
        merged(counts, offset, shift),
        coarser,
        zeros,
        zeroThreshold,
        offset >> shift,
        negativeOffset >> shift,
        merged(negative, negativeOffset, shift));
  }

  private static double[] merged(double[] counts, int offset, int shift) {
    if (counts.length == 0) {
      return counts;
    }
    int first = offset >> shift;
    double[] merged = new double[((offset + counts.length - 1) >> shift) - first + 1];
    for (int i = 0; i < counts.length; i++) {
      merged[((offset + i) >> shift) - first] += counts[i];
    }
    return merged;
  }

  void addTo(Observations all) {
    all.addTotals(count, sum);
    if (bounds != null) {
      for (int i = 0; i < counts.length; i++) {
        all.addBucket(
            i > 0 ? bounds[i - 1] : Double.NaN,
            i < bounds.length ? bounds[i] : Double.NaN,
            counts[i]);
      }
      return;
    }
    all.addZeros(zeroThreshold, zeros);
    for (int i = 0; i < counts.length; i++) {
      all.addExponential(scale, offset + i, false, counts[i]);
    }
    for (int i = 0; i < negative.length; i++) {
      all.addExponential(scale, negativeOffset + i, true, negative[i]);
    }
  }
}
