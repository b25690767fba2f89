package io.rollscope.otlp.record;

/**
 * One data point of a metric.
 *
 * @param help what the metric is about, or null
 * @param kind {@code gauge}, {@code sum}, {@code histogram}, {@code exponential_histogram} or
 *     {@code summary}
 * @param temporality {@code cumulative}, {@code delta} or null
 * @param startNs 0 when unknown
 * @param value of gauges and sums, else null
 * @param bounds upper bounds of a histogram's buckets, or quantiles of a summary; else null
 * @param counts of a histogram's buckets (of the positive range of an exponential one); else null
 * @param values of a summary's quantiles, else null
 * @param exponential what only exponential histograms have, else null
 * @param stale whether it says that the series has no value any more
 * @param trainStep {@code rl.train_step} of the point, which is no part of the series
 * @param scraped whether it was read from a page for Prometheus, not sent
 * @param labelSet hash of the labels
 * @param series hash of what makes a series: name, labels and process
 */
public record MetricPoint(
    String name,
    String help,
    String unit,
    String kind,
    String temporality,
    Boolean monotonic,
    long startNs,
    long timeNs,
    Double value,
    Long count,
    Double sum,
    Double min,
    Double max,
    double[] bounds,
    long[] counts,
    double[] values,
    Exponential exponential,
    boolean stale,
    Long trainStep,
    boolean scraped,
    long labelSet,
    long series,
    String run,
    Origin origin,
    Attributes attributes) {

  /** The run it is of, named or not. */
  public String runOrFallback() {
    return run == null ? origin.runFallback() : run;
  }

  /** Whether it tells an increment below zero of what only grows. */
  public boolean isNegativeIncrement() {
    return value != null && value < 0 && Boolean.TRUE.equals(monotonic) && isIncrement();
  }

  /** Whether it tells what was added, not where the series stands. */
  public boolean isIncrement() {
    return "delta".equals(temporality);
  }

  /** The rest of an exponential histogram; see {@code metrics.proto}. */
  public record Exponential(
      int scale,
      long zeroCount,
      double zeroThreshold,
      int offset,
      int negativeOffset,
      long[] negativeCounts) {}
}
