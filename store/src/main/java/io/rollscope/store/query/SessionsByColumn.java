package io.rollscope.store.query;

import io.rollscope.core.view.SessionColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** Sessions by column: {@link io.rollscope.core.view.SessionColumnsView}, told by SQL. */
final class SessionsByColumn {
  private static final String COLUMNS =
      "session, status, batch, task, task_name, worker_role, worker_rank, reason, start_ns,"
          + " wall_ns, end_ns, finalised, queue_ns, gap_ns, barrier_ns, "
          + Words.UNACCOUNTED
          + " AS unaccounted,"
          + " span_count, open_count, error_count, train_step, trace_id, source_status,"
          + " outside_ns, inferred_group, work_ns, own_ns, siblings_ns,"
          + " reward, input_tokens, output_tokens";

  private SessionsByColumn() {}

  static SessionColumns of(Query query, Question question, int budget, String source)
      throws SQLException {
    SessionColumns.checkBudget(budget);
    Selection selection = Selection.of(query, question);
    long total =
        query.first(
            Sql.of("SELECT count(*) FROM").plus(selection.sessions()), row -> row.getLong(1));
    long outside =
        query.first(
            Sql.of("SELECT count(*) FROM").plus(selection.sessions()).plus("WHERE outside_ns > 0"),
            row -> row.getLong(1));
    Map<String, Map<String, Long>> outsideTimes =
        outside > 0 ? OutsideTime.bySession(query, selection) : Map.of();
    Sql read = Sql.of("SELECT " + COLUMNS + " FROM").plus(selection.sessionsInGroups());
    if (total > budget) {
      choose(query, selection, budget);
      read =
          read.plus("SEMI JOIN (SELECT session, start_ns FROM ordered WHERE rowid IN")
              .plus("(SELECT place FROM kept)) USING (session, start_ns)");
    }
    int size = (int) Math.min(total, budget);
    SessionColumns.Builder columns = new SessionColumns.Builder(size);
    query.each(
        read.plus("ORDER BY start_ns, session LIMIT ?", size),
        row -> columns.add(row(row, outsideTimes)));
    return columns.build(source, question.run(), question.scope().word(), total);
  }

  /** Puts into {@code kept} which rows of {@code ordered} stay. */
  private static void choose(Query query, Selection selection, int budget) throws SQLException {
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE ordered AS")
            .plus("SELECT session, start_ns, wall_ns, status IN ('queued', 'running') AS waits,")
            .plus("status IN ('failed', 'lost') AS broke FROM")
            .plus(selection.sessions())
            .plus("ORDER BY start_ns, session"));
    int quarter = budget / 4;
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE kept AS")
            .plus(slowest("TRUE", quarter))
            .plus("UNION")
            .plus(slowest("waits", quarter))
            .plus("UNION")
            .plus(slowest("broke", quarter)));
    query.execute(
        Sql.of("INSERT INTO kept SELECT place FROM (SELECT o.rowid AS place,")
            .plus("row_number() OVER (ORDER BY o.rowid) - 1 AS i, count(*) OVER () AS others,")
            .plus("? - (SELECT count(*) FROM kept) AS room", budget)
            .plus("FROM ordered o ANTI JOIN kept k ON o.rowid = k.place)")
            .plus("WHERE (i + 1) * room // others > i * room // others"));
  }

  private static Sql slowest(String which, int most) {
    return Sql.of("SELECT * FROM (SELECT rowid AS place FROM ordered WHERE " + which)
        .plus("ORDER BY wall_ns DESC, rowid LIMIT ?)", most);
  }

  private static SessionColumns.Row row(ResultSet row, Map<String, Map<String, Long>> outsideTimes)
      throws SQLException {
    return new SessionColumns.Row(
        row.getString(1),
        row.getString(21),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        Cells.worker(row, 6).label(),
        row.getString(8),
        row.getString(22),
        row.getString(24),
        row.getLong(9),
        row.getLong(10),
        row.getLong(11),
        row.getLong(25),
        row.getLong(26),
        row.getBoolean(12),
        row.getLong(13),
        row.getLong(14),
        row.getLong(27),
        row.getLong(15),
        row.getLong(16),
        row.getLong(23),
        outsideTimes.getOrDefault(row.getString(1), Map.of()),
        row.getLong(17),
        row.getLong(18),
        row.getLong(19),
        Cells.longOrNull(row, 20),
        Cells.rewardAndTokens(row, 28));
  }
}
