package io.rollscope.store.query;

import java.util.Map;
import java.util.TreeMap;

/** What is known of a series without looking at its points. */
final class SeriesInfo {
  final String run;
  final String name;
  final long series;
  final String kind;
  final String unit;
  final String temporality;
  final boolean monotonic;

  /** The labels that its points have. */
  final Map<String, String> labels;

  /** What tells its process from others: service, instance, host, worker. */
  final Map<String, String> process;

  long firstNs = Long.MAX_VALUE;
  long lastNs = Long.MIN_VALUE;
  Double lastValue;
  String stepSource;
  boolean hasStep;

  SeriesInfo(
      String run,
      String name,
      long series,
      String kind,
      String unit,
      String temporality,
      boolean monotonic,
      Map<String, String> labels,
      Map<String, String> process) {
    this.run = run;
    this.name = name;
    this.series = series;
    this.kind = kind;
    this.unit = unit;
    this.temporality = temporality;
    this.monotonic = monotonic;
    this.labels = labels;
    this.process = process;
  }

  void saw(long first, long last, Double value, boolean step, String source) {
    firstNs = Math.min(firstNs, first);
    hasStep |= step;
    if (last >= lastNs) {
      lastNs = last;
      lastValue = value == null ? lastValue : value;
      stepSource = source;
    }
  }

  /** A label, or what else can be asked for like one. */
  String label(String key) {
    String own = labels.get(key);
    return own != null ? own : process.get(key);
  }

  /** Its labels and, where they have no such label, these facts of its process. */
  Map<String, String> labelsWith(Iterable<String> facts) {
    Map<String, String> all = new TreeMap<>(labels);
    for (String fact : facts) {
      if (process.get(fact) != null) {
        all.putIfAbsent(fact, process.get(fact));
      }
    }
    return all;
  }

  boolean isCounter() {
    return monotonic || "delta".equals(temporality) && !isHistogram();
  }

  boolean isHistogram() {
    return kind.equals("histogram") || kind.equals("exponential_histogram");
  }
}
