package io.rollscope.core.view;

import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.HotspotsReport.Waits;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;

/** The sessions of a folder, page by page. A cursor names the last session seen. */
public final class SessionListView {
  private SessionListView() {}

  /**
   * A page of sessions.
   *
   * @param sort see {@link #order}
   * @param cursor of the page before, or null for the first
   */
  public static SessionListReport of(
      SpanTable table,
      Selection selection,
      String sort,
      int limit,
      String cursor,
      ReportContext context) {
    SessionListReport.checkLimit(limit);
    List<SessionColumns.Row> rows = SessionColumnsView.rows(table, selection);
    rows.sort(order(sort));
    int from = cursor == null ? 0 : after(rows, cursor);
    int to = Math.min(rows.size(), from + limit);
    return new SessionListReport(
        context.source(),
        context.run(),
        selection.scope().word(),
        rows.size(),
        rows.subList(from, to).stream().map(r -> row(table, r)).toList(),
        to < rows.size() ? cursor(rows.get(to - 1)) : null);
  }

  private static String cursor(SessionColumns.Row last) {
    byte[] id = last.session().getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
  }

  private static int after(List<SessionColumns.Row> rows, String cursor) {
    for (int i = 0; i < rows.size(); i++) {
      if (cursor(rows.get(i)).equals(cursor)) {
        return i + 1;
      }
    }
    throw new IllegalArgumentException(
        "cursor: " + cursor + " (expected: the cursor of a page with the same sort)");
  }

  /**
   * The orders of lists of sessions: {@code start}, {@code end}, {@code wall}, {@code session} or
   * {@code status}, with {@code -} in front for the greatest first; then by session (contracts.md
   * 6.3).
   */
  private static Comparator<SessionColumns.Row> order(String sort) {
    boolean descending = sort.startsWith("-");
    Comparator<SessionColumns.Row> order =
        switch (SessionListReport.checkedSort(sort)) {
          case "start" -> Comparator.comparingLong(SessionColumns.Row::startNs);
          case "end" -> Comparator.comparingLong(SessionColumns.Row::endNs);
          case "wall" -> Comparator.comparingLong(SessionColumns.Row::wallNs);
          case "session" -> Comparator.comparing(SessionColumns.Row::session);
          default -> Comparator.comparing(SessionColumns.Row::status);
        };
    return (descending ? order.reversed() : order).thenComparing(SessionColumns.Row::session);
  }

  private static SessionListReport.Row row(SpanTable table, SessionColumns.Row r) {
    return new SessionListReport.Row(
        r.session(),
        r.traceId(),
        r.batch(),
        r.trainStep(),
        r.task(),
        r.taskName(),
        r.status(),
        r.sourceStatus(),
        r.reason(),
        r.worker(),
        Nanos.toSeconds(r.startNs()),
        Nanos.toSeconds(r.endNs()),
        r.finalised(),
        table.hasRelativeClock(table.findSession(r.session())),
        Nanos.toSeconds(r.wallNs()),
        new Waits(
            Nanos.toSeconds(r.queueNs()),
            Nanos.toSeconds(r.gapNs()),
            Nanos.toSeconds(r.siblingsNs()),
            Nanos.toSeconds(r.barrierNs()),
            Nanos.toSeconds(r.unaccountedNs()),
            Nanos.toSeconds(r.outsideNs())),
        r.spanCount(),
        r.openCount(),
        r.errorCount(),
        r.rewardAndTokens().reward(),
        r.rewardAndTokens().inputTokens(),
        r.rewardAndTokens().outputTokens());
  }
}
