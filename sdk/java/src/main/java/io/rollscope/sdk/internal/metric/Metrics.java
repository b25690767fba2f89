package io.rollscope.sdk.internal.metric;

import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.span.Book;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** All metrics of a process by name. */
public final class Metrics {
  private static final int MAX_METRICS = 2_000;
  private static final int MAX_NAME = 255;
  private static final double[] NO_BOUNDS = {};

  private final Book book;
  private final Warnings warnings;
  private final double[] usualBounds;
  private final ConcurrentHashMap<String, Metric> metrics = new ConcurrentHashMap<>();

  public Metrics(Book book, Warnings warnings, double[] usualBounds) {
    this.book = book;
    this.warnings = warnings;
    this.usualBounds = usualBounds;
  }

  /** 1, 2.5 and 5 in every decade from 0.001 to 1,000,000. */
  public static double[] defaultBounds() {
    double[] bounds = new double[28];
    for (int i = 0; i < bounds.length; i++) {
      String digits = i % 3 == 0 ? "1" : i % 3 == 1 ? "2.5" : "5";
      bounds[i] = Double.parseDouble(digits + "e" + (i / 3 - 3));
    }
    return bounds;
  }

  public Metric find(String name, MetricKind kind) {
    return find(name, kind, kind == MetricKind.HISTOGRAM ? usualBounds : NO_BOUNDS, false);
  }

  /** A histogram with buckets of its own. */
  public Metric histogram(String name, double[] bounds) {
    return find(name, MetricKind.HISTOGRAM, bounds.clone(), true);
  }

  private Metric find(String name, MetricKind kind, double[] bounds, boolean wanted) {
    Metric known = name == null ? null : metrics.get(name);
    if (known == null) {
      known = create(name, kind, bounds);
    }
    if (known.kind() != kind) {
      warnings.once(
          "metric " + name + " kind",
          kind.word() + " " + name + ": is a " + known.kind().word() + " already; not sent");
      return refused(name, kind, bounds);
    }
    if (wanted && !Arrays.equals(bounds, known.bounds())) {
      warnings.once(
          "metric " + name + " buckets",
          kind.word() + " " + name + ": has other buckets already; values go into those");
    }
    return known;
  }

  private Metric create(String name, MetricKind kind, double[] bounds) {
    boolean named = name != null && !name.isEmpty() && name.length() <= MAX_NAME;
    if (!named) {
      String text = name == null ? "null" : name.substring(0, Math.min(20, name.length()));
      warnings.once(
          "metric name",
          kind.word() + ": " + text + " (expected: a name of 1 to 255 characters); not sent");
      return refused(text, kind, bounds);
    }
    if (metrics.size() >= MAX_METRICS) {
      warnings.once("metrics", "more than " + MAX_METRICS + " metrics; " + name + " is not sent");
      return refused(name, kind, bounds);
    }
    return metrics.computeIfAbsent(
        name, n -> new Metric(book, warnings, n, kind, Meaning.UNSAID, bounds, false));
  }

  private Metric refused(String name, MetricKind kind, double[] bounds) {
    return new Metric(book, warnings, name, kind, Meaning.UNSAID, bounds, true);
  }

  /** A gauge that is not among those of the user, whatever these are called. */
  public Metric ownGauge(String name, Meaning meaning) {
    return new Metric(book, warnings, name, MetricKind.GAUGE, meaning, NO_BOUNDS, false);
  }

  /** Points of counters and histograms that changed since the last time. */
  public void collect(Consumer<Point> into) {
    metrics.values().forEach(metric -> metric.collect(into));
  }
}
