package io.rollscope.store.query;

/**
 * The spans in scope that are work, as SQL: stage, kind, whether it is work for no session, whether
 * it is open, how long it took and its self time.
 */
final class WorkSpans {
  private static final String ABOUT =
      "stage, " + Words.LINE_KIND + " AS kind, session IS NULL AS lane, start_ns, self_ns";

  private final Selection selection;
  private final Question question;
  private final boolean endsOpenSpans;

  /**
   * @param endsOpenSpans whether there are sessions whose end, not now, is that of their open spans
   */
  WorkSpans(Selection selection, Question question, boolean endsOpenSpans) {
    this.selection = selection;
    this.question = question;
    this.endsOpenSpans = endsOpenSpans;
  }

  /**
   * Columns {@code stage}, {@code kind}, {@code lane}, {@code open}, {@code d}, {@code self_ns} and
   * further ones.
   *
   * @param more names of columns, each with a comma in front
   */
  Sql read(String more) {
    return endsOpenSpans ? closed(more).plus("UNION ALL").plus(open(more)) : closedAndOpen(more);
  }

  private Sql closedAndOpen(String more) {
    return Sql.of("SELECT stage, kind, lane, (end_ns IS NULL)::INTEGER AS open, greatest(0,")
        .plus("coalesce(end_ns, ?) - start_ns) AS d, self_ns" + more, question.nowNs())
        .plus("FROM (")
        .plus(selection.spans(ABOUT + ", end_ns" + more, Words.WORK))
        .plus(")");
  }

  private Sql closed(String more) {
    return Sql.of(
            "SELECT stage, kind, lane, 0 AS open, greatest(0, end_ns - start_ns) AS d, self_ns")
        .plus(more + " FROM (")
        .plus(
            selection.spans(
                ABOUT + ", end_ns" + more, "end_ns IS NOT NULL AND " + Words.CLOSED_WORK))
        .plus(")");
  }

  private Sql open(String more) {
    return Sql.of("SELECT stage, kind, lane, 1, greatest(0, CASE WHEN finalised OR beat <> 'utc'")
        .plus("THEN until ELSE ? END - start_ns), self_ns" + more, question.nowNs())
        .plus("FROM (")
        .plus(
            selection.spans(
                ABOUT + (more.contains(", session") ? "" : ", session") + more,
                "end_ns IS NULL AND " + Words.WORK))
        .plus(") LEFT JOIN (SELECT session AS id, finalised, end_ns AS until, clock AS beat")
        .plus("FROM accounted WHERE run = ? AND open_count > 0) ON session = id", question.run());
  }

  /** Containers of sessions, which are looked through: session, span and parent. */
  Sql containers() {
    return selection.spans(
        "session, span_id, parent_id", "session IS NOT NULL AND NOT (" + Words.WORK + ")");
  }
}
