package io.rollscope.store.query;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Whose spans lie outside their sessions: core's rule of the same name, told by SQL. */
final class OutsideTime {
  private OutsideTime() {}

  /** The worker with the longest time, of equal ones the least name; null if there is none. */
  static String most(Query query, Selection selection) throws SQLException {
    return query
        .list(
            Sql.of("SELECT worker FROM (")
                .plus(read(selection))
                .plus(") GROUP BY worker ORDER BY sum(ns) DESC, worker LIMIT 1"),
            row -> row.getString(1))
        .stream()
        .findFirst()
        .orElse(null);
  }

  /** Per session, by worker. */
  static Map<String, Map<String, Long>> bySession(Query query, Selection selection)
      throws SQLException {
    Map<String, Map<String, Long>> all = new HashMap<>();
    query.each(
        Sql.of("SELECT session, worker, least(sum(ns), " + Long.MAX_VALUE + ")::BIGINT FROM (")
            .plus(read(selection))
            .plus(") GROUP BY session, worker"),
        row ->
            all.computeIfAbsent(row.getString(1), s -> new TreeMap<>())
                .put(row.getString(2), row.getLong(3)));
    return all;
  }

  /** Spans that lie outside their session, with session, worker and for how long. */
  private static Sql read(Selection selection) {
    return Sql.of("SELECT session, " + Words.WORKER + " AS worker,")
        .plus("greatest(0, least(coalesce(end_ns, opens), opens) - start_ns)")
        .plus("+ greatest(0, coalesce(end_ns, closes) - greatest(start_ns, closes)) AS ns FROM (")
        .plus(
            selection.spans(
                "session, worker_role, worker_rank, start_ns, end_ns",
                "session IS NOT NULL AND " + Words.WORK))
        .plus(") JOIN (SELECT session AS id, start_ns AS opens, end_ns AS closes FROM")
        .plus(selection.sessions())
        .plus("WHERE outside_ns > 0) ON session = id WHERE worker IS NOT NULL AND ns > 0");
  }
}
