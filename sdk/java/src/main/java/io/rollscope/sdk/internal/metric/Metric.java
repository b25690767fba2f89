package io.rollscope.sdk.internal.metric;

import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.span.Book;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A metric and its series. The first series says which labels it has. */
public final class Metric {
  static final int MAX_SERIES = 2_000;

  final Book book;
  private final Warnings warnings;
  private final String name;
  private final MetricKind kind;
  private final double[] bounds;
  private final boolean refused;
  private final ConcurrentHashMap<List<String>, Series> series = new ConcurrentHashMap<>();
  private final Meaning meaning;
  private final Series nowhere;
  private volatile List<String> labelKeys;

  Metric(
      Book book,
      Warnings warnings,
      String name,
      MetricKind kind,
      Meaning meaning,
      double[] bounds,
      boolean refused) {
    this.book = book;
    this.warnings = warnings;
    this.name = name;
    this.kind = kind;
    this.bounds = bounds;
    this.refused = refused;
    this.meaning = meaning;
    nowhere = new Series(this, List.of(), true);
  }

  public String name() {
    return name;
  }

  public MetricKind kind() {
    return kind;
  }

  public Meaning meaning() {
    return meaning;
  }

  double[] bounds() {
    return bounds;
  }

  /**
   * @param labels keys and values in turn, by key
   */
  public Series series(List<String> labels) {
    Series known = series.get(labels);
    return known != null ? known : newSeries(labels);
  }

  private synchronized Series newSeries(List<String> labels) {
    if (refused) {
      return nowhere;
    }
    List<String> keys = keys(labels);
    if (labelKeys == null) {
      labelKeys = keys;
    }
    if (!labelKeys.equals(keys)) {
      warn("labels", "labels " + keys + " (expected: " + labelKeys + ", as at first); not sent");
      return nowhere;
    }
    Series known = series.get(labels);
    if (known == null && series.size() >= MAX_SERIES) {
      warn("series", tooMany());
      return nowhere;
    }
    return known != null ? known : series.computeIfAbsent(labels, l -> new Series(this, l, false));
  }

  private static List<String> keys(List<String> labels) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < labels.size(); i += 2) {
      keys.add(labels.get(i));
    }
    return keys;
  }

  private String tooMany() {
    TreeMap<String, Set<String>> values = new TreeMap<>();
    for (List<String> labels : series.keySet()) {
      for (int i = 0; i < labels.size(); i += 2) {
        values.computeIfAbsent(labels.get(i), k -> new HashSet<>()).add(labels.get(i + 1));
      }
    }
    String most = "";
    int count = -1;
    for (var entry : values.entrySet()) {
      if (entry.getValue().size() > count) {
        most = entry.getKey();
        count = entry.getValue().size();
      }
    }
    return "more than "
        + MAX_SERIES
        + " series; further ones are not sent (label "
        + most
        + " has "
        + count
        + " values)";
  }

  void warn(String subject, String text) {
    warnings.once("metric " + name + " " + subject, kind.word() + " " + name + ": " + text);
  }

  /** What changed since the last time. */
  void collect(Consumer<Point> into) {
    for (Series one : series.values()) {
      Point point = one.collect();
      if (point != null) {
        into.accept(point);
      }
    }
  }
}
