package io.rollscope.sdk.internal.metric;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * One series of a metric. Values of gauges are points at once; counters and histograms add up, and
 * are a point when the sender asks, and before the training step changes. Thread-safe.
 */
public final class Series {
  private final Metric metric;
  private final List<String> labels;
  private final boolean refused;
  private final long startNs;
  private final long[] counts;
  private double sum;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;
  private long count;
  private Long step;
  private boolean changed;

  Series(Metric metric, List<String> labels, boolean refused) {
    this.metric = metric;
    this.labels = labels;
    this.refused = refused;
    startNs = metric.book.clock().nowNs();
    counts = new long[metric.bounds().length + 1];
  }

  /**
   * @param atStep training step, or null
   */
  public void record(double value, Long atStep) {
    if (refused) {
      metric.book.dropMetrics(1);
    } else if (!isUsable(value)) {
      metric.warn("value", value + " (expected: " + expected() + "); not sent");
      metric.book.dropMetrics(1);
    } else if (metric.kind() == MetricKind.GAUGE) {
      long now = metric.book.clock().nowNs();
      metric.book.addPoint(new Point(metric, labels, atStep, 0, now, value, null));
    } else {
      add(value, atStep);
    }
  }

  private boolean isUsable(double value) {
    return switch (metric.kind()) {
      case GAUGE -> true;
      case COUNTER -> value >= 0 && Double.isFinite(value);
      case HISTOGRAM -> Double.isFinite(value);
    };
  }

  private String expected() {
    return metric.kind() == MetricKind.COUNTER ? "0 or more" : "a finite number";
  }

  private synchronized void add(double value, Long atStep) {
    if (changed && atStep != null && step != null && !Objects.equals(step, atStep)) {
      metric.book.addPoint(point());
    }
    step = atStep == null ? step : atStep;
    sum += value;
    count++;
    min = Math.min(min, value);
    max = Math.max(max, value);
    counts[bucket(value)]++;
    changed = true;
  }

  /** Upper bounds belong to their bucket, as OTLP has it. */
  private int bucket(double value) {
    int at = Arrays.binarySearch(metric.bounds(), value);
    return at >= 0 ? at : -at - 1;
  }

  private Point point() {
    long now = metric.book.clock().nowNs();
    Distribution distribution =
        metric.kind() == MetricKind.HISTOGRAM
            ? new Distribution(count, sum, min, max, metric.bounds(), counts.clone())
            : null;
    return new Point(metric, labels, step, startNs, now, sum, distribution);
  }

  /** Null if nothing changed. */
  synchronized Point collect() {
    if (!changed) {
      return null;
    }
    changed = false;
    return point();
  }
}
