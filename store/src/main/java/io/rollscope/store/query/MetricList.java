package io.rollscope.store.query;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Lists the metrics of a run. */
final class MetricList {
  private static final int MOST = 5_000;
  private static final int MOST_VALUES = 20;

  private MetricList() {}

  static MetricsReport of(Query query, SeriesIndex index, String run, String source)
      throws SQLException {
    List<MetricsReport.Metric> metrics = new ArrayList<>();
    Map<String, List<SeriesInfo>> known = index.of(query, run);
    known.forEach(
        (name, series) -> {
          if (metrics.size() < MOST) {
            metrics.add(metric(name, series));
          }
        });
    return new MetricsReport(source, run, metrics, known.size() - metrics.size());
  }

  private static MetricsReport.Metric metric(String name, List<SeriesInfo> series) {
    SeriesInfo newest = series.get(0);
    long first = Long.MAX_VALUE;
    boolean hasStep = false;
    for (SeriesInfo one : series) {
      newest = one.lastNs > newest.lastNs ? one : newest;
      first = Math.min(first, one.firstNs);
      hasStep |= one.hasStep;
    }
    return new MetricsReport.Metric(
        name,
        newest.kind,
        newest.unit,
        newest.monotonic,
        newest.temporality,
        series.size(),
        labels(series),
        first / 1e9,
        newest.lastNs / 1e9,
        newest.lastValue,
        hasStep,
        newest.stepSource);
  }

  private static Map<String, List<String>> labels(List<SeriesInfo> series) {
    Set<String> facts = ChartGroups.varying(series);
    Map<String, NavigableSet<String>> values = new TreeMap<>();
    for (SeriesInfo one : series) {
      one.labelsWith(facts)
          .forEach((key, value) -> values.computeIfAbsent(key, k -> new TreeSet<>()).add(value));
    }
    Map<String, List<String>> first = new TreeMap<>();
    values.forEach((key, all) -> first.put(key, all.stream().limit(MOST_VALUES).toList()));
    return first;
  }
}
