package io.rollscope.store.query;

import io.rollscope.core.stats.Percentiles;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Lines of counters: how much each grew in each place. A process that starts again, which its start
 * time or a smaller value tells, grows from zero.
 */
final class CounterLines {
  private final ChartQuestion question;
  private final ChartGrid grid;
  private final List<ChartLine> lines = new ArrayList<>();

  /** By group, then place, then series: what it grew by. */
  private final List<Map<Long, Map<Long, Double>>> growth = new ArrayList<>();

  /** Where a series stood at the end of a place. */
  private record Standing(long series, long start, long place, long timeNs, double value) {}

  private Standing before;

  private CounterLines(ChartQuestion question, ChartGrid grid) {
    this.question = question;
    this.grid = grid;
  }

  static List<ChartLine> of(
      Query query, ChartQuestion question, String name, ChartGroups groups, ChartGrid grid)
      throws SQLException {
    CounterLines counters = new CounterLines(question, grid);
    for (ChartGroups.Group group : groups.groups()) {
      counters.lines.add(new ChartLine(name, group.labels(), group.like()));
      counters.growth.add(new TreeMap<>());
    }
    counters.read(query, name);
    counters.draw();
    return counters.lines;
  }

  private void read(Query query, String name) throws SQLException {
    query.each(
        Sql.of("SELECT g, series, start_ns, b, max(time_ns) AS t, arg_max(value, time_ns),")
            .plus("max(value), sum(value) FILTER (temporality = 'delta'), count(*) FILTER")
            .plus("(temporality IS DISTINCT FROM 'delta') FROM (SELECT series, value, time_ns,")
            .plus("temporality, CASE WHEN temporality = 'delta' THEN NULL ELSE start_ns END")
            .plus("AS start_ns, " + grid.place() + " AS b FROM metrics")
            .plus(grid.withLead(question, name))
            .plus("AND value IS NOT NULL AND isfinite(value)) JOIN chosen_series USING (series)")
            .plus("GROUP BY g, series, start_ns, b ORDER BY series, t"),
        row -> {
          int group = row.getInt(1);
          long place = row.getLong(4);
          if (row.getLong(9) == 0) {
            add(group, row.getLong(2), place, place, row.getDouble(8));
            return;
          }
          Standing now =
              new Standing(row.getLong(2), row.getLong(3), place, row.getLong(5), row.getDouble(6));
          grown(group, now, row.getDouble(7));
          before = now;
        });
  }

  private void grown(int group, Standing now, double most) {
    if (before == null || before.series() != now.series()) {
      boolean young = now.start() > 0 && now.start() < now.timeNs() && isInside(now.start());
      if (young) {
        add(group, now.series(), now.place(), now.place(), now.value());
      }
      return;
    }
    double grown;
    if (now.start() > before.timeNs() && before.start() > 0) {
      grown = now.value();
    } else if (now.value() >= before.value() && most <= now.value()) {
      grown = now.value() - before.value();
    } else {
      grown = Math.max(0, most - before.value()) + now.value();
    }
    add(group, now.series(), before.place() + 1, now.place(), grown);
  }

  private boolean isInside(long ns) {
    return grid.bySteps() || ns >= grid.from();
  }

  /** What grew since the place before is spread over all places since. */
  private void add(int group, long series, long from, long to, double grown) {
    long first = grid.bySteps() ? to : Math.min(from, to);
    double share = grown / (to - first + 1);
    for (long place = Math.max(0, first); place <= to; place++) {
      growth
          .get(group)
          .computeIfAbsent(place, p -> new HashMap<>())
          .merge(series, share, Double::sum);
    }
  }

  private void draw() {
    double per = question.rate() && !grid.bySteps() ? grid.seconds() : 1;
    for (int g = 0; g < lines.size(); g++) {
      ChartLine line = lines.get(g);
      growth
          .get(g)
          .forEach(
              (place, values) -> {
                double[] sorted =
                    values.values().stream().mapToDouble(v -> v / per).sorted().toArray();
                line.put(place, aggregate(sorted), sorted[0], sorted[sorted.length - 1]);
              });
    }
  }

  private double aggregate(double[] sorted) {
    return switch (question.aggregation()) {
      case NONE, SUM, HEATMAP -> Arrays.stream(sorted).sum();
      case MEAN -> Arrays.stream(sorted).average().orElse(Double.NaN);
      case MIN -> sorted[0];
      case MAX -> sorted[sorted.length - 1];
      case P50, P90, P95, P99 -> Percentiles.ofSorted(sorted, question.aggregation().quantile());
    };
  }
}
