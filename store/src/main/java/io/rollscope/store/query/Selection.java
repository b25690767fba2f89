package io.rollscope.store.query;

import io.rollscope.core.view.Scope;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The sessions a question is about, and their spans, as SQL.
 *
 * <p>Conditions begin with run and batch, by which segments are sorted. Where more than that is
 * asked for, the sessions are first put into a temporary table of the connection.
 */
final class Selection {
  private static final String UNFINISHED = "status IN ('queued', 'running')";

  private final String run;
  private final String batch;
  private final boolean chosen;
  private final Long earliest;
  private final boolean lanes;

  private Selection(String run, String batch, boolean chosen, Long earliest, boolean lanes) {
    this.run = run;
    this.batch = batch;
    this.chosen = chosen;
    this.earliest = earliest;
    this.lanes = lanes;
  }

  static Selection of(Query query, Question question) throws SQLException {
    Scope scope = question.scope();
    String batch =
        switch (scope.kind()) {
          case BATCH -> scope.batch();
          case LATEST -> Batches.latest(query, question.run());
          case ALL, ACTIVE -> null;
        };
    boolean active = scope.kind() == Scope.Kind.ACTIVE;
    if (!active && question.filter().isEmpty()) {
      return new Selection(question.run(), batch, false, null, true);
    }
    Sql sessions = new Selection(question.run(), batch, false, null, true).sessions();
    List<Sql> conditions = conditions(question.filter(), question.run(), batch);
    if (active) {
      conditions.add(isActive(query, question.run()));
    }
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE chosen AS SELECT * FROM")
            .plus(sessions)
            .plus("WHERE")
            .plus(Sql.all(conditions)));
    Long earliest =
        query.first(
            Sql.of("SELECT min(least(start_ns, work_start_ns)) FROM chosen"),
            row -> row.getObject(1) == null ? null : row.getLong(1));
    return new Selection(question.run(), batch, true, earliest, question.filter().isEmpty());
  }

  /** Unfinished, or any of its spans belongs to the batch with the newest one. */
  private static Sql isActive(Query query, String run) throws SQLException {
    String newest = Batches.newest(query, run);
    if (newest == null) {
      return Sql.of(
          UNFINISHED
              + " OR batch IS NULL OR session IN"
              + " (SELECT session FROM spans WHERE run = ? AND batch IS NULL)",
          run);
    }
    return Sql.of(
        UNFINISHED
            + " OR batch = ? OR session IN (SELECT session FROM spans WHERE run = ? AND batch = ?)",
        newest,
        run,
        newest);
  }

  private static List<Sql> conditions(Filter filter, String run, String batch) {
    List<Sql> conditions = new ArrayList<>();
    if (filter.status() != null) {
      conditions.add(Sql.of("status = ?", filter.status()));
    }
    if (filter.stage() != null) {
      conditions.add(
          Sql.of("session IN (SELECT session FROM spans WHERE run = ?", run)
              .plus(batch == null ? Sql.of("") : Sql.of("AND batch = ?", batch))
              .plus("AND stage = ?)", filter.stage()));
    }
    if (filter.task() != null) {
      conditions.add(Sql.of("task = ? OR task_name = ?", filter.task(), filter.task()));
    }
    if (filter.worker() != null) {
      conditions.add(
          Sql.of(
              Words.WORKER + " = ? OR worker_role = ? OR worker_rank::VARCHAR = ?",
              filter.worker(),
              filter.worker(),
              filter.worker()));
    }
    if (filter.text() != null) {
      List<Object> values = new ArrayList<>();
      StringBuilder any = new StringBuilder("FALSE");
      for (String column : List.of("session", "trace_id", "task", "task_name", "reason")) {
        any.append(" OR contains(lower(").append(column).append("), lower(?))");
        values.add(filter.text());
      }
      conditions.add(new Sql(any.toString(), values));
    }
    return conditions;
  }

  /** The batch that is in scope, or null for all. */
  String batch() {
    return batch;
  }

  /** A relation of session rows. */
  Sql sessions() {
    if (chosen) {
      return Sql.of("chosen");
    }
    if (batch == null) {
      return Sql.of("(SELECT * FROM sessions WHERE run = ?)", run);
    }
    // Also sessions that have since gone on to another batch.
    return Sql.of(
        "(SELECT * FROM sessions WHERE run = ? AND batch = ? UNION ALL BY NAME"
            + " SELECT * FROM sessions WHERE run = ? AND batch IS DISTINCT FROM ?"
            + " AND session IN (SELECT session FROM spans WHERE run = ? AND batch = ?))",
        run,
        batch,
        run,
        batch,
        run,
        batch);
  }

  /**
   * Reads spans in scope: those of its sessions and, unless only some sessions are asked for, those
   * of processes.
   *
   * @param columns what of them
   * @param condition a further one
   */
  Sql spans(String columns, String condition) {
    Sql read = Sql.of("SELECT " + columns + " FROM spans WHERE").plus(scoped());
    String further = "AND " + condition;
    if (!chosen) {
      return read.plus(further);
    }
    Sql ofChosen = read;
    if (earliest != null) {
      ofChosen = ofChosen.plus("AND start_ns >= ?", earliest);
    }
    ofChosen = ofChosen.plus("AND session IN (SELECT session FROM chosen)").plus(further);
    return lanes
        ? ofChosen.plus("UNION ALL").plus(read).plus("AND session IS NULL").plus(further)
        : ofChosen;
  }

  /**
   * Reads spans in scope that belong to no session; nothing if only some sessions are asked for.
   */
  Sql laneSpans(String columns) {
    return Sql.of("SELECT " + columns + " FROM spans WHERE")
        .plus(scoped())
        .plus(lanes ? "AND session IS NULL" : "AND FALSE");
  }

  private Sql scoped() {
    Sql condition = Sql.of("run = ?", run);
    return batch == null ? condition : condition.plus("AND batch = ?", batch);
  }
}
