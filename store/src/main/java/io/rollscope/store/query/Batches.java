package io.rollscope.store.query;

import java.sql.SQLException;

/** Which batch of a run is the newest, by time and by steps. */
final class Batches {
  private Batches() {}

  /**
   * The batch of the session whose event is newest (contracts.md 4.5), a verdict included; null
   * when it has none.
   */
  static String newest(Query query, String run) throws SQLException {
    Sql spans =
        Sql.of("FROM spans WHERE run = ? AND session IS NOT NULL AND kind NOT IN", run)
            .plus("('op', 'state')");
    Sql verdicts = Sql.of("FROM accounted WHERE run = ? AND finalised", run);
    Long last =
        query.first(
            Sql.of("SELECT max(seen) FROM (SELECT max(coalesce(end_ns, start_ns)) AS seen")
                .plus(spans)
                .plus("UNION ALL SELECT max(end_ns)")
                .plus(verdicts)
                .plus(")"),
            row -> Cells.longOrNull(row, 1));
    return query.first(
        Sql.of("SELECT batch FROM accounted WHERE run = ? AND session = (", run)
            .plus("SELECT min(session) FROM (SELECT session")
            .plus(spans)
            .plus("AND (end_ns = ? OR (end_ns IS NULL AND start_ns = ?))", last, last)
            .plus("UNION ALL SELECT session")
            .plus(verdicts)
            .plus("AND end_ns = ?))", last),
        row -> row.getString(1));
  }

  /**
   * The batch with the highest steps (XTuner's rule; a batch that the source names goes before one
   * that only has steps); null when there are no batches.
   */
  static String latest(Query query, String run) throws SQLException {
    return query.first(
        Sql.of(
            "SELECT batch, batch IS DISTINCT FROM ("
                + Words.BATCH_OF_STEPS
                + ") AS named, max(coalesce(end_ns, start_ns)) AS seen FROM spans"
                + " WHERE run = ? AND session IS NOT NULL AND batch IS NOT NULL"
                + " GROUP BY batch, train_step, model_step, future_step"
                + " ORDER BY named DESC, coalesce(train_step, -1) DESC,"
                + " CASE WHEN train_step IS NULL THEN -1 ELSE coalesce(model_step, -1) END DESC,"
                + " CASE WHEN train_step IS NULL THEN -1 ELSE coalesce(future_step, -1) END DESC,"
                + " seen DESC, batch LIMIT 1",
            run),
        row -> row.getString(1));
  }
}
