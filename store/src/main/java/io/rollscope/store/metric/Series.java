package io.rollscope.store.metric;

import io.rollscope.otlp.record.MetricPoint;

/** One series of one process: where it stands. */
final class Series {
  final String instance;
  long startNs;
  long timeNs;
  long receivedNs;
  boolean stale;

  /** What it last said of gauges, and of what counts from its start. */
  Totals last;

  /** Of a summary, with its quantiles. */
  double[] quantiles;

  double[] quantileValues;

  Series(String instance) {
    this.instance = instance;
  }

  /** Whether a point counts from a new beginning. */
  boolean isReset(MetricPoint point, Totals now) {
    boolean restarted = point.startNs() != 0 && startNs != 0 && point.startNs() > timeNs;
    boolean less = point.count() == null ? now.value < last.value : now.count < last.count;
    return restarted || less;
  }
}
