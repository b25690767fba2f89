package io.rollscope.store.query;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** A DuckDB in memory with tables that have the columns of the store's views. */
final class Tables implements AutoCloseable {
  static final String SPANS =
      "run VARCHAR, batch VARCHAR, train_step BIGINT, model_step BIGINT, future_step BIGINT,"
          + " task VARCHAR, task_name VARCHAR, session VARCHAR, trace_id VARCHAR,"
          + " span_id VARCHAR, parent_id VARCHAR, kind VARCHAR, name VARCHAR, stage VARCHAR,"
          + " start_ns BIGINT, end_ns BIGINT, self_ns BIGINT, outcome VARCHAR, status VARCHAR,"
          + " source_status VARCHAR, reason VARCHAR, error_type VARCHAR, error_message VARCHAR,"
          + " worker_role VARCHAR, worker_rank BIGINT, host VARCHAR, pid BIGINT,"
          + " instance VARCHAR, lane VARCHAR, attempt BIGINT, clock VARCHAR,"
          + " source VARCHAR, ingest_ns BIGINT, attributes MAP(VARCHAR, VARCHAR)";

  static final String SESSIONS =
      "run VARCHAR, session VARCHAR, trace_id VARCHAR, batch VARCHAR, train_step BIGINT,"
          + " model_step BIGINT, future_step BIGINT, task VARCHAR, task_name VARCHAR,"
          + " status VARCHAR, source_status VARCHAR, reason VARCHAR, worker_role VARCHAR,"
          + " worker_rank BIGINT, start_ns BIGINT, end_ns BIGINT, finalised BOOLEAN,"
          + " span_count BIGINT, open_count BIGINT, error_count BIGINT, work_start_ns BIGINT,"
          + " work_end_ns BIGINT, wall_ns BIGINT, queue_ns BIGINT, gap_ns BIGINT,"
          + " barrier_ns BIGINT, unaccounted_ns BIGINT, outside_ns BIGINT, clock VARCHAR,"
          + " work_ns BIGINT, own_ns BIGINT, inferred_group VARCHAR,"
          + " counters MAP(VARCHAR, BIGINT), candidates STRUCT(stage VARCHAR, kind VARCHAR,"
          + " span_id VARCHAR, from_ns BIGINT, to_ns BIGINT)[], restated STRUCT(stage VARCHAR,"
          + " kind VARCHAR, span_id VARCHAR, from_ns BIGINT, to_ns BIGINT)[], reward DOUBLE,"
          + " input_tokens BIGINT, output_tokens BIGINT";

  private static final int SPAN_VALUES = 33;
  private static final int SESSION_VALUES = 32;
  private static final int SESSION_NULLS = 6;

  private final DuckDBConnection connection;
  private final DuckDBAppender spans;
  private final DuckDBAppender sessions;
  private final List<Object[]> candidates = new ArrayList<>();

  Tables() throws SQLException {
    connection = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:");
    try (Statement s = connection.createStatement()) {
      s.execute("SET threads = 2");
      s.execute("CREATE TABLE spans (" + SPANS + ")");
      s.execute("CREATE TABLE accounted (" + SESSIONS + ")");
      s.execute("CREATE VIEW sessions AS " + SiblingWaitsSql.ofAll());
    }
    spans = connection.createAppender("spans");
    sessions = connection.createAppender("accounted");
  }

  /** All columns of a span; the attributes come last. */
  void addSpan(Map<String, String> attributes, Object... values) throws SQLException {
    spans.beginRow();
    append(spans, SPAN_VALUES, values);
    if (attributes == null) {
      spans.appendNull();
    } else {
      spans.append(attributes);
    }
    spans.endRow();
  }

  /** All columns of a session but the last ones: maps and lists, reward and tokens. */
  void addSession(Object... values) throws SQLException {
    sessions.beginRow();
    append(sessions, SESSION_VALUES, values);
    for (int i = 0; i < SESSION_NULLS; i++) {
      sessions.appendNull();
    }
    sessions.endRow();
  }

  /** Leaf time of a session that may be a wait for siblings. */
  void addCandidate(String session, String stage, String kind, String span, long from, long to) {
    candidates.add(new Object[] {stage, kind, span, from, to, session});
  }

  private static void append(DuckDBAppender appender, int count, Object... values)
      throws SQLException {
    if (values.length != count) {
      throw new IllegalArgumentException("values: " + values.length + " (expected: " + count + ")");
    }
    for (Object value : values) {
      if (value == null) {
        appender.appendNull();
      } else if (value instanceof Long number) {
        appender.append(number.longValue());
      } else if (value instanceof Boolean is) {
        appender.append(is.booleanValue());
      } else {
        appender.append((String) value);
      }
    }
  }

  /** Writes what was added. */
  void flush() throws SQLException {
    spans.flush();
    sessions.flush();
    try (PreparedStatement update =
        connection.prepareStatement(
            """
            UPDATE accounted SET candidates = list_append(candidates,
              {'stage': ?::VARCHAR, 'kind': ?::VARCHAR, 'span_id': ?::VARCHAR, 'from_ns': ?::BIGINT, 'to_ns': ?::BIGINT})
            WHERE session = ?""")) {
      for (Object[] values : candidates) {
        for (int i = 0; i < values.length; i++) {
          update.setObject(i + 1, values[i]);
        }
        update.execute();
      }
      candidates.clear();
    }
  }

  Snapshots snapshots() {
    return () ->
        new Snapshot(connection.duplicate(), Snapshot.MetricSources.NONE, run -> null, () -> {});
  }

  Connection duplicate() throws SQLException {
    return connection.duplicate();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
