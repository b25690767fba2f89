package io.rollscope.store.query;

import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionFilter;
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
  private final Others others;
  private final boolean chosen;
  private final boolean held;
  private final Long earliest;
  private final boolean lanes;

  /**
   * What belongs to a batch although it is not written there; mostly nothing.
   *
   * @param strays whether sessions with spans in it have since gone on to another
   * @param unnamed whether sessions of it have spans that were stored before they named it
   */
  private record Others(boolean strays, boolean unnamed) {
    static final Others NONE = new Others(false, false);
  }

  /** All sessions of a run or batch. */
  private Selection(String run, String batch, Others others) {
    this(run, batch, others, false, false, null, true);
  }

  private Selection(
      String run,
      String batch,
      Others others,
      boolean chosen,
      boolean held,
      Long earliest,
      boolean lanes) {
    this.run = run;
    this.batch = batch;
    this.others = others;
    this.chosen = chosen;
    this.held = held;
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
    Others others = batch == null ? Others.NONE : findOthers(query, question.run(), batch);
    Selection all = new Selection(question.run(), batch, others);
    boolean active = scope.kind() == Scope.Kind.ACTIVE;
    if (!active && question.filter().isEmpty()) {
      return all;
    }
    List<Sql> conditions = all.conditions(question.filter());
    if (active) {
      conditions.add(isActive(query, question.run()));
    }
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE chosen AS SELECT * FROM")
            .plus(all.sessions())
            .plus("WHERE")
            .plus(Sql.all(conditions)));
    Long earliest =
        query.first(
            Sql.of("SELECT min(least(start_ns, work_start_ns)) FROM chosen"),
            row -> Cells.longOrNull(row, 1));
    boolean lanes = question.filter().isEmpty();
    return new Selection(question.run(), batch, others, true, false, earliest, lanes);
  }

  private static Others findOthers(Query query, String run, String batch) throws SQLException {
    if (isWhole(query, run, batch)) {
      return Others.NONE;
    }
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE strays AS")
            .plus("SELECT session FROM spans WHERE run = ? AND batch = ?", run, batch)
            .plus("AND session IS NOT NULL EXCEPT SELECT session FROM accounted")
            .plus("WHERE run = ? AND batch = ?", run, batch));
    boolean strays =
        query.first(Sql.of("SELECT count(*) > 0 FROM strays"), row -> row.getBoolean(1));
    return new Others(strays, findUnnamed(query, run, batch));
  }

  /**
   * Whether the spans that name the batch are those of its sessions, and all of them: their
   * sessions add up to the same. A sum of hashes is found sooner than a difference of sets.
   */
  private static boolean isWhole(Query query, String run, String batch) throws SQLException {
    return query.first(
        Sql.of("SELECT count(DISTINCT (n, h)) = 1 FROM (")
            .plus("SELECT count(*) AS n, coalesce(sum(hash(session)::HUGEINT), 0) AS h FROM spans")
            .plus("WHERE run = ? AND batch = ? AND session IS NOT NULL AND", run, batch)
            .plus(Words.SEEN + " UNION ALL SELECT coalesce(sum(span_count), 0),")
            .plus("coalesce(sum(hash(session)::HUGEINT * span_count), 0) FROM accounted")
            .plus("WHERE run = ? AND batch = ?)", run, batch),
        row -> row.getBoolean(1));
  }

  /** Segments are searched only where the sessions of the batch were. */
  private static boolean findUnnamed(Query query, String run, String batch) throws SQLException {
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE of_batch AS SELECT session,")
            .plus("least(start_ns, work_start_ns) AS first, greatest(end_ns, work_end_ns) AS last")
            .plus("FROM accounted WHERE run = ? AND batch = ?", run, batch));
    long[] time =
        query.first(
            Sql.of("SELECT coalesce(min(first), 0), coalesce(max(last), 0) FROM of_batch"),
            row -> new long[] {row.getLong(1), row.getLong(2)});
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE unnamed AS")
            .plus("SELECT session FROM spans WHERE run = ? AND batch IS NULL", run)
            .plus("AND start_ns BETWEEN ? AND ?", time[0], time[1])
            .plus("INTERSECT SELECT session FROM of_batch"));
    return query.first(Sql.of("SELECT count(*) > 0 FROM unnamed"), row -> row.getBoolean(1));
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

  private List<Sql> conditions(SessionFilter filter) {
    List<Sql> conditions = new ArrayList<>();
    if (filter.status() != null) {
      conditions.add(Sql.of("status = ?", filter.status()));
    }
    if (filter.stage() != null) {
      conditions.add(
          Sql.of("session IN (SELECT session FROM spans WHERE")
              .plus(scoped())
              .plus("AND stage = ?)", filter.stage()));
    }
    if (filter.task() != null) {
      conditions.add(Sql.of("task = ? OR task_name = ?", filter.task(), filter.task()));
    }
    if (filter.worker() != null) {
      String worker = filter.worker();
      conditions.add(
          Sql.of(
              Words.WORKER + " = ? OR worker_role = ? OR worker_role || ':' || worker_rank = ?",
              worker,
              worker,
              worker));
    }
    if (filter.text() != null) {
      conditions.add(
          occurs(filter.text(), "session", "trace_id", "task", "task_name", "reason", Words.WORKER)
              .plus("OR session IN (SELECT session FROM spans WHERE")
              .plus(scoped())
              .plus("AND session IS NOT NULL AND (")
              .plus(occurs(filter.text(), "stage", "error_type", "error_message"))
              .plus("OR (outcome = 'error' AND (")
              .plus(occurs(filter.text(), Words.ERROR))
              .plus("))))"));
    }
    return conditions;
  }

  /** Whether a text occurs, in either case, in any of these columns. */
  private static Sql occurs(String text, String... columns) {
    List<Object> values = new ArrayList<>();
    StringBuilder any = new StringBuilder("FALSE");
    for (String column : columns) {
      any.append(" OR contains(lower(").append(column).append("), lower(?))");
      values.add(text);
    }
    return new Sql(any.toString(), values);
  }

  /**
   * The same, with the sessions of a batch in a table of the connection: worth it for who reads
   * them more than a few times.
   */
  Selection holdSessions(Query query) throws SQLException {
    if (chosen || batch == null) {
      return this;
    }
    query.execute(Sql.of("CREATE OR REPLACE TEMP TABLE held AS SELECT * FROM").plus(sessions()));
    return new Selection(run, batch, others, false, true, null, true);
  }

  /** The batch that is in scope, or null for all. */
  String batch() {
    return batch;
  }

  /** A relation of session rows, without what depends on others of their group. */
  Sql sessions() {
    if (chosen) {
      return Sql.of("chosen");
    }
    if (held) {
      return Sql.of("held");
    }
    if (batch == null) {
      return Sql.of("(SELECT * FROM accounted WHERE run = ?)", run);
    }
    Sql ofBatch = Sql.of("SELECT * FROM accounted WHERE run = ? AND batch = ?", run, batch);
    if (others.strays()) {
      ofBatch =
          ofBatch
              .plus("UNION ALL SELECT * FROM accounted WHERE run = ?", run)
              .plus("AND session IN (SELECT session FROM strays)");
    }
    return Sql.of("(").plus(ofBatch).plus(")");
  }

  /** The same with {@code others_end_ns} and {@code siblings_ns}, which takes longer. */
  Sql sessionsInGroups() {
    return sessionsInGroups(sessions(), Sql.of("TRUE"));
  }

  /**
   * Some of them, with {@code others_end_ns} and {@code siblings_ns}.
   *
   * @param some rows of {@link #sessions}
   * @param siblings holds for all that may be in a group with them
   */
  Sql sessionsInGroups(Sql some, Sql siblings) {
    Sql groups = Sql.of("(SELECT * FROM accounted WHERE run = ? AND", run).plus(siblings);
    if (batch != null && !others.strays()) {
      groups = groups.plus("AND batch = ?", batch);
    }
    return Sql.of("(").plus(SiblingWaitsSql.of(some, groups.plus(")"))).plus(")");
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
    if (batch == null) {
      return condition;
    }
    return others.unnamed()
        ? condition
            .plus("AND (batch = ? OR (batch IS NULL", batch)
            .plus("AND session IN (SELECT session FROM unnamed)))")
        : condition.plus("AND batch = ?", batch);
  }
}
