package io.rollscope.store.query;

import io.rollscope.core.time.NanoSum;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.Distribution;
import io.rollscope.core.view.ErrorGroups.ErrorGroup;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.HotspotsReport.Waits;
import io.rollscope.core.view.ReportContext;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private record StageKey(String stage, String kind, boolean lane) {}

  /** One stage before it is known what part of the whole it is. */
  private record Stage(
      StageKey key,
      int count,
      int open,
      int errors,
      double totalNs,
      NanoSum self,
      double[] quantiles,
      List<Integer> distribution) {}

  private record Sessions(
      int sessions,
      int tasks,
      long longest,
      Long first,
      Long last,
      double sharedNs,
      NanoSum unaccounted,
      boolean corrected,
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
    NanoSum siblings = new NanoSum();
    if (sessions.corrected()) {
      correct(stages, sessions, siblings);
    }
    boolean lane = stages.stream().anyMatch(s -> s.key().lane());
    Lanes lanes = lane ? lanes() : Lanes.NONE;
    List<ErrorGroup> errors = stages.stream().anyMatch(s -> s.errors() > 0) ? errors() : List.of();
    StageWorkers workers =
        detail.workers() ? StageWorkers.of(query, spans, corrections(sessions)) : null;
    Long first = sessions.first() != null ? sessions.first() : lanes.first();
    Long last = sessions.first() != null ? sessions.last() : lanes.last();
    Waits waits = sessions.waits();
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
            .map(s -> stats(s, s.key().lane() ? lanes.wallNs() : sessions.sharedNs()))
            .sorted(
                Comparator.comparingDouble(StageStats::p95S)
                    .thenComparingDouble(StageStats::totalS)
                    .reversed()
                    .thenComparing(StageStats::stage)
                    .thenComparing(StageStats::kind))
            .toList(),
        new Waits(
            waits.queueS(),
            waits.gapS(),
            siblings.seconds(),
            waits.barrierS(),
            sessions.unaccounted().seconds(),
            waits.outsideS()),
        waits.outsideS() > 0 ? OutsideTime.most(query, selection) : null,
        0,
        errors,
        detail.nesting() ? StageNesting.of(query, spans, corrections(sessions)) : null,
        workers == null ? null : workers.lines(),
        workers == null ? null : workers.leftOut(),
        context.otherRuns(),
        context.skippedLines());
  }

  private Sql corrections(Sessions sessions) {
    return sessions.corrected() ? SelfTimes.corrections(selection) : null;
  }

  /** Takes waits for siblings out of the self times, and adds what was found out later. */
  private void correct(List<Stage> stages, Sessions sessions, NanoSum siblings)
      throws SQLException {
    Map<StageKey, Stage> byKey = new HashMap<>();
    stages.forEach(stage -> byKey.put(stage.key(), stage));
    query.each(
        Sql.of("SELECT stage, kind, wait, sum(ns)::HUGEINT FROM (")
            .plus(SelfTimes.corrections(selection))
            .plus(") GROUP BY stage, kind, wait"),
        row -> {
          BigInteger more = (BigInteger) row.getObject(4);
          StageKey key = new StageKey(row.getString(1), row.getString(2), false);
          Stage stage = byKey.get(key);
          stage = stage == null ? byKey.get(new StageKey(OTHER, key.kind(), false)) : stage;
          if (stage != null) {
            stage.self().add(more);
          }
          (row.getBoolean(3) ? siblings : sessions.unaccounted()).add(more.negate());
        });
  }

  private static StageStats stats(Stage s, double wallNs) {
    return new StageStats(
        s.key().stage(),
        s.key().kind(),
        s.count(),
        s.open(),
        s.errors(),
        s.totalNs() / 1e9,
        s.self().seconds(),
        s.totalNs() / 1e9 / s.count(),
        s.quantiles()[0] / 1e9,
        s.quantiles()[1] / 1e9,
        s.quantiles()[2] / 1e9,
        s.quantiles()[3] / 1e9,
        wallNs == 0 ? 0 : s.self().seconds() / (wallNs / 1e9),
        s.distribution());
  }

  /** One pass over the spans, and a second one where there are too many stages. */
  private List<Stage> stages(WorkSpans spans) throws SQLException {
    List<Stage> all = stages(spans.read(", outcome"), MOST_STAGES + 1);
    if (all.size() <= MOST_STAGES) {
      return all;
    }
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE shown_stages AS SELECT stage, kind, lane FROM (")
            .plus(spans.read(""))
            .plus(") GROUP BY stage, kind, lane")
            .plus("ORDER BY sum(self_ns) DESC, sum(d) DESC, stage, kind, lane")
            .plus("LIMIT " + MOST_STAGES));
    return stages(
        Sql.of("SELECT coalesce(t.stage, '" + OTHER + "') AS stage, s.* EXCLUDE (stage) FROM (")
            .plus(spans.read(", outcome"))
            .plus(") s LEFT JOIN shown_stages t")
            .plus("ON t.stage = s.stage AND t.kind = s.kind AND t.lane = s.lane"),
        MOST_STAGES + 6);
  }

  private List<Stage> stages(Sql spans, int most) throws SQLException {
    String bounds =
        Arrays.stream(Distribution.boundsNs())
            .mapToObj(Long::toString)
            .collect(Collectors.joining(", "));
    return query.list(
        Sql.of("SELECT stage, kind, lane, count(*), sum(open),")
            .plus("count(*) FILTER (outcome = 'error' AND open = 0), sum(d),")
            .plus("sum(self_ns)::HUGEINT, quantile_cont(d, [0.5, 0.95, 0.99, 1.0]),")
            .plus("histogram(CASE WHEN open = 0 THEN d END, [" + bounds + "]::BIGINT[]) FROM (")
            .plus(spans)
            .plus(") GROUP BY stage, kind, lane LIMIT " + most),
        Hotspots::stage);
  }

  private static Stage stage(ResultSet row) throws SQLException {
    NanoSum self = new NanoSum();
    self.add((BigInteger) row.getObject(8));
    return new Stage(
        new StageKey(row.getString(1), row.getString(2), row.getBoolean(3)),
        row.getInt(4),
        row.getInt(5),
        row.getInt(6),
        row.getDouble(7),
        self,
        Cells.doubles(row, 9),
        distribution(row.getObject(10), row.getInt(4) - row.getInt(5)));
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
                    + " coalesce(max(work_end_ns - work_start_ns), 0), min(work_start_ns),"
                    + " max(work_end_ns), coalesce(sum(wall_ns) - sum(barrier_ns), 0),"
                    + " count(*) FILTER (open_count > 0 AND (finalised OR clock <> 'utc')),"
                    + " count(task) + count(inferred_group) + count(restated), sum(unaccounted_ns)::HUGEINT,"
                    + " coalesce(sum(queue_ns), 0), coalesce(sum(gap_ns), 0), 0,"
                    + " coalesce(sum(barrier_ns), 0), 0, coalesce(sum(outside_ns), 0) FROM")
            .plus(selection.sessions()),
        row -> {
          NanoSum unaccounted = new NanoSum();
          if (row.getObject(9) instanceof BigInteger sum) {
            unaccounted.add(sum);
          }
          return new Sessions(
              row.getInt(1),
              row.getInt(2),
              row.getLong(3),
              Cells.longOrNull(row, 4),
              Cells.longOrNull(row, 5),
              row.getDouble(6),
              unaccounted,
              row.getLong(8) > 0,
              Cells.waits(row, 10),
              row.getLong(7) > 0);
        });
  }

  private Lanes lanes() throws SQLException {
    return query.first(
        Sql.of("SELECT min(first), max(last), coalesce(sum(wall), 0) FROM (")
            .plus("SELECT min(start_ns) FILTER (work) AS first,")
            .plus("max(until) FILTER (work) AS last, max(until) - min(start_ns) AS wall FROM (")
            .plus("SELECT *, coalesce(end_ns, greatest(start_ns, ?)) AS until", question.nowNs())
            .plus("FROM (")
            .plus(selection.laneSpans("start_ns, end_ns, lane, " + Words.WORK + " AS work"))
            .plus(")) GROUP BY lane HAVING bool_or(work))"),
        row -> new Lanes(Cells.longOrNull(row, 1), Cells.longOrNull(row, 2), row.getDouble(3)));
  }

  /** The most frequent errors. */
  private List<ErrorGroup> errors() throws SQLException {
    return query.list(
        Sql.of("SELECT stage, error, count(*) AS n, min(place) FROM (")
            .plus(
                selection.spans(
                    "stage, " + Words.ERROR + " AS error, coalesce(session, lane, '') AS place",
                    "outcome = 'error' AND end_ns IS NOT NULL AND " + Words.CLOSED_WORK))
            .plus(") GROUP BY stage, error ORDER BY n DESC, stage, error LIMIT " + SHOWN_ERRORS),
        row ->
            new ErrorGroup(row.getString(1), row.getString(2), row.getLong(3), row.getString(4)));
  }
}
