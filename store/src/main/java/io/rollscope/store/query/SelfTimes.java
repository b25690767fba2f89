package io.rollscope.store.query;

/**
 * What self times of spans are short of the whole truth, as SQL: what was a wait for siblings
 * (contracts.md 5.9), and what became known of a session after some of its spans were sealed.
 */
final class SelfTimes {
  private SelfTimes() {}

  /** Columns {@code session}, {@code stage}, {@code kind}, {@code span_id}, {@code wait}, ns. */
  static Sql corrections(Selection selection) {
    return Sql.of(
            """
            SELECT session, c.stage AS stage, c.kind AS kind, c.span_id AS span_id, TRUE AS wait,
              -greatest(0, least(c.to_ns, others_end_ns) - c.from_ns) AS ns
            FROM (SELECT session, unnest(candidates) AS c, others_end_ns FROM""")
        .plus(selection.sessionsInGroups())
        .plus("WHERE candidates IS NOT NULL AND others_end_ns IS NOT NULL)")
        .plus("UNION ALL SELECT session, c.stage, c.kind, c.span_id, FALSE, c.to_ns FROM")
        .plus(restated(selection.sessions()));
  }

  /** What became known of spans of a run later: columns session and c. */
  static Sql restated(String run) {
    return restated(Sql.of("(SELECT session, restated FROM accounted WHERE run = ?)", run));
  }

  private static Sql restated(Sql sessions) {
    return Sql.of("(SELECT session, unnest(restated) AS c FROM")
        .plus(sessions)
        .plus("WHERE restated IS NOT NULL)");
  }
}
