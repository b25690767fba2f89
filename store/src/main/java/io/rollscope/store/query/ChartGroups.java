package io.rollscope.store.query;

import java.sql.SQLException;
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
record ChartGroups(List<Group> groups, long leftOut) {
  private static final int MOST = 200;

  record Group(Map<String, String> labels, List<SeriesInfo> series) {
    SeriesInfo like() {
      return series.get(0);
    }
  }

  static ChartGroups of(List<SeriesInfo> all, ChartQuestion question) {
    String kind = all.stream().max(Comparator.comparingLong(s -> s.lastNs)).orElseThrow().kind;
    List<SeriesInfo> chosen =
        all.stream().filter(s -> s.kind.equals(kind) && matches(s, question)).toList();
    boolean each = question.aggregation() == ChartQuestion.Aggregation.NONE;
    Set<String> facts = each && question.by().isEmpty() ? varying(chosen) : Set.of();
    Map<Map<String, String>, List<SeriesInfo>> byLabels = new LinkedHashMap<>();
    for (SeriesInfo series : chosen) {
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

  private static boolean matches(SeriesInfo series, ChartQuestion question) {
    return question.where().entrySet().stream()
        .allMatch(e -> e.getValue().contains(String.valueOf(series.label(e.getKey()))));
  }

  private static Map<String, String> only(SeriesInfo series, List<String> by) {
    Map<String, String> labels = new TreeMap<>();
    by.forEach(key -> labels.put(key, series.label(key) == null ? "" : series.label(key)));
    return labels;
  }

  /** What tells these processes apart. */
  static Set<String> varying(List<SeriesInfo> all) {
    Set<String> varying = new TreeSet<>();
    for (String fact : SeriesIndex.PROCESS) {
      if (all.stream().map(s -> String.valueOf(s.process.get(fact))).distinct().count() > 1) {
        varying.add(fact);
      }
    }
    return varying;
  }

  int seriesCount() {
    return groups.stream().mapToInt(g -> g.series().size()).sum();
  }

  /** Makes a temporary table {@code chosen}: which series is in which group. */
  void write(Query query) throws SQLException {
    StringBuilder values = new StringBuilder();
    for (int g = 0; g < groups.size(); g++) {
      for (SeriesInfo series : groups.get(g).series()) {
        values.append(values.isEmpty() ? "" : ",");
        values.append('(').append(series.series).append(',').append(g).append(')');
      }
    }
    query.execute(
        Sql.of(
            "CREATE OR REPLACE TEMP TABLE chosen_series AS SELECT s::BIGINT AS series, g FROM (VALUES "
                + values
                + ") v(s, g)"));
  }
}
