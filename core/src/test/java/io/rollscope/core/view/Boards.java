package io.rollscope.core.view;

import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.List;

/** Live reports of made-up tables. */
final class Boards {
  static final ReportContext CONTEXT =
      new ReportContext("made up", "run", new ReportContext.SkippedLines(0, List.of()));

  private Boards() {}

  /** A report as of {@code now}, in seconds, with all rows. */
  static LiveReport report(SpanTable table, Scope scope, double now) {
    return report(new LiveBoard(table, scope), now);
  }

  static LiveReport report(LiveBoard board, double now) {
    return board.report(CONTEXT, Nanos.fromSeconds(now), Integer.MAX_VALUE);
  }

  /** Ids of the sessions in scope, sorted. */
  static List<String> sessions(SpanTable table, Scope scope) {
    return report(table, scope, 1_000).rows().stream()
        .map(LiveReport.Row::session)
        .sorted()
        .toList();
  }
}
