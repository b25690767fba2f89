package io.rollscope.store.query;

import io.rollscope.core.metric.AnnotationsReport;
import io.rollscope.core.metric.AnnotationsReport.BatchSpan;
import io.rollscope.core.metric.AnnotationsReport.WeightSync;
import java.sql.SQLException;
import java.util.List;

/** Finds batches and weight syncs. */
final class Annotations {
  private static final int MOST = AnnotationsReport.MOST;

  private static final String WEIGHTS =
      "regexp_matches(lower(concat_ws(' ', stage, name)), '" + AnnotationsReport.WEIGHTS + "')";

  private Annotations() {}

  static AnnotationsReport of(Query query, String run, Long fromNs, Long toNs, String source)
      throws SQLException {
    long from = fromNs == null ? Long.MIN_VALUE : fromNs;
    long to = toNs == null ? Long.MAX_VALUE : toNs;
    List<BatchSpan> batches = batches(query, run, from, to);
    List<WeightSync> syncs = syncs(query, run, from, to);
    boolean truncated = batches.size() > MOST || syncs.size() > MOST;
    return new AnnotationsReport(source, run, newest(batches), newest(syncs), truncated);
  }

  private static <T> List<T> newest(List<T> sorted) {
    return List.copyOf(sorted.subList(Math.max(0, sorted.size() - MOST), sorted.size()));
  }

  private static List<BatchSpan> batches(Query query, String run, long from, long to)
      throws SQLException {
    Sql all =
        Sql.of("SELECT batch, max(train_step) AS step, min(start_ns) AS a, max(end_ns) AS b,")
            .plus("bool_or(status IN ('queued', 'running')) AS open FROM accounted")
            .plus("WHERE run = ? AND batch IS NOT NULL AND clock = 'utc' GROUP BY batch", run);
    return query.list(
        Sql.of("SELECT * FROM (SELECT * FROM (")
            .plus(all)
            .plus(") WHERE a < ? AND b >= ?", to, from)
            .plus("ORDER BY a DESC, batch LIMIT " + (MOST + 1) + ") ORDER BY a, batch"),
        row ->
            new BatchSpan(
                row.getString(1),
                Cells.longOrNull(row, 2),
                row.getLong(3) / 1e9,
                row.getLong(4) / 1e9,
                row.getBoolean(5)));
  }

  /** Lanes that do it at the same time are one. */
  private static List<WeightSync> syncs(Query query, String run, long from, long to)
      throws SQLException {
    String end = "coalesce(end_ns, " + Long.MAX_VALUE + ")";
    Sql rows =
        Sql.of("SELECT stage, start_ns, " + end + " AS end_ns FROM spans")
            .plus("WHERE run = ? AND session IS NULL AND clock = 'utc'", run)
            .plus("AND start_ns < ? AND " + end + " >= ? AND " + WEIGHTS, to, from);
    Sql marked =
        Sql.of("SELECT *, start_ns > coalesce(max(end_ns) OVER (PARTITION BY stage ORDER BY")
            .plus(
                "start_ns, end_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), start_ns - 1)")
            .plus("AS fresh FROM (")
            .plus(rows)
            .plus(")");
    Sql numbered =
        Sql.of("SELECT *, sum(fresh::INT) OVER (PARTITION BY stage ORDER BY start_ns, end_ns)")
            .plus("AS n FROM (")
            .plus(marked)
            .plus(")");
    return query.list(
        Sql.of("SELECT * FROM (SELECT stage, min(start_ns) AS a, max(end_ns) AS b, count(*)")
            .plus("FROM (")
            .plus(numbered)
            .plus(") GROUP BY stage, n")
            .plus("ORDER BY a DESC LIMIT " + (MOST + 1) + ") ORDER BY a, stage"),
        row ->
            new WeightSync(
                row.getString(1),
                row.getLong(2) / 1e9,
                row.getLong(3) == Long.MAX_VALUE ? null : (Double) (row.getLong(3) / 1e9),
                row.getLong(4)));
  }
}
