package io.rollscope.store.query;

import io.rollscope.core.model.Kind;
import io.rollscope.core.view.ErrorGroups.ErrorGroup;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.HotspotsReport.Waits;
import io.rollscope.core.view.ReportContext;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where the time went: {@link io.rollscope.core.view.HotspotsView}, told by SQL. */
final class Hotspots {
  private static final int SHOWN_ERRORS = 20;

  private final Query query;
  private final Question question;
  private final Selection selection;

  private record StageKey(String stage, boolean op) {}

  /** One stage before it is known what part of the whole it is. */
  private record Stage(
      StageKey key, int count, int open, double totalNs, double selfNs, double[] quantiles) {}

  private record Sessions(
      int sessions,
      int tasks,
      long longest,
      Long first,
      Long last,
      double wallNs,
      Waits waits,
      boolean endsOpenSpans) {}

  private record Lanes(Long first, Long last, double wallNs) {
    static final Lanes NONE = new Lanes(null, null, 0);
  }

  private Hotspots(Query query, Question question) throws SQLException {
    this.query = query;
    this.question = question;
    this.selection = Selection.of(query, question);
  }

  static HotspotsReport of(Query query, Question question, ReportContext context)
      throws SQLException {
    return new Hotspots(query, question).report(context);
  }

  private HotspotsReport report(ReportContext context) throws SQLException {
    Sessions sessions = sessions();
    List<Stage> stages = stages(sessions.endsOpenSpans());
    boolean ops = stages.stream().anyMatch(s -> s.key().op());
    Lanes lanes = ops ? lanes() : Lanes.NONE;
    Map<StageKey, Integer> errorCounts = new HashMap<>();
    List<ErrorGroup> errors = errors(errorCounts);
    Long first = sessions.first() != null ? sessions.first() : lanes.first();
    Long last = sessions.first() != null ? sessions.last() : lanes.last();
    return new HotspotsReport(
        context.source(),
        context.run(),
        question.scope().word(),
        sessions.tasks(),
        sessions.sessions(),
        stages.stream().mapToInt(Stage::count).sum(),
        first == null ? 0 : first / 1e9,
        first == null ? 1 : last / 1e9,
        sessions.longest() / 1e9,
        stages.stream()
            .map(
                s ->
                    stats(
                        s,
                        errorCounts.getOrDefault(s.key(), 0),
                        s.key().op() ? lanes.wallNs() : sessions.wallNs()))
            .sorted(
                Comparator.comparingDouble(StageStats::p95S)
                    .thenComparingDouble(StageStats::totalS)
                    .reversed()
                    .thenComparing(StageStats::stage))
            .toList(),
        sessions.waits(),
        0,
        errors,
        context.otherRuns(),
        context.skippedLines());
  }

  private static StageStats stats(Stage s, int errors, double wallNs) {
    return new StageStats(
        s.key().stage(),
        (s.key().op() ? Kind.OP : Kind.PHASE).word(),
        s.count(),
        s.open(),
        errors,
        s.totalNs() / 1e9,
        s.selfNs() / 1e9,
        s.totalNs() / 1e9 / s.count(),
        s.quantiles()[0] / 1e9,
        s.quantiles()[1] / 1e9,
        s.quantiles()[2] / 1e9,
        s.quantiles()[3] / 1e9,
        wallNs == 0 ? 0 : s.selfNs() / wallNs);
  }

  /**
   * One pass over the spans.
   *
   * @param endsOpenSpans whether there are sessions whose end, not now, is that of their open spans
   */
  private List<Stage> stages(boolean endsOpenSpans) throws SQLException {
    Sql spans = endsOpenSpans ? closed().plus("UNION ALL").plus(open()) : closedAndOpen();
    return query.list(
        Sql.of("SELECT stage, op, count(*), sum(open), sum(d), sum(self_ns),")
            .plus("quantile_cont(d, [0.5, 0.95, 0.99, 1.0]) FROM (")
            .plus(spans)
            .plus(") GROUP BY stage, op"),
        Hotspots::stage);
  }

  private Sql closedAndOpen() {
    return Sql.of("SELECT stage, op, (end_ns IS NULL)::INTEGER AS open, greatest(0,")
        .plus("coalesce(end_ns, ?) - start_ns) AS d, self_ns FROM (", question.nowNs())
        .plus(
            selection.spans("stage, " + Words.OP + " AS op, start_ns, end_ns, self_ns", Words.WORK))
        .plus(")");
  }

  private Sql closed() {
    return selection.spans(
        "stage, " + Words.OP + " AS op, 0 AS open, greatest(0, end_ns - start_ns) AS d, self_ns",
        "end_ns IS NOT NULL AND " + Words.CLOSED_WORK);
  }

  private Sql open() {
    return Sql.of("SELECT stage, op, 1, greatest(0, CASE WHEN finalised OR beat <> 'utc'")
        .plus("THEN until ELSE ? END - start_ns), self_ns FROM (", question.nowNs())
        .plus(
            selection.spans(
                "stage, " + Words.OP + " AS op, start_ns, self_ns, session",
                "end_ns IS NULL AND " + Words.WORK))
        .plus(") LEFT JOIN (SELECT session AS id, finalised, end_ns AS until, clock AS beat")
        .plus("FROM sessions WHERE run = ? AND open_count > 0) ON session = id", question.run());
  }

  private static Stage stage(ResultSet row) throws SQLException {
    return new Stage(
        new StageKey(row.getString(1), row.getBoolean(2)),
        row.getInt(3),
        row.getInt(4),
        row.getDouble(5),
        row.getDouble(6),
        Cells.doubles(row, 7));
  }

  private Sessions sessions() throws SQLException {
    return query.first(
        Sql.of(
                "SELECT count(*), count(work_start_ns),"
                    + " coalesce(max(work_end_ns - work_start_ns), 0),"
                    + " min(work_start_ns), max(work_end_ns), sum(wall_ns), "
                    + Cells.WAIT_SUMS
                    + ", count(*) FILTER (open_count > 0 AND (finalised OR clock <> 'utc'))"
                    + " FROM")
            .plus(selection.sessions()),
        row ->
            new Sessions(
                row.getInt(1),
                row.getInt(2),
                row.getLong(3),
                Cells.longOrNull(row, 4),
                Cells.longOrNull(row, 5),
                row.getDouble(6),
                Cells.waits(row, 7),
                row.getLong(12) > 0));
  }

  private Lanes lanes() throws SQLException {
    return query.first(
        Sql.of("SELECT min(first), max(last), coalesce(sum(until - first), 0) FROM (")
            .plus("SELECT min(start_ns) AS first, max(coalesce(end_ns, start_ns)) AS until,")
            .plus("max(coalesce(end_ns, greatest(start_ns, ?))) AS last FROM (", question.nowNs())
            .plus(
                selection.laneSpans(
                    "start_ns, end_ns, lane, worker_role, worker_rank, host, pid, instance"))
            .plus(") GROUP BY lane, worker_role, worker_rank, host, pid, instance)"),
        row -> new Lanes(Cells.longOrNull(row, 1), Cells.longOrNull(row, 2), row.getDouble(3)));
  }

  /** The most frequent errors, and how many each stage has. */
  private List<ErrorGroup> errors(Map<StageKey, Integer> counts) throws SQLException {
    List<ErrorGroup> top = new ArrayList<>();
    Sql sql =
        Sql.of("WITH e AS MATERIALIZED (SELECT stage, op, error, count(*) AS n,")
            .plus("min(place) AS example FROM (")
            .plus(
                selection.spans(
                    "stage, "
                        + Words.OP
                        + " AS op, "
                        + Words.ERROR
                        + " AS error, coalesce(session, lane, '') AS place",
                    "outcome = 'error' AND " + Words.CLOSED_WORK))
            .plus(") GROUP BY stage, op, error)")
            .plus("SELECT stage, op, NULL, sum(n), NULL FROM e GROUP BY stage, op")
            .plus("UNION ALL SELECT stage, NULL, error, n, example FROM (SELECT stage, error,")
            .plus("sum(n) AS n, min(example) AS example FROM e GROUP BY stage, error")
            .plus("ORDER BY n DESC, stage, error LIMIT " + SHOWN_ERRORS + ")");
    query.each(
        sql,
        row -> {
          String error = row.getString(3);
          if (error == null) {
            counts.put(new StageKey(row.getString(1), row.getBoolean(2)), row.getInt(4));
          } else {
            top.add(new ErrorGroup(row.getString(1), error, row.getLong(4), row.getString(5)));
          }
        });
    top.sort(
        Comparator.comparingLong(ErrorGroup::count)
            .reversed()
            .thenComparing(ErrorGroup::stage)
            .thenComparing(ErrorGroup::error));
    return top;
  }
}
