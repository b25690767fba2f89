package io.rollscope.store.query;

import io.rollscope.core.steps.BarrierSpans;
import io.rollscope.core.steps.BarrierSpans.BarrierSpan;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.SessionSteps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what {@link SessionSteps} tells steps and batches from. */
final class StoredSteps {
  private static final int MAX_SESSIONS = 5_000_000;
  private static final String UNFINISHED = "status IN ('queued', 'running')";
  private static final String ACCEPTED = "status IN ('accepted', 'completed')";

  private final SessionSteps steps = new SessionSteps();
  private final List<String> sessions = new ArrayList<>();
  private int count;
  private final BarrierSpans barriers = new BarrierSpans();

  private StoredSteps() {}

  /**
   * Reads the sessions; an unfinished one counts up to when it was last heard of.
   *
   * @param batchSize AReaL's consumer batch size, or null
   */
  static StoredSteps read(Query query, Selection selection, Question question, Integer batchSize)
      throws SQLException {
    String run = question.run();
    StoredSteps all = new StoredSteps();
    all.readBarriers(query, run);
    boolean derived = batchSize != null || !all.barriers.isEmpty();
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
    Sql sessions = Sql.of("FROM").plus(selection.sessions()).plus(heard);
    if (derived) {
      all.readMembers(query, run, sessions);
    } else {
      all.readNamed(query, selection, sessions);
    }
    query.each(
        Sql.of("SELECT batch, start_ns, coalesce(end_ns, ?) FROM (", question.nowNs())
            .plus(selection.spans("batch, start_ns, end_ns", "kind = 'batch'"))
            .plus(") WHERE batch IS NOT NULL"),
        row -> all.steps.span(row.getString(1), row.getLong(2), row.getLong(3)));
    return all;
  }

  /** All that may decide which step took a session; who has a container was submitted. */
  private void readMembers(Query query, String run, Sql from) throws SQLException {
    query.each(
        Sql.of("SELECT batch, start_ns, start_ns + work_ns, " + UNFINISHED)
            .plus(", CASE WHEN finalised THEN end_ns END, coalesce(heard, end_ns),")
            .plus(ACCEPTED + ", train_step, worker_role, worker_rank, task, session,")
            .plus("session IN (SELECT session FROM spans WHERE run = ?", run)
            .plus("AND session IS NOT NULL AND kind = 'session'),")
            .plus("reward, input_tokens, output_tokens")
            .plus(from)
            .plus("LIMIT " + MAX_SESSIONS),
        this::add);
  }

  /** What sessions name themselves: only times are read row by row, and no texts. */
  private void readNamed(Query query, Selection selection, Sql from) throws SQLException {
    query.each(
        Sql.of("SELECT train_step, count(*), count(*) FILTER (" + ACCEPTED + "), min(start_ns),")
            .plus("max(coalesce(heard, end_ns))")
            .plus(from)
            .plus("GROUP BY train_step"),
        row -> {
          count += row.getInt(2);
          steps.addStep(
              Cells.longOrNull(row, 1),
              row.getInt(2),
              row.getInt(3),
              row.getLong(4),
              row.getLong(5));
        });
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE named AS SELECT DISTINCT batch FROM")
            .plus(selection.sessions())
            .plus("WHERE batch IS NOT NULL"));
    Map<Integer, String> batches = new HashMap<>();
    query.each(
        Sql.of("SELECT rowid, batch FROM named"),
        row -> batches.put(row.getInt(1), row.getString(2)));
    query.each(
        Sql.of("SELECT named.rowid, start_ns, start_ns + work_ns, " + UNFINISHED + " FROM")
            .plus(selection.sessions())
            .plus("JOIN named USING (batch) LIMIT " + MAX_SESSIONS),
        row ->
            steps.addTimes(
                batches.get(row.getInt(1)), row.getLong(2), row.getLong(3), row.getBoolean(4)));
    readEarned(query, selection);
  }

  /** What the sessions of each batch earned and used. */
  private void readEarned(Query query, Selection selection) throws SQLException {
    query.each(
        Sql.of("SELECT batch, " + Cells.EARNED + " FROM")
            .plus(selection.sessions())
            .plus("WHERE batch IS NOT NULL GROUP BY batch"),
        row -> steps.addEarned(row.getString(1), Cells.earned(row, 2)));
  }

  /** The trainer's own spans, and when its processes began which task, as AReaL's files say. */
  private void readBarriers(Query query, String run) throws SQLException {
    Sql spans =
        Sql.of("FROM spans WHERE run = ? AND session IS NULL AND end_ns IS NOT NULL", run)
            .plus("AND source = 'areal-perf'");
    query.each(
        Sql.of("SELECT worker_role, worker_rank, name, train_step, start_ns, end_ns")
            .plus(spans)
            .plus("AND train_step IS NOT NULL ORDER BY start_ns, span_id"),
        row ->
            barriers.add(
                Cells.worker(row, 1),
                new BarrierSpan(row.getString(3), row.getLong(4), row.getLong(5), row.getLong(6))));
    if (!barriers.isEmpty()) {
      query.each(
          Sql.of("SELECT worker_role, worker_rank, attributes['areal.args.task_id'] AS t,")
              .plus("min(start_ns)")
              .plus(spans)
              .plus("AND t IS NOT NULL GROUP BY worker_role, worker_rank, t"),
          row -> barriers.taskStarted(Cells.worker(row, 1), row.getString(3), row.getLong(4)));
    }
  }

  private void add(ResultSet row) throws SQLException {
    long start = row.getLong(2);
    Long finalised = Cells.longOrNull(row, 5);
    long submitted = row.getBoolean(13) ? start : Nanos.UNKNOWN;
    long heard = row.getLong(6);
    steps.add(
        new SessionSteps.Member(
            sessions.size(),
            row.getString(1),
            start,
            row.getLong(3),
            row.getBoolean(4),
            submitted,
            SessionSteps.finalised(submitted, finalised == null ? Nanos.UNKNOWN : finalised, heard),
            heard,
            row.getBoolean(7),
            Cells.longOrNull(row, 8),
            Cells.worker(row, 9),
            row.getString(11),
            Cells.rewardAndTokens(row, 14)));
    sessions.add(row.getString(12));
    count++;
  }

  int count() {
    return count;
  }

  SessionSteps.Result result(Integer batchSize) {
    return steps.result(barriers, batchSize);
  }

  SessionSteps steps() {
    return steps;
  }

  /** Which session it is, by the number that results know it by. */
  String session(int number) {
    return sessions.get(number);
  }
}
