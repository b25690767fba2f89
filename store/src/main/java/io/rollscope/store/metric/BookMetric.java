package io.rollscope.store.metric;

import io.rollscope.otlp.record.MetricPoint;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A metric of a run, as its first point described it. */
final class BookMetric {
  final String run;
  final String name;
  final String help;
  final String unit;
  final String kind;
  final boolean monotonic;
  final boolean scraped;

  /** Buckets that all its series are shown in, or null. */
  final double[] bounds;

  /** Asked also by who does not hold the lock. */
  final Map<Long, LabelSet> labelSets = new ConcurrentHashMap<>();

  final Set<Set<String>> labelNames = new HashSet<>();

  /** The label with most values, found when there were too many label sets. */
  String offender;

  BookMetric(
      String run,
      String name,
      String help,
      String unit,
      String kind,
      boolean monotonic,
      boolean scraped,
      double[] bounds) {
    this.run = run;
    this.name = name;
    this.help = help;
    this.unit = unit;
    this.kind = kind;
    this.monotonic = monotonic;
    this.scraped = scraped;
    this.bounds = bounds;
  }

  static BookMetric of(MetricPoint point) {
    double[] bounds =
        switch (point.kind()) {
          case "histogram" -> point.bounds() == null ? new double[0] : point.bounds();
          case "exponential_histogram" -> Rebucketing.STANDARD;
          default -> null;
        };
    return new BookMetric(
        point.runOrFallback(),
        point.name(),
        point.help(),
        point.unit(),
        point.kind(),
        Boolean.TRUE.equals(point.monotonic()),
        point.scraped(),
        bounds);
  }

  boolean isOfKind(MetricPoint point) {
    return kind.equals(point.kind()) && monotonic == Boolean.TRUE.equals(point.monotonic());
  }

  /** Whether what processes say is added up, earlier lives included. */
  boolean addsUp() {
    return monotonic || !(kind.equals("gauge") || kind.equals("sum"));
  }
}
