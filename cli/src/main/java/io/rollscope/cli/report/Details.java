package io.rollscope.cli.report;

import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionView;
import io.rollscope.formats.folder.LineFetcher;
import io.rollscope.formats.folder.SessionLines;
import io.rollscope.formats.folder.TraceFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** The sessions that a report tells all about: in turn an open, a failed and a slow one. */
final class Details {
  static final int MOST = 300;

  /** Text of all together. */
  private static final long MOST_CHARACTERS = 8_000_000;

  /** Of one; a longer one is told from columns. */
  private static final long MOST_OF_ONE = 1_000_000;

  private static final long PER_SPAN = 400;

  private final SessionColumns sessions;

  Details(SessionColumns sessions) {
    this.sessions = sessions;
  }

  /** Places of the sessions, the most wanted first. */
  List<Integer> chosen() {
    List<Integer> slowest =
        IntStream.range(0, sessions.session().length)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> -sessions.wallS()[i]))
            .toList();
    List<List<Integer>> queues =
        List.of(
            first(slowest, i -> sessions.openCount()[i] > 0),
            first(slowest, i -> is(i, "failed") || is(i, "lost")),
            first(slowest, i -> true));
    Set<Integer> chosen = new LinkedHashSet<>();
    for (int rank = 0; rank < MOST && chosen.size() < MOST; rank++) {
      for (List<Integer> queue : queues) {
        if (rank < queue.size() && chosen.size() < MOST) {
          chosen.add(queue.get(rank));
        }
      }
    }
    return new ArrayList<>(chosen);
  }

  private static List<Integer> first(List<Integer> order, IntPredicate wanted) {
    return order.stream().filter(wanted::test).limit(MOST).toList();
  }

  private boolean is(int session, String status) {
    return sessions.statuses().get(sessions.status()[session]).equals(status);
  }

  /** From the table and the lines it was read from. */
  Map<String, SessionReport> ofFolder(
      SpanTable table, long nowNs, List<TraceFile> files, ReportContext context)
      throws IOException {
    ReportContext own = new ReportContext(context.source(), context.run(), context.skippedLines());
    try (LineFetcher lines = new LineFetcher(files::get)) {
      return gather(
          id -> {
            int session = table.findSession(id);
            return SessionView.of(
                table, session, nowNs, SessionLines.of(lines, table, session), own);
          });
    }
  }

  /** Asks for one session. */
  interface Teller {
    SessionReport of(String session) throws IOException;
  }

  Map<String, SessionReport> gather(Teller teller) throws IOException {
    Map<String, SessionReport> details = new LinkedHashMap<>();
    long characters = 0;
    for (int i : chosen()) {
      if (PER_SPAN * sessions.spanCount()[i] > MOST_OF_ONE) {
        continue;
      }
      SessionReport report = teller.of(sessions.session()[i]);
      long size = size(report);
      if (size > MOST_OF_ONE || characters + size > MOST_CHARACTERS) {
        continue;
      }
      characters += size;
      details.put(report.session(), report);
    }
    return details;
  }

  private static long size(SessionReport report) {
    long size = PER_SPAN * report.spans().size();
    for (String event : report.events() == null ? List.<String>of() : report.events()) {
      size += event == null ? 0 : event.length();
    }
    for (Map.Entry<String, String> attribute : report.attributes().entrySet()) {
      size += attribute.getKey().length() + attribute.getValue().length();
    }
    return size;
  }
}
