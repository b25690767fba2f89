package io.rollscope.store.query;

import io.rollscope.core.accounting.BatchTotals;
import io.rollscope.core.accounting.Group;
import io.rollscope.core.time.NanoSum;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.BatchesReport.Batch;
import io.rollscope.core.view.HotspotsReport.Waits;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionFilter;
import io.rollscope.core.view.SessionSteps;
import io.rollscope.core.view.Stragglers;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tells how the batches of a run went: {@link io.rollscope.core.view.BatchesView}, told by SQL. A
 * session counts for the batch it was last heard of in; of a run that names none, for the step that
 * took it.
 */
final class BatchStory {
  static final int MAX_BATCHES = 1_000;

  /** Of so many at most it is found out who was the slowest. */
  private static final int MOST_SLOW = 20_000;

  private static final String NEWEST_FIRST =
      "ORDER BY train_step DESC NULLS LAST, model_step DESC NULLS LAST,"
          + " future_step DESC NULLS LAST, first DESC, batch";

  private static final String GROUP =
      "coalesce('t' || task, 'i' || inferred_group, 's' || session)";

  private final BatchTotals totals = new BatchTotals();
  private final Map<String, Integer> statuses = new TreeMap<>();
  private final NanoSum[] sums = new NanoSum[7];
  private final Map<String, NanoSum> stages = new HashMap<>();
  private final Stragglers stragglers = new Stragglers();
  private final String batch;
  private final Long[] steps;

  private BatchStory(String batch, Long... steps) {
    this.batch = batch;
    this.steps = steps;
    for (int i = 0; i < sums.length; i++) {
      sums[i] = new NanoSum();
    }
  }

  /**
   * Makes the report.
   *
   * @param batchSize AReaL's consumer batch size, by which steps are told; or null
   */
  static BatchesReport of(
      Query query, Question question, Integer batchSize, int limit, String source)
      throws SQLException {
    Question everything =
        new Question(question.run(), Scope.ALL, SessionFilter.NONE, question.nowNs());
    Selection selection = Selection.of(query, everything);
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE members AS SELECT session, NULL::VARCHAR AS batch")
            .plus("FROM accounted LIMIT 0"));
    boolean named =
        query.first(
            Sql.of("SELECT count(batch) FROM accounted WHERE run = ?", question.run()),
            row -> row.getLong(1) > 0);
    if (!named) {
      derive(query, StoredSteps.read(query, selection, everything, batchSize), batchSize);
    }
    return new Telling(query, everything, named).report(limit, source);
  }

  /** Writes which step took which session. */
  private static void derive(Query query, StoredSteps steps, Integer batchSize)
      throws SQLException {
    Map<Integer, Long> derived = steps.result(batchSize).derived();
    try (var rows = query.appender("members")) {
      for (Map.Entry<Integer, Long> taken : derived.entrySet()) {
        rows.beginRow();
        rows.append(steps.session(taken.getKey()));
        rows.append(SessionSteps.batchOf(taken.getValue()));
        rows.endRow();
      }
    }
  }

  /** The statements that tell of all batches. */
  private static final class Telling {
    private final Query query;
    private final Question question;
    private final Map<String, BatchStory> stories = new LinkedHashMap<>();
    private final Sql sessions;
    private final Sql sessionsInGroups;

    Telling(Query query, Question question, boolean named) {
      this.query = query;
      this.question = question;
      this.sessions = inBatches("accounted", named);
      this.sessionsInGroups = inBatches("sessions", named);
    }

    private Sql inBatches(String rows, boolean named) {
      if (named) {
        return Sql.of("(SELECT * FROM " + rows + " WHERE run = ?", question.run())
            .plus("AND batch IS NOT NULL)");
      }
      return Sql.of("(SELECT s.* REPLACE (m.batch AS batch, regexp_extract(m.batch, '\\d+$')")
          .plus("::BIGINT AS train_step) FROM " + rows + " s JOIN members m USING (session)")
          .plus("WHERE run = ?)", question.run());
    }

    BatchesReport report(int limit, String source) throws SQLException {
      long[] all = {0};
      query.execute(
          Sql.of("CREATE OR REPLACE TEMP TABLE told AS SELECT batch, max(train_step) AS")
              .plus("train_step, max(model_step) AS model_step, max(future_step) AS future_step,")
              .plus("min(start_ns) AS first, count(*) OVER () AS n FROM")
              .plus(sessions)
              .plus("GROUP BY batch " + NEWEST_FIRST)
              .plus("LIMIT " + Math.max(1, Math.min(limit, MAX_BATCHES))));
      Map<Integer, BatchStory> byNumber = new HashMap<>();
      query.each(
          Sql.of("SELECT batch, train_step, model_step, future_step, n, rowid FROM told")
              .plus(NEWEST_FIRST),
          row -> {
            all[0] = row.getLong(5);
            Long[] steps = {
              Cells.longOrNull(row, 2), Cells.longOrNull(row, 3), Cells.longOrNull(row, 4)
            };
            BatchStory story = new BatchStory(row.getString(1), steps);
            stories.put(row.getString(1), story);
            byNumber.put(row.getInt(6), story);
          });
      readTimes(byNumber);
      readSums();
      readStages();
      readLanes();
      readSlowest();
      return new BatchesReport(
          source,
          question.run(),
          stories.values().stream().map(BatchStory::batch).toList(),
          all[0] - stories.size());
    }

    private void each(Sql sql, Taker taker) throws SQLException {
      query.each(
          sql,
          row -> {
            BatchStory story = stories.get(row.getString(1));
            if (story != null) {
              taker.take(story, row);
            }
          });
    }

    /** When its sessions began and were done: the only thing that is read row by row. */
    private void readTimes(Map<Integer, BatchStory> byNumber) throws SQLException {
      query.each(
          Sql.of("SELECT t.rowid, s.start_ns, s.start_ns + s.work_ns,")
              .plus("s.status IN ('queued', 'running') FROM")
              .plus(sessions)
              .plus("s JOIN told t USING (batch)"),
          row ->
              byNumber
                  .get(row.getInt(1))
                  .totals
                  .add(row.getLong(2), row.getLong(3), row.getBoolean(4)));
    }

    private void readSums() throws SQLException {
      each(
          Sql.of("SELECT batch, status, count(*), sum(wall_ns)::HUGEINT, sum(queue_ns)::HUGEINT,")
              .plus("sum(gap_ns)::HUGEINT, sum(siblings_ns)::HUGEINT, sum(barrier_ns)::HUGEINT,")
              .plus("sum(" + Words.UNACCOUNTED + ")::HUGEINT, sum(outside_ns)::HUGEINT,")
              .plus(Cells.EARNED + " FROM")
              .plus(sessionsInGroups)
              .plus("WHERE batch IN (SELECT batch FROM told) GROUP BY batch, status"),
          (story, row) -> {
            story.statuses.put(row.getString(2), row.getInt(3));
            story.totals.earned(Cells.earned(row, 11));
            for (int i = 0; i < story.sums.length; i++) {
              story.sums[i].add((BigInteger) row.getObject(4 + i));
            }
          });
    }

    private void readStages() throws SQLException {
      Taker add =
          (story, row) ->
              story
                  .stages
                  .computeIfAbsent(row.getString(2), s -> new NanoSum())
                  .add((BigInteger) row.getObject(3));
      Sql spans =
          Sql.of("FROM spans WHERE run = ? AND session IS NOT NULL AND", question.run())
              .plus(Words.WORK);
      boolean derived = query.first(Sql.of("SELECT 1 FROM members LIMIT 1"), row -> true) != null;
      if (derived) {
        spans =
            Sql.of("FROM (SELECT m.batch, stage, self_ns FROM (SELECT session, stage, self_ns")
                .plus(spans)
                .plus(") JOIN members m USING (session)) WHERE TRUE");
      }
      each(
          Sql.of("SELECT batch, stage, sum(self_ns)::HUGEINT")
              .plus(spans)
              .plus("AND batch IN (SELECT batch FROM told) GROUP BY batch, stage"),
          add);
      if (!derived) {
        each(
            Sql.of("SELECT s.batch, stage, sum(self_ns)::HUGEINT FROM (SELECT session, stage,")
                .plus("self_ns")
                .plus(spans)
                .plus("AND batch IS NULL) JOIN")
                .plus(sessions)
                .plus("s USING (session) WHERE s.batch IN (SELECT batch FROM told)")
                .plus("GROUP BY s.batch, stage"),
            add);
      }
      each(
          Sql.of(
                  "SELECT batch, c.stage, sum(-greatest(0, least(c.to_ns, others_end_ns) - c.from_ns))")
              .plus("::HUGEINT FROM (SELECT batch, unnest(candidates) AS c, others_end_ns FROM")
              .plus(sessionsInGroups)
              .plus("WHERE candidates IS NOT NULL AND others_end_ns IS NOT NULL)")
              .plus("WHERE batch IN (SELECT batch FROM told) GROUP BY batch, c.stage"),
          add);
      each(
          Sql.of("SELECT batch, c.stage, sum(c.to_ns)::HUGEINT FROM")
              .plus("(SELECT batch, unnest(restated) AS c FROM")
              .plus(sessions)
              .plus("WHERE restated IS NOT NULL)")
              .plus("WHERE batch IN (SELECT batch FROM told) GROUP BY batch, c.stage"),
          add);
    }

    /** The batches' own spans, and what processes did for them. */
    private void readLanes() throws SQLException {
      Map<String, BatchTotals> lanes = new HashMap<>();
      query.each(
          Sql.of("SELECT batch, kind, stage, start_ns, coalesce(end_ns, ?)", question.nowNs())
              .plus("FROM spans WHERE run = ? AND session IS NULL", question.run())
              .plus("AND batch IS NOT NULL AND kind NOT IN ('session', 'task')"),
          row -> {
            BatchTotals lane = lanes.computeIfAbsent(row.getString(1), b -> new BatchTotals());
            if (row.getString(2).equals("batch")) {
              lane.span(row.getLong(4), row.getLong(5));
            } else {
              lane.part(row.getString(3), row.getLong(4), row.getLong(5));
            }
          });
      for (BatchStory story : stories.values()) {
        Set<String> names =
            story.steps[0] == null
                ? Set.of(story.batch)
                : new LinkedHashSet<>(List.of(story.batch, SessionSteps.batchOf(story.steps[0])));
        names.stream()
            .filter(lanes::containsKey)
            .forEach(name -> story.totals.addAll(lanes.get(name)));
      }
    }

    /** Those that may be among the slowest: as late as the third of different groups. */
    private void readSlowest() throws SQLException {
      query.execute(
          Sql.of("CREATE OR REPLACE TEMP TABLE slow AS SELECT s.session, s.batch, s.status,")
              .plus("s.worker_role, s.worker_rank, s.start_ns + s.own_ns AS own_end, s.wall_ns,")
              .plus("s.wall_ns - s.queue_ns - s.barrier_ns AS own, s.task, s.inferred_group FROM")
              .plus(sessions)
              .plus("s JOIN (SELECT batch, list_min(max(latest, 3)) AS third FROM")
              .plus("(SELECT batch, max(start_ns + own_ns) AS latest FROM")
              .plus(sessions)
              .plus("WHERE batch IN (SELECT batch FROM told) GROUP BY batch, " + GROUP + ")")
              .plus("GROUP BY batch) USING (batch) WHERE s.start_ns + s.own_ns >= third")
              .plus("LIMIT " + MOST_SLOW));
      Map<String, Map.Entry<String, Long>> longest = new HashMap<>();
      query.each(
          Sql.of(
                  "SELECT session, stage, sum(ns) AS self FROM (SELECT session, stage, self_ns AS ns")
              .plus("FROM spans WHERE run = ? AND " + Words.WORK, question.run())
              .plus("AND session IN (SELECT session FROM slow)")
              .plus("UNION ALL SELECT session, c.stage, c.to_ns FROM")
              .plus(SelfTimes.restated(question.run()))
              .plus("WHERE session IN (SELECT session FROM slow))")
              .plus("GROUP BY session, stage ORDER BY self, stage DESC"),
          row -> longest.put(row.getString(1), Map.entry(row.getString(2), row.getLong(3))));
      each(
          Sql.of("SELECT batch, session, status, worker_role, worker_rank, own_end, wall_ns, own,")
              .plus("task, inferred_group FROM slow"),
          (story, row) -> {
            Map.Entry<String, Long> stage = longest.get(row.getString(2));
            story.stragglers.add(
                new Stragglers.Slow(
                    Group.of(row.getString(1), row.getString(9), row.getString(10)),
                    row.getString(2),
                    row.getString(3),
                    Cells.worker(row, 4).label(),
                    row.getLong(6),
                    row.getLong(8),
                    row.getLong(7),
                    stage == null ? null : stage.getKey(),
                    stage == null ? 0 : stage.getValue()));
          });
    }
  }

  /** Takes a row about a batch. */
  @FunctionalInterface
  private interface Taker {
    void take(BatchStory story, ResultSet row) throws SQLException;
  }

  private Batch batch() {
    BatchTotals.Result r = totals.result();
    Map<String, Double> parts = new LinkedHashMap<>();
    totals.parts().forEach((stage, ns) -> parts.put(stage, ns / 1e9));
    return new Batch(
        batch,
        steps[0],
        steps[1],
        steps[2],
        r.sessions(),
        statuses,
        r.startNs() / 1e9,
        r.endNs() / 1e9,
        r.wallNs() / 1e9,
        r.slots(),
        r.tailNs() / 1e9,
        r.tailCost().seconds(),
        sums[0].seconds(),
        totals.earned().reward(),
        totals.earned().inputTokens(),
        totals.earned().outputTokens(),
        parts,
        longestFirst(),
        new Waits(
            sums[1].seconds(),
            sums[2].seconds(),
            sums[3].seconds(),
            sums[4].seconds(),
            sums[5].seconds(),
            sums[6].seconds()),
        stragglers.list());
  }

  private Map<String, Double> longestFirst() {
    Map<String, Double> sorted = new LinkedHashMap<>();
    stages.entrySet().stream()
        .map(e -> Map.entry(e.getKey(), e.getValue().seconds()))
        .sorted(
            Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(e -> sorted.put(e.getKey(), e.getValue()));
    return sorted;
  }
}
