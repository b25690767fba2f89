package io.rollscope.store.query;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The places of a chart's axis: stretches of time, or of steps, of the same width.
 *
 * @param from where the first one begins, in nanoseconds or steps; a multiple of the width, so that
 *     a chart does not tremble when it is moved
 * @param to where the last one ends
 * @param intervalsNs how far apart points of a series usually are, by metric
 */
record ChartGrid(boolean bySteps, long from, long to, long width, Map<String, Long> intervalsNs) {
  private static final long LEAD_NS = 300_000_000_000L;

  /** How far apart the points of most series are, and from where to where there are any. */
  private record Extent(String name, long first, long last, long intervalNs) {}

  /**
   * @param most places
   * @param coarser how many usual intervals a place must hold at least
   */
  static ChartGrid of(Query query, ChartQuestion question, int most, double coarser)
      throws SQLException {
    return question.bySteps() ? steps(query, question, most) : time(query, question, most, coarser);
  }

  private static ChartGrid time(Query query, ChartQuestion question, int most, double coarser)
      throws SQLException {
    List<Extent> extents = new ArrayList<>();
    for (String name : question.names()) {
      query.each(
          Sql.of("SELECT min(time_ns), max(time_ns), min(series), max(series) FROM metrics")
              .plus(where(question, name)),
          row -> {
            long first = row.getLong(1);
            if (!row.wasNull()) {
              long interval = interval(query, question, name, row.getLong(3), row.getLong(4));
              extents.add(new Extent(name, first, row.getLong(2), interval));
            }
          });
    }
    long interval = extents.stream().mapToLong(Extent::intervalNs).min().orElse(0);
    long first = extents.stream().mapToLong(Extent::first).min().orElse(0);
    long last = extents.stream().mapToLong(Extent::last).max().orElse(0) + 1;
    long from = question.fromNs() == null ? first : question.fromNs();
    long to = question.toNs() == null ? last : question.toNs();
    long extent = Math.max(1, to - from);
    long width = Math.max((extent + most - 1) / most, Math.round(interval * coarser));
    width = Math.max(1_000_000, width);
    long begin = Math.floorDiv(from, width) * width;
    Map<String, Long> intervals = new HashMap<>();
    extents.forEach(e -> intervals.put(e.name(), e.intervalNs()));
    return new ChartGrid(false, begin, Math.max(to, begin + 1), width, intervals);
  }

  /** How far apart points mostly are, told from two series. */
  private static long interval(Query query, ChartQuestion question, String name, long a, long b)
      throws SQLException {
    Sql times =
        Sql.of("SELECT time_ns - lag(time_ns) OVER (PARTITION BY series ORDER BY time_ns) AS d")
            .plus("FROM metrics")
            .plus(where(question, name))
            .plus("AND series IN (?, ?) AND NOT stale", a, b);
    return query.first(
        Sql.of("SELECT median(d) FROM (").plus(times).plus(") WHERE d > 0"), row -> row.getLong(1));
  }

  private static ChartGrid steps(Query query, ChartQuestion question, int most)
      throws SQLException {
    NavigableSet<Long> ends = new TreeSet<>();
    for (String name : question.names()) {
      query.each(
          Sql.of("SELECT min(train_step), max(train_step) FROM metrics")
              .plus(where(question, name)),
          row -> {
            long first = row.getLong(1);
            if (!row.wasNull()) {
              ends.add(first);
              ends.add(row.getLong(2));
            }
          });
    }
    long from =
        question.fromStep() != null ? question.fromStep() : ends.isEmpty() ? 0 : ends.first();
    long to =
        question.toStep() != null ? question.toStep() + 1 : ends.isEmpty() ? 1 : ends.last() + 1;
    long width = Math.max(1, (Math.max(1, to - from) + most - 1) / most);
    return new ChartGrid(true, Math.floorDiv(from, width) * width, to, width, Map.of());
  }

  /** What of a metric is asked for. */
  static Sql where(ChartQuestion question, String name) {
    Sql where = Sql.of("WHERE run = ? AND name = ?", question.run(), name);
    if (question.fromNs() != null) {
      where = where.plus("AND time_ns >= ?", question.fromNs());
    }
    if (question.toNs() != null) {
      where = where.plus("AND time_ns < ?", question.toNs());
    }
    if (question.bySteps()) {
      where = where.plus("AND train_step IS NOT NULL");
    }
    if (question.fromStep() != null) {
      where = where.plus("AND train_step >= ?", question.fromStep());
    }
    if (question.toStep() != null) {
      where = where.plus("AND train_step <= ?", question.toStep());
    }
    return where;
  }

  /** The same, and before it what tells where series stood when the chart begins. */
  Sql withLead(ChartQuestion question, String name) {
    Sql where = Sql.of("WHERE run = ? AND name = ?", question.run(), name);
    if (!bySteps) {
      long lead = Math.max(LEAD_NS, 3 * intervalsNs.getOrDefault(name, 0L));
      return where.plus("AND time_ns >= ? AND time_ns < ?", from - lead, to);
    }
    if (question.fromNs() != null) {
      where = where.plus("AND time_ns >= ?", question.fromNs());
    }
    if (question.toNs() != null) {
      where = where.plus("AND time_ns < ?", question.toNs());
    }
    return where
        .plus("AND train_step < ? AND train_step >= coalesce((SELECT max(train_step)", to)
        .plus("FROM metrics WHERE run = ? AND name = ?", question.run(), name)
        .plus("AND train_step < ?), ?)", from, from);
  }

  /** Which place a point is at, as SQL; before the first one, a negative one. */
  String place() {
    String at = bySteps ? "train_step" : "time_ns";
    return "CASE WHEN "
        + at
        + " < "
        + from
        + " THEN -1 ELSE ("
        + at
        + " - "
        + from
        + ") // "
        + width
        + " END";
  }

  /** The value of the axis at a place. */
  double x(long place) {
    long at = from + place * width;
    return bySteps ? at : at / 1e9;
  }

  double seconds() {
    return width / 1e9;
  }

  /** How many places further the next point may be for a line of this metric to go there. */
  long reach(String name) {
    return Math.round(2.5 * intervalsNs.getOrDefault(name, 0L) / width);
  }
}
