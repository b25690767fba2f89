package io.rollscope.store;

import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.store.hot.HotRun;
import io.rollscope.store.hot.HotStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.Lock;

/**
 * Reads what the live board lists of sessions that are only in segments, after a store was opened:
 * the newest of each run, and of their time only.
 */
final class FinishedSessions {
  private static final int MOST_RUNS = 200;
  private static final int MOST = 100_000;

  private static final String RUNS =
      "SELECT run, list_min(max(end_ns, "
          + HotRun.MOST_CARDS
          + ")) FROM history GROUP BY run ORDER BY max(end_ns) DESC LIMIT "
          + MOST_RUNS;

  private static final String NEWEST =
      """
      CREATE OR REPLACE TEMP TABLE newest_sessions AS
      SELECT session, trace_id, task_name, status, source_status, reason, batch, train_step, task,
        worker_role, worker_rank, start_ns, end_ns, span_count,
        least(start_ns, work_start_ns) AS first_ns
      FROM history WHERE run = ? AND end_ns >= ? ORDER BY end_ns DESC, session LIMIT ?""";

  private static final String FIRST = "SELECT min(first_ns) FROM newest_sessions";

  /** Of events at one instant, that of the span that began last counts, as in memory. */
  private static final String SESSIONS =
      """
      SELECT n.session, n.trace_id, n.task_name, n.status, n.source_status, n.reason,
        n.batch, n.train_step, n.task, n.worker_role, n.worker_rank, n.start_ns, n.span_count,
        f.latest.at, f.latest.name, f.latest.role, f.latest.rank, f.stages, f.errors
      FROM newest_sessions n JOIN (
        SELECT session,
          max({'at': greatest(start_ns, end_ns), 'start': start_ns, 'id': span_id, 'name': name,
            'role': worker_role, 'rank': worker_rank}) AS latest,
          list(DISTINCT stage) AS stages,
          list(DISTINCT concat_ws(': ', error_type, error_message))
            FILTER (outcome = 'error') AS errors
        FROM spans SEMI JOIN newest_sessions USING (session)
        WHERE run = ? AND start_ns >= ?
        GROUP BY session) f USING (session)
      ORDER BY n.end_ns, n.session""";

  private FinishedSessions() {}

  static void load(Connection connection, HotStore into, Lock lock) throws SQLException {
    record Newest(String run, long sinceNs) {}
    List<Newest> runs = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(RUNS)) {
      while (row.next()) {
        runs.add(new Newest(row.getString(1), row.getLong(2)));
      }
    }
    int left = MOST;
    for (Newest newest : runs) {
      if (left > 0) {
        int most = Math.min(left, HotRun.MOST_CARDS);
        left -= load(connection, newest.run(), newest.sinceNs(), most, into, lock);
      }
    }
  }

  /** Returns how many there were. */
  private static int load(
      Connection connection, String run, long sinceNs, int most, HotStore into, Lock lock)
      throws SQLException {
    try (PreparedStatement newest = connection.prepareStatement(NEWEST)) {
      newest.setString(1, run);
      newest.setLong(2, sinceNs);
      newest.setInt(3, most);
      newest.execute();
    }
    long firstNs;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(FIRST)) {
      row.next();
      firstNs = row.getLong(1);
    }
    List<HotStore.Finished> found = new ArrayList<>();
    try (PreparedStatement sessions = connection.prepareStatement(SESSIONS)) {
      sessions.setString(1, run);
      sessions.setLong(2, firstNs);
      try (ResultSet row = sessions.executeQuery()) {
        while (row.next()) {
          found.add(finished(row));
        }
      }
    }
    lock.lock();
    try {
      found.forEach(one -> into.finished(run, one));
    } finally {
      lock.unlock();
    }
    return found.size();
  }

  private static HotStore.Finished finished(ResultSet row) throws SQLException {
    Set<String> words = new HashSet<>();
    addTo(words, row, 18);
    addTo(words, row, 19);
    return new HotStore.Finished(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        Status.valueOf(row.getString(4).toUpperCase(Locale.ROOT)),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        (Long) row.getObject(8),
        row.getString(9),
        new Worker(row.getString(10), (Long) row.getObject(11)),
        row.getLong(12),
        row.getInt(13),
        row.getLong(14),
        row.getString(15),
        new Worker(row.getString(16), (Long) row.getObject(17)),
        words);
  }

  private static void addTo(Set<String> words, ResultSet row, int column) throws SQLException {
    if (row.getArray(column) != null) {
      for (Object word : (Object[]) row.getArray(column).getArray()) {
        words.add(String.valueOf(word));
      }
    }
  }
}
