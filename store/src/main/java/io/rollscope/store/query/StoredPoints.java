package io.rollscope.store.query;

import io.rollscope.core.metric.ChartGrid;
import io.rollscope.core.metric.ChartGroups;
import io.rollscope.core.metric.HistogramState;
import io.rollscope.core.metric.MetricPoints;
import io.rollscope.core.metric.MetricSeries;
import io.rollscope.core.metric.Observations;
import io.rollscope.core.metric.PointWindow;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Points of a run as DuckDB reads and reduces them. */
record StoredPoints(Query query, String run) implements MetricPoints<SQLException> {
  private static final String HISTOGRAM =
      "count, sum, bounds, bucket_counts, scale, zero_count, zero_threshold, bucket_offset,"
          + " negative_offset, negative_counts";

  private static final double[] NONE = {};

  private Sql where(String name, PointWindow window) {
    Sql where = Sql.of("WHERE run = ? AND name = ?", run, name);
    if (window.fromNs() != null) {
      where = where.plus("AND time_ns >= ?", window.fromNs());
    }
    if (window.toNs() != null) {
      where = where.plus("AND time_ns < ?", window.toNs());
    }
    if (window.stepped()) {
      where = where.plus("AND train_step IS NOT NULL");
    }
    if (window.fromStep() != null) {
      where = where.plus("AND train_step >= ?", window.fromStep());
    }
    if (window.toStep() != null) {
      where = where.plus("AND train_step < ?", window.toStep());
    }
    return where;
  }

  @Override
  public Extent extent(String name, PointWindow window) throws SQLException {
    return query.first(
        Sql.of("SELECT min(time_ns), max(time_ns), min(series), max(series), min(train_step),")
            .plus("max(train_step) FROM metrics")
            .plus(where(name, window)),
        row -> {
          Long first = Cells.longOrNull(row, 1);
          return first == null
              ? null
              : new Extent(
                  first,
                  row.getLong(2),
                  row.getLong(3),
                  row.getLong(4),
                  Cells.longOrNull(row, 5),
                  Cells.longOrNull(row, 6));
        });
  }

  @Override
  public long usualDistanceNs(String name, PointWindow window, long series, long other)
      throws SQLException {
    Sql times =
        Sql.of("SELECT time_ns - lag(time_ns) OVER (PARTITION BY series ORDER BY time_ns) AS d")
            .plus("FROM metrics")
            .plus(where(name, window))
            .plus("AND series IN (?, ?) AND NOT stale", series, other);
    return query.first(
        Sql.of("SELECT median(d) FROM (").plus(times).plus(") WHERE d > 0"), row -> row.getLong(1));
  }

  @Override
  public Long lastStepBefore(String name, long step) throws SQLException {
    return query.first(
        Sql.of("SELECT max(train_step) FROM metrics WHERE run = ? AND name = ?", run, name)
            .plus("AND train_step < ?", step),
        row -> Cells.longOrNull(row, 1));
  }

  /** Makes a temporary table {@code chosen_series}: which series is in which group. */
  private void write(ChartGroups groups) throws SQLException {
    StringBuilder values = new StringBuilder();
    for (int g = 0; g < groups.groups().size(); g++) {
      for (MetricSeries series : groups.groups().get(g).series()) {
        values.append(values.isEmpty() ? "" : ",");
        values.append('(').append(series.series()).append(',').append(g).append(')');
      }
    }
    query.execute(
        Sql.of(
            "CREATE OR REPLACE TEMP TABLE chosen_series AS SELECT s::BIGINT AS series, g FROM (VALUES "
                + values
                + ") v(s, g)"));
  }

  /** Which place a point is at; before the first one, a negative one. */
  private static String place(ChartGrid grid) {
    String at = grid.bySteps() ? "train_step" : "time_ns";
    return "CASE WHEN %s < %d THEN -1 ELSE (%s - %d) // %d END AS b"
        .formatted(at, grid.from(), at, grid.from(), grid.width());
  }

  /** The first three columns: group, series, place. */
  private static At at(ResultSet row) throws SQLException {
    return new At(row.getInt(1), row.getLong(2), row.getLong(3));
  }

  @Override
  public void gauges(
      String name, PointWindow window, ChartGroups groups, ChartGrid grid, GaugeTaker taker)
      throws SQLException {
    write(groups);
    String value = grid.bySteps() ? "arg_max(value, time_ns)" : "avg(value)";
    Sql rows =
        Sql.of("SELECT series, value, time_ns, stale, " + place(grid) + " FROM metrics")
            .plus(where(name, window));
    query.each(
        Sql.of("SELECT g, series, b, " + value + " FILTER (isfinite(value)),")
            .plus("min(value) FILTER (isfinite(value)), max(value) FILTER (isfinite(value)),")
            .plus("bool_or(stale) FROM (")
            .plus(rows)
            .plus(") JOIN chosen_series USING (series)")
            .plus("GROUP BY g, series, b ORDER BY g, b, series"),
        row -> {
          double y = row.getDouble(4);
          boolean nothing = row.wasNull();
          taker.take(
              at(row),
              nothing ? Double.NaN : y,
              row.getDouble(5),
              row.getDouble(6),
              row.getBoolean(7));
        });
  }

  @Override
  public void counters(
      String name, PointWindow window, ChartGroups groups, ChartGrid grid, CounterTaker taker)
      throws SQLException {
    write(groups);
    query.each(
        Sql.of("SELECT g, series, b, increment, start_ns, max(time_ns) AS t,")
            .plus("arg_max(value, time_ns), max(value), sum(value) FROM (SELECT series, value,")
            .plus("time_ns, coalesce(temporality = 'delta', false) AS increment,")
            .plus("CASE WHEN increment THEN NULL ELSE start_ns END AS start_ns, " + place(grid))
            .plus("FROM metrics")
            .plus(where(name, window))
            .plus("AND value IS NOT NULL AND isfinite(value)) JOIN chosen_series USING (series)")
            .plus("GROUP BY g, series, b, increment, start_ns ORDER BY series, t"),
        row -> {
          if (row.getBoolean(4)) {
            taker.grew(at(row), row.getDouble(9));
          } else {
            taker.stood(
                at(row), row.getLong(5), row.getLong(6), row.getDouble(7), row.getDouble(8));
          }
        });
  }

  @Override
  public void histograms(
      String name, PointWindow window, ChartGroups groups, ChartGrid grid, HistogramTaker taker)
      throws SQLException {
    write(groups);
    Sql places =
        Sql.of("SELECT *, " + place(grid) + " FROM metrics")
            .plus(where(name, window))
            .plus("AND temporality IS DISTINCT FROM 'delta' AND count IS NOT NULL");
    query.each(
        Sql.of("SELECT g, series, b, start_ns, time_ns, " + HISTOGRAM + " FROM (")
            .plus("SELECT *, row_number() OVER (PARTITION BY series, start_ns, b")
            .plus("ORDER BY time_ns DESC) AS back FROM (")
            .plus(places)
            .plus(")) JOIN chosen_series USING (series) WHERE back = 1 ORDER BY series, time_ns"),
        row -> taker.take(at(row), row.getLong(4), row.getLong(5), state(row, 6)));
  }

  /** The columns {@link #HISTOGRAM}, from {@code column} on. */
  private static HistogramState state(ResultSet row, int column) throws SQLException {
    double[] bounds = row.getArray(column + 2) == null ? null : Cells.doubles(row, column + 2);
    boolean wide = bounds == null;
    return new HistogramState(
        row.getDouble(column),
        row.getDouble(column + 1),
        bounds,
        row.getArray(column + 3) == null ? NONE : Cells.doubles(row, column + 3),
        wide ? row.getInt(column + 4) : 0,
        wide ? row.getDouble(column + 5) : 0,
        wide ? row.getDouble(column + 6) : 0,
        wide ? row.getInt(column + 7) : 0,
        wide ? row.getInt(column + 8) : 0,
        wide && row.getArray(column + 9) != null ? Cells.doubles(row, column + 9) : NONE);
  }

  @Override
  public void increments(
      String name, PointWindow window, ChartGroups groups, ChartGrid grid, ObservedAt observed)
      throws SQLException {
    write(groups);
    Sql rows =
        Sql.of("SELECT g, b, bounds, scale, zero_threshold, count, sum, zero_count,")
            .plus("bucket_counts, bucket_offset, negative_counts, negative_offset FROM")
            .plus("(SELECT *, " + place(grid) + " FROM metrics")
            .plus(where(name, window))
            .plus("AND temporality = 'delta' AND count IS NOT NULL)")
            .plus("JOIN chosen_series USING (series)");
    query.execute(Sql.of("CREATE OR REPLACE TEMP TABLE increments AS").plus(rows));
    query.each(
        Sql.of("SELECT g, b, sum(count), sum(sum), sum(zero_count), max(zero_threshold)")
            .plus("FROM increments GROUP BY g, b"),
        row -> {
          Observations all = observed.of(row.getInt(1), row.getLong(2));
          all.addTotals(row.getDouble(3), row.getDouble(4));
          all.addZeros(row.getDouble(6), row.getDouble(5));
        });
    bucketsOf(observed, "bucket_counts", "bucket_offset", false);
    bucketsOf(observed, "negative_counts", "negative_offset", true);
  }

  private void bucketsOf(ObservedAt observed, String counts, String offset, boolean negative)
      throws SQLException {
    query.each(
        Sql.of("SELECT g, b, scale, bounds[i], bounds[i - 1], place, sum(c) FROM (SELECT g, b,")
            .plus("scale, bounds, coalesce(" + offset + ", 0) + i - 1 AS place, i, c FROM")
            .plus("(SELECT *, unnest(" + counts + ") AS c,")
            .plus("generate_subscripts(" + counts + ", 1) AS i FROM increments)")
            .plus("WHERE c > 0) GROUP BY ALL"),
        row -> {
          Observations all = observed.of(row.getInt(1), row.getLong(2));
          int scale = row.getInt(3);
          if (row.wasNull()) {
            all.addBucket(
                orNan(Cells.doubleOrNull(row, 5)),
                orNan(Cells.doubleOrNull(row, 4)),
                row.getDouble(7));
          } else {
            all.addExponential(scale, row.getInt(6), negative, row.getDouble(7));
          }
        });
  }

  private static double orNan(Double value) {
    return value == null ? Double.NaN : value;
  }
}
