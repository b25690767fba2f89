package io.rollscope.server.scrape.points;

/** What a series was found to be at. */
sealed interface PointValue {
  /** Of a gauge or counter. */
  record Single(double value) implements PointValue {}

  /**
   * Of a histogram.
   *
   * @param bounds upper bounds of its buckets, without infinity
   * @param counts per bucket, one more than bounds; both empty when only totals are exposed
   * @param sum NaN when it is not exposed
   */
  record Histogram(long count, double sum, double[] bounds, long[] counts) implements PointValue {}

  /** Of a summary. */
  record Summary(long count, double sum, double[] quantiles, double[] values)
      implements PointValue {}

  /** What only grows until its process starts anew; NaN for what may also fall. */
  static double growing(Kind kind, PointValue value) {
    if (value instanceof Single number) {
      return kind == Kind.COUNTER ? number.value() : Double.NaN;
    }
    return value instanceof Histogram histogram ? histogram.count() : ((Summary) value).count();
  }

  /** Kinds of series. */
  enum Kind {
    GAUGE,
    COUNTER,
    HISTOGRAM,
    SUMMARY
  }
}
