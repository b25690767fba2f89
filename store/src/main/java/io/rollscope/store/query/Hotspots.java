package io.rollscope.store.query;

import io.rollscope.core.model.Kind;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.Distribution;
import io.rollscope.core.view.ErrorGroups.ErrorGroup;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.HotspotsReport.Waits;
import io.rollscope.core.view.ReportContext;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Where the time went: {@link io.rollscope.core.view.HotspotsView}, told by SQL. */
final class Hotspots {
  private static final int SHOWN_ERRORS = 20;

  /** Stages beyond these, by self time, are one. */
  static final int MOST_STAGES = 1_000;

  private static final String OTHER = "(other)";

  private final Query query;
  private final Question question;
  private final Selection selection;
  private final Detail detail;

  private record StageKey(String stage, boolean op) {}

  /** One stage before it is known what part of the whole it is. */
  private record Stage(
      StageKey key,
      int count,
      int open,
      double totalNs,
      double selfNs,
      double[] quantiles,
      List<Integer> distribution) {}

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

  private Hotspots(Query query, Question question, Detail detail) throws SQLException {
    this.query = query;
    this.question = question;
    this.detail = detail;
    this.selection = Selection.of(query, question);
  }

  static HotspotsReport of(Query query, Question question, Detail detail, ReportContext context)
      throws SQLException {
    return new Hotspots(query, question, detail).report(context);
  }

  private HotspotsReport report(ReportContext context) throws SQLException {
    Sessions sessions = sessions();
    WorkSpans spans = new WorkSpans(selection, question, sessions.endsOpenSpans());
    List<Stage> stages = stages(spans);
    StageWorkers workers = detail.workers() ? StageWorkers.of(query, spans) : null;
    boolean ops = stages.stream().anyMatch(s -> s.key().op());
    Lanes lanes = ops ? lanes() : Lanes.NONE;
    Map<StageKey, Integer> errorCounts = new HashMap<>();
    Set<StageKey> shown = stages.stream().map(Stage::key).collect(Collectors.toSet());
    List<ErrorGroup> errors = errors(shown, errorCounts);
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
        Distribution.boundsSeconds(),
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
        detail.nesting() ? StageNesting.of(query, spans) : null,
        workers == null ? null : workers.lines(),
        workers == null ? null : workers.leftOut(),
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
        wallNs == 0 ? 0 : s.selfNs() / wallNs,
        s.distribution());
  }

  /** One pass over the spans, and a second one where there are too many stages. */
  private List<Stage> stages(WorkSpans spans) throws SQLException {
    List<Stage> all = stages(spans.read(""), MOST_STAGES + 1);
    if (all.size() <= MOST_STAGES) {
      return all;
    }
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE shown_stages AS SELECT stage, op FROM (")
            .plus(spans.read(""))
            .plus(") GROUP BY stage, op ORDER BY sum(self_ns) DESC, sum(d) DESC, stage, op")
            .plus("LIMIT " + MOST_STAGES));
    return stages(
        Sql.of("SELECT coalesce(t.stage, '" + OTHER + "') AS stage, s.op, open, d, self_ns FROM (")
            .plus(spans.read(""))
            .plus(") s LEFT JOIN shown_stages t ON t.stage = s.stage AND t.op = s.op"),
        MOST_STAGES + 2);
  }

  private List<Stage> stages(Sql spans, int most) throws SQLException {
    String bounds =
        Arrays.stream(Distribution.boundsNs())
            .mapToObj(Long::toString)
            .collect(Collectors.joining(", "));
    return query.list(
        Sql.of("SELECT stage, op, count(*), sum(open), sum(d), sum(self_ns),")
            .plus("quantile_cont(d, [0.5, 0.95, 0.99, 1.0]),")
            .plus("histogram(CASE WHEN open = 0 THEN d END, [" + bounds + "]::BIGINT[]) FROM (")
            .plus(spans)
            .plus(") GROUP BY stage, op LIMIT " + most),
        Hotspots::stage);
  }

  private static Stage stage(ResultSet row) throws SQLException {
    int closed = row.getInt(3) - row.getInt(4);
    return new Stage(
        new StageKey(row.getString(1), row.getBoolean(2)),
        row.getInt(3),
        row.getInt(4),
        row.getDouble(5),
        row.getDouble(6),
        Cells.doubles(row, 7),
        distribution(row.getObject(8), closed));
  }

  /** What no bucket counts is above all bounds. */
  private static List<Integer> distribution(Object histogram, int closed) {
    List<Integer> counts = new ArrayList<>();
    int counted = 0;
    for (long bound : Distribution.boundsNs()) {
      Object count = histogram instanceof Map<?, ?> buckets ? buckets.get(bound) : null;
      int spans = count == null ? 0 : ((Number) count).intValue();
      counts.add(spans);
      counted += spans;
    }
    counts.add(closed - counted);
    return counts;
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
  private List<ErrorGroup> errors(Set<StageKey> shown, Map<StageKey, Integer> counts)
      throws SQLException {
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
            StageKey key = new StageKey(row.getString(1), row.getBoolean(2));
            counts.merge(
                shown.contains(key) ? key : new StageKey(OTHER, key.op()),
                row.getInt(4),
                Integer::sum);
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
