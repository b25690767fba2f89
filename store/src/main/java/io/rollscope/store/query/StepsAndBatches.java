package io.rollscope.store.query;

import io.rollscope.core.accounting.BatchTotals;
import io.rollscope.core.steps.StepBoundaries;
import io.rollscope.core.view.SessionsReport.Batch;
import io.rollscope.core.view.SessionsReport.Step;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which sessions went into which training step, and how well each batch used its time. */
final class StepsAndBatches {

  /** What is known of steps. */
  record Steps(String rule, String note, List<Step> steps, int unassigned) {}

  private record Ended(
      Long step, long end, Long rank, String task, boolean accepted, boolean undecided) {}

  private static final class StepCount {
    long end = Long.MIN_VALUE;
    int sessions;
    int accepted;

    void add(Ended session) {
      end = Math.max(end, session.end());
      sessions++;
      accepted += session.accepted() ? 1 : 0;
    }
  }

  private static final int MAX_SESSIONS = 5_000_000;

  private final Map<String, BatchTotals> batches =
      new TreeMap<>(Comparator.comparing(String::length).thenComparing(s -> s));
  private final List<Ended> ended = new ArrayList<>();
  private long first = Long.MAX_VALUE;

  private StepsAndBatches() {}

  /** Reads the sessions; an unfinished one counts up to when it was last heard of. */
  static StepsAndBatches read(Query query, Selection selection, String run) throws SQLException {
    StepsAndBatches all = new StepsAndBatches();
    Long since =
        query.first(
            Sql.of("SELECT min(least(start_ns, work_start_ns)) FROM")
                .plus(selection.sessions())
                .plus("WHERE status = 'running'"),
            row -> Cells.longOrNull(row, 1));
    Sql heard =
        since == null
            ? Sql.of(", (SELECT NULL::BIGINT AS heard)")
            : Sql.of("LEFT JOIN (SELECT session AS id, max(coalesce(end_ns, start_ns)) AS heard")
                .plus("FROM spans WHERE run = ? AND start_ns >= ?", run, since)
                .plus("AND session IN (SELECT session FROM")
                .plus(selection.sessions())
                .plus("WHERE status = 'running') GROUP BY session)")
                .plus("ON session = id AND NOT finalised");
    query.each(
        Sql.of("SELECT batch, start_ns, end_ns, coalesce(heard, end_ns), train_step,")
            .plus("worker_rank, task, status IN ('accepted', 'completed'), NOT finalised")
            .plus("AND session IN (SELECT session FROM spans WHERE run = ?", run)
            .plus("AND kind = 'session') FROM")
            .plus(selection.sessions())
            .plus(heard)
            .plus("LIMIT " + MAX_SESSIONS),
        all::add);
    return all;
  }

  private void add(ResultSet row) throws SQLException {
    String batch = row.getString(1);
    long start = row.getLong(2);
    first = Math.min(first, start);
    if (batch != null) {
      batches.computeIfAbsent(batch, b -> new BatchTotals()).add(start, row.getLong(3), false);
    }
    ended.add(
        new Ended(
            Cells.longOrNull(row, 5),
            row.getLong(4),
            Cells.longOrNull(row, 6),
            row.getString(7),
            row.getBoolean(8),
            row.getBoolean(9)));
  }

  int sessions() {
    return ended.size();
  }

  List<Batch> batches() {
    List<Batch> all = new ArrayList<>();
    batches.forEach(
        (id, accounting) -> {
          BatchTotals.Result r = accounting.result();
          all.add(
              new Batch(
                  id,
                  r.sessions(),
                  r.wallNs() / 1e9,
                  r.slots(),
                  r.tailNs() / 1e9,
                  r.tailCost().seconds()));
        });
    return all;
  }

  Steps steps(Integer batchSize) {
    if (batchSize != null) {
      return byBatchSize(batchSize);
    }
    TreeMap<Long, StepCount> counts = new TreeMap<>();
    int unassigned = 0;
    for (Ended session : ended) {
      if (session.step() == null) {
        unassigned++;
      } else {
        counts.computeIfAbsent(session.step(), s -> new StepCount()).add(session);
      }
    }
    if (counts.isEmpty()) {
      return new Steps(
          "none", "no training steps recorded; -B N guesses them", List.of(), unassigned);
    }
    List<Step> steps = new ArrayList<>();
    counts.forEach((number, n) -> steps.add(step(number, n.end, n)));
    return new Steps("training-steps", "by the step each session names", steps, unassigned);
  }

  private Steps byBatchSize(int batchSize) {
    StepBoundaries boundaries = new StepBoundaries();
    Set<Long> ranks = new HashSet<>();
    for (Ended session : ended) {
      boolean known = session.rank() != null && session.task() != null && !session.undecided();
      if (session.accepted() && known) {
        boundaries.accepted(session.rank(), session.task(), session.end());
        ranks.add(session.rank());
      }
    }
    List<Long> ends = boundaries.ends(batchSize);
    StepCount[] counts = new StepCount[ends.size()];
    for (int k = 0; k < counts.length; k++) {
      counts[k] = new StepCount();
    }
    int unassigned = 0;
    for (Ended session : ended) {
      // Who waits for a verdict is in no step (contracts.md 5.18).
      int step = session.undecided() ? -1 : StepBoundaries.stepOf(ends, session.end());
      if (step < 0 || step >= counts.length) {
        unassigned++;
      } else {
        counts[step].add(session);
      }
    }
    List<Step> steps = new ArrayList<>();
    for (int k = 0; k < counts.length; k++) {
      steps.add(step(k, ends.get(k), counts[k]));
    }
    int each = ranks.isEmpty() ? 0 : batchSize / ranks.size();
    String note =
        each < 1
            ? "batch size " + batchSize + " is below the number of ranks, " + ranks.size()
            : ends.isEmpty()
                ? "not every rank completed " + each + " tasks"
                : ranks.size() + " ranks, " + each + " tasks per rank and step";
    return new Steps("areal-batch-size", note, steps, unassigned);
  }

  private Step step(long number, long endNs, StepCount n) {
    return new Step(number, (endNs - first) / 1e9, n.sessions, n.accepted);
  }
}
