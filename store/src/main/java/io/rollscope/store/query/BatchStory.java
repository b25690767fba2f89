package io.rollscope.store.query;

import io.rollscope.core.accounting.BatchTotals;
import io.rollscope.core.time.NanoSum;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.BatchesReport.Batch;
import io.rollscope.core.view.BatchesReport.Straggler;
import io.rollscope.core.view.HotspotsReport.Waits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tells how the batches of a run went. A session counts for the batch it was last heard of in. */
final class BatchStory {
  static final int MAX_BATCHES = 1_000;
  private static final int STRAGGLERS = 3;

  private static final String NEWEST_FIRST =
      "ORDER BY train_step DESC NULLS LAST, model_step DESC NULLS LAST,"
          + " future_step DESC NULLS LAST, first DESC, batch";

  private final BatchTotals accounting = new BatchTotals();
  private final Map<String, Integer> statuses = new TreeMap<>();
  private final NanoSum wall = new NanoSum();
  private final NanoSum[] waits = new NanoSum[5];
  private final Map<String, Double> stages = new LinkedHashMap<>();
  private final List<Straggler> stragglers = new ArrayList<>();
  private final String batch;
  private final Long[] steps;
  private long start = Long.MAX_VALUE;
  private long end = Long.MIN_VALUE;
  private int sessions;

  private BatchStory(String batch, Long... steps) {
    this.batch = batch;
    this.steps = steps;
    for (int i = 0; i < waits.length; i++) {
      waits[i] = new NanoSum();
    }
  }

  static BatchesReport of(Query query, String run, int limit, String source) throws SQLException {
    int most = Math.max(1, Math.min(limit, MAX_BATCHES));
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE told AS SELECT batch, max(train_step) AS train_step,")
            .plus("max(model_step) AS model_step, max(future_step) AS future_step,")
            .plus("min(start_ns) AS first, count(*) OVER () AS n FROM sessions")
            .plus("WHERE run = ? AND batch IS NOT NULL GROUP BY batch", run)
            .plus(NEWEST_FIRST)
            .plus("LIMIT " + most));
    Map<String, BatchStory> stories = new LinkedHashMap<>();
    long[] all = {0};
    query.each(
        Sql.of("SELECT batch, train_step, model_step, future_step, n FROM told " + NEWEST_FIRST),
        row -> {
          all[0] = row.getLong(5);
          stories.put(
              row.getString(1),
              new BatchStory(
                  row.getString(1),
                  Cells.longOrNull(row, 2),
                  Cells.longOrNull(row, 3),
                  Cells.longOrNull(row, 4)));
        });
    query.each(
        Sql.of("SELECT batch, start_ns, end_ns, wall_ns, queue_ns, gap_ns, barrier_ns,")
            .plus("unaccounted_ns, outside_ns, session, status, worker_role, worker_rank")
            .plus("FROM sessions WHERE run = ? AND batch IN (SELECT batch FROM told)", run),
        row -> stories.get(row.getString(1)).add(row));
    query.each(
        Sql.of("SELECT batch, stage, sum(self_ns) AS self FROM spans WHERE run = ?", run)
            .plus("AND batch IN (SELECT batch FROM told) AND " + Words.WORK)
            .plus("AND session IS NOT NULL")
            .plus("GROUP BY batch, stage ORDER BY batch, self DESC, stage"),
        row -> stories.get(row.getString(1)).stages.put(row.getString(2), row.getDouble(3) / 1e9));
    return new BatchesReport(
        source,
        run,
        stories.values().stream().map(BatchStory::batch).toList(),
        all[0] - stories.size());
  }

  private void add(ResultSet row) throws SQLException {
    long from = row.getLong(2);
    long to = Math.max(from, row.getLong(3));
    accounting.add(from, to, false);
    start = Math.min(start, from);
    end = Math.max(end, to);
    sessions++;
    wall.add(row.getLong(4));
    for (int i = 0; i < waits.length; i++) {
      waits[i].add(row.getLong(5 + i));
    }
    statuses.merge(row.getString(11), 1, Integer::sum);
    double wallS = row.getLong(4) / 1e9;
    if (stragglers.size() < STRAGGLERS || wallS > stragglers.get(STRAGGLERS - 1).wallS()) {
      stragglers.add(
          new Straggler(
              row.getString(10),
              row.getString(11),
              Cells.worker(row, 12).label(),
              wallS,
              wallS,
              null,
              0));
      stragglers.sort(
          Comparator.comparingDouble(Straggler::wallS)
              .reversed()
              .thenComparing(Straggler::session));
      if (stragglers.size() > STRAGGLERS) {
        stragglers.remove(STRAGGLERS);
      }
    }
  }

  private Batch batch() {
    BatchTotals.Result r = accounting.result();
    return new Batch(
        batch,
        steps[0],
        steps[1],
        steps[2],
        sessions,
        statuses,
        start / 1e9,
        end / 1e9,
        r.wallNs() / 1e9,
        r.slots(),
        r.tailNs() / 1e9,
        r.tailCost().seconds(),
        wall.seconds(),
        Map.of(),
        stages,
        new Waits(
            waits[0].seconds(),
            waits[1].seconds(),
            0,
            waits[2].seconds(),
            waits[3].seconds(),
            waits[4].seconds()),
        List.copyOf(stragglers));
  }
}
