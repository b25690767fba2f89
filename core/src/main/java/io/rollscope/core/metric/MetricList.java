package io.rollscope.core.metric;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Lists the metrics of a run. */
public final class MetricList {
  private static final int MOST = 5_000;
  private static final int MOST_VALUES = 20;

  private MetricList() {}

  /**
   * @param known all series of the run, by name
   * @param points how many there are, by name
   */
  public static MetricsReport of(
      Map<String, List<MetricSeries>> known, Map<String, Long> points, String run, String source) {
    List<MetricsReport.Metric> metrics = new ArrayList<>();
    Map<String, List<MetricSeries>> listed = MetricNames.byListed(known);
    listed.forEach(
        (name, series) -> {
          if (metrics.size() < MOST) {
            metrics.add(metric(name, series, count(series, points)));
          }
        });
    return new MetricsReport(source, run, metrics, listed.size() - metrics.size(), List.of());
  }

  private static long count(List<MetricSeries> series, Map<String, Long> points) {
    return series.stream()
        .map(MetricSeries::name)
        .distinct()
        .mapToLong(name -> points.getOrDefault(name, 0L))
        .sum();
  }

  private static MetricsReport.Metric metric(String name, List<MetricSeries> series, long points) {
    MetricSeries newest = series.get(0);
    MetricSeries oldest = series.get(0);
    MetricSeries stepped = null;
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (MetricSeries one : series) {
      newest = one.lastNs() > newest.lastNs() ? one : newest;
      oldest = one.firstNs() < oldest.firstNs() ? one : oldest;
      boolean later = stepped == null || one.lastNs() > stepped.lastNs();
      stepped = one.lastStep() != null && later ? one : stepped;
      least = Math.min(least, one.least());
      greatest = Math.max(greatest, one.greatest());
    }
    boolean valued = least <= greatest;
    return new MetricsReport.Metric(
        name,
        newest.kind,
        newest.identity.unit(),
        newest.identity.monotonic(),
        newest.identity.temporality(),
        series.size(),
        points,
        labels(series),
        oldest.firstNs() / 1e9,
        newest.lastNs() / 1e9,
        oldest.firstValue(),
        valued ? (Double) least : null,
        valued ? (Double) greatest : null,
        newest.lastValue(),
        stepped == null ? null : stepped.lastStep(),
        stepped != null,
        newest.stepSource());
  }

  private static Map<String, List<String>> labels(List<MetricSeries> series) {
    Set<String> facts = ChartGroups.varying(series);
    Map<String, NavigableSet<String>> values = new TreeMap<>();
    for (MetricSeries one : series) {
      one.labelsWith(facts)
          .forEach((key, value) -> values.computeIfAbsent(key, k -> new TreeSet<>()).add(value));
    }
    Map<String, List<String>> first = new TreeMap<>();
    values.forEach((key, all) -> first.put(key, all.stream().limit(MOST_VALUES).toList()));
    return first;
  }
}
