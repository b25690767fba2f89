package io.rollscope.store.query;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lines of histograms: what was observed in each place, of all series of a group together. */
final class HistogramLines {
  private final ChartQuestion question;
  private final ChartGrid grid;
  private final List<ChartLine> lines = new ArrayList<>();
  private final List<Map<Long, Observations>> observed = new ArrayList<>();
  private final Map<Long, HistogramState> before = new HashMap<>();
  private final Map<Long, Long> beforeNs = new HashMap<>();

  private HistogramLines(ChartQuestion question, ChartGrid grid) {
    this.question = question;
    this.grid = grid;
  }

  static HistogramLines of(
      Query query, ChartQuestion question, String name, ChartGroups groups, ChartGrid grid)
      throws SQLException {
    HistogramLines histograms = new HistogramLines(question, grid);
    for (ChartGroups.Group group : groups.groups()) {
      histograms.lines.add(new ChartLine(name, group.labels(), group.like()));
      histograms.observed.add(new TreeMap<>());
    }
    histograms.readCumulative(query, name);
    histograms.readIncrements(query, name);
    histograms.draw();
    return histograms;
  }

  List<ChartLine> lines() {
    return lines;
  }

  private void readCumulative(Query query, String name) throws SQLException {
    Sql places =
        Sql.of("SELECT *, " + grid.place() + " AS b FROM metrics")
            .plus(grid.withLead(question, name))
            .plus("AND temporality IS DISTINCT FROM 'delta' AND count IS NOT NULL");
    query.each(
        Sql.of("SELECT g, series, start_ns, b, time_ns, " + HistogramState.COLUMNS + " FROM (")
            .plus("SELECT *, row_number() OVER (PARTITION BY series, start_ns, b")
            .plus("ORDER BY time_ns DESC) AS back FROM (")
            .plus(places)
            .plus(")) JOIN chosen_series USING (series) WHERE back = 1 ORDER BY series, time_ns"),
        this::take);
  }

  private void take(ResultSet row) throws SQLException {
    int group = row.getInt(1);
    long series = row.getLong(2);
    long start = row.getLong(3);
    long timeNs = row.getLong(5);
    HistogramState now = HistogramState.read(row, 6);
    HistogramState last = before.put(series, now);
    Long lastNs = beforeNs.put(series, timeNs);
    boolean young = start > 0 && start < timeNs && (grid.bySteps() || start >= grid.from());
    if (last == null) {
      if (young) {
        add(group, row.getLong(4), now);
      }
      return;
    }
    HistogramState grown = start > lastNs ? null : now.since(last);
    add(group, row.getLong(4), grown == null ? now : grown);
  }

  private void readIncrements(Query query, String name) throws SQLException {
    Sql rows =
        Sql.of("SELECT g, b, bounds, scale, zero_threshold, count, sum, zero_count,")
            .plus("bucket_counts, bucket_offset, negative_counts, negative_offset FROM")
            .plus("(SELECT *, " + grid.place() + " AS b FROM metrics")
            .plus(ChartGrid.where(question, name))
            .plus("AND temporality = 'delta' AND count IS NOT NULL)")
            .plus("JOIN chosen_series USING (series)");
    query.execute(Sql.of("CREATE OR REPLACE TEMP TABLE increments AS").plus(rows));
    query.each(
        Sql.of("SELECT g, b, sum(count), sum(sum), sum(zero_count), max(zero_threshold)")
            .plus("FROM increments GROUP BY g, b"),
        row -> {
          Observations all = at(row.getInt(1), row.getLong(2));
          all.addTotals(row.getDouble(3), row.getDouble(4));
          all.add(-row.getDouble(6), row.getDouble(6), row.getDouble(5));
        });
    bucketsOf(query, "bucket_counts", "bucket_offset", false);
    bucketsOf(query, "negative_counts", "negative_offset", true);
  }

  private void bucketsOf(Query query, String counts, String offset, boolean negative)
      throws SQLException {
    query.each(
        Sql.of("SELECT g, b, scale, bounds[i], bounds[i - 1], i, place, sum(c) FROM (SELECT g, b,")
            .plus("scale, bounds, coalesce(" + offset + ", 0) + i - 1 AS place, i, c FROM")
            .plus("(SELECT *, unnest(" + counts + ") AS c,")
            .plus("generate_subscripts(" + counts + ", 1) AS i FROM increments)")
            .plus("WHERE c > 0) GROUP BY ALL"),
        row -> {
          Observations all = at(row.getInt(1), row.getLong(2));
          int scale = row.getInt(3);
          if (row.wasNull()) {
            double upper = row.getDouble(4);
            upper = row.wasNull() ? Double.POSITIVE_INFINITY : upper;
            double lower = row.getDouble(5);
            lower = row.wasNull() ? (upper > 0 ? 0 : Double.NEGATIVE_INFINITY) : lower;
            all.add(lower, upper, row.getDouble(8));
          } else {
            double upper = Math.pow(2, (row.getInt(7) + 1) * Math.pow(2, -scale));
            double lower = Math.pow(2, row.getInt(7) * Math.pow(2, -scale));
            all.add(negative ? -upper : lower, negative ? -lower : upper, row.getDouble(8));
          }
        });
  }

  private Observations at(int group, long place) {
    return observed.get(group).computeIfAbsent(place, p -> new Observations());
  }

  private void add(int group, long place, HistogramState grown) {
    if (place >= 0) {
      grown.addTo(at(group, place));
    }
  }

  private void draw() {
    for (int g = 0; g < lines.size(); g++) {
      ChartLine line = lines.get(g);
      observed
          .get(g)
          .forEach((place, all) -> line.put(place, value(all), all.lowest(), all.highest()));
    }
  }

  private double value(Observations all) {
    if (question.rate()) {
      return grid.bySteps() ? all.count() : all.count() / grid.seconds();
    }
    return switch (question.aggregation()) {
      case NONE, MEAN -> all.mean();
      case HEATMAP -> all.count();
      case SUM -> all.sum();
      case MIN -> all.lowest();
      case MAX -> all.highest();
      case P50, P90, P95, P99 -> all.quantile(question.aggregation().quantile());
    };
  }

  /** What was observed at a place, in all groups. */
  Observations all(long place) {
    Observations all = new Observations();
    observed.forEach(
        byPlace -> {
          if (byPlace.containsKey(place)) {
            all.add(byPlace.get(place));
          }
        });
    return all;
  }
}
