package io.rollscope.store.query;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Lines of gauges: the mean of each stretch of time, or what a step ended with. */
final class GaugeLines {
  private GaugeLines() {}

  static List<ChartLine> of(
      Query query, ChartQuestion question, String name, ChartGroups groups, ChartGrid grid)
      throws SQLException {
    List<ChartLine> lines = new ArrayList<>();
    groups.groups().forEach(g -> lines.add(new ChartLine(name, g.labels(), g.like())));
    String value = grid.bySteps() ? "arg_max(value, time_ns)" : "avg(value)";
    Sql rows =
        Sql.of("SELECT series, value, time_ns, stale, " + grid.place() + " AS b FROM metrics")
            .plus(ChartGrid.where(question, name));
    Sql perSeries =
        Sql.of("SELECT g, b, " + value + " FILTER (isfinite(value)) AS v,")
            .plus("min(value) FILTER (isfinite(value)) AS lo,")
            .plus("max(value) FILTER (isfinite(value)) AS hi, bool_or(stale) AS ended")
            .plus("FROM (")
            .plus(rows)
            .plus(") JOIN chosen_series USING (series)")
            .plus("GROUP BY g, series, b");
    query.each(
        Sql.of("SELECT g, b, " + question.aggregation().sql() + ", min(lo), max(hi),")
            .plus("bool_and(ended) FROM (")
            .plus(perSeries)
            .plus(") GROUP BY g, b"),
        row -> {
          ChartLine line = lines.get(row.getInt(1));
          double y = row.getDouble(3);
          if (!row.wasNull()) {
            line.put(row.getLong(2), y, row.getDouble(4), row.getDouble(5));
          }
          if (row.getBoolean(6)) {
            line.end(row.getLong(2));
          }
        });
    lines.forEach(line -> line.fill(grid.reach(name)));
    return lines;
  }
}
