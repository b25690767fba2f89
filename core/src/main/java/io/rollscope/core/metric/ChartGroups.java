package io.rollscope.core.metric;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The series of one metric that a chart is about, in groups: one line each.
 *
 * @param leftOut groups beyond the limit
 */
public record ChartGroups(List<Group> groups, long leftOut) {
  private static final int MOST = 200;

  /** Some series that make one line. */
  public record Group(Map<String, String> labels, List<MetricSeries> series) {
    MetricSeries like() {
      return series.get(0);
    }
  }

  static ChartGroups of(List<MetricSeries> all, ChartQuestion question) {
    String kind =
        all.stream().max(Comparator.comparingLong(MetricSeries::lastNs)).orElseThrow().kind;
    List<MetricSeries> chosen =
        all.stream().filter(s -> s.kind.equals(kind) && matches(s, question)).toList();
    boolean each = question.aggregation() == ChartQuestion.Aggregation.NONE;
    Set<String> facts = each && question.by().isEmpty() ? varying(chosen) : Set.of();
    Map<Map<String, String>, List<MetricSeries>> byLabels = new LinkedHashMap<>();
    for (MetricSeries series : chosen) {
      Map<String, String> labels =
          each && question.by().isEmpty() ? series.labelsWith(facts) : only(series, question.by());
      byLabels.computeIfAbsent(labels, l -> new ArrayList<>()).add(series);
    }
    List<Group> groups = new ArrayList<>();
    byLabels.forEach((labels, series) -> groups.add(new Group(labels, series)));
    groups.sort(Comparator.comparing(g -> g.labels().toString()));
    long leftOut = Math.max(0, groups.size() - MOST);
    return new ChartGroups(groups.subList(0, Math.min(MOST, groups.size())), leftOut);
  }

  private static boolean matches(MetricSeries series, ChartQuestion question) {
    return question.where().entrySet().stream()
        .allMatch(e -> e.getValue().contains(String.valueOf(series.label(e.getKey()))));
  }

  private static Map<String, String> only(MetricSeries series, List<String> by) {
    Map<String, String> labels = new TreeMap<>();
    by.forEach(key -> labels.put(key, series.label(key) == null ? "" : series.label(key)));
    return labels;
  }

  /** What tells these processes apart. */
  static Set<String> varying(List<MetricSeries> all) {
    Set<String> varying = new TreeSet<>();
    for (String fact : MetricSeries.PROCESS) {
      if (all.stream().map(s -> String.valueOf(s.identity.process().get(fact))).distinct().count()
          > 1) {
        varying.add(fact);
      }
    }
    return varying;
  }

  int seriesCount() {
    return groups.stream().mapToInt(g -> g.series().size()).sum();
  }
}
