package io.rollscope.formats.folder;

import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.SessionView.SourceLines;
import io.rollscope.formats.scan.LineFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the lines of a session again. */
public final class SessionLines {
  private SessionLines() {}

  /**
   * All lines of a session in order of time, and what the last one says.
   *
   * @param files those the table was read from
   */
  public static SourceLines of(List<TraceFile> files, SpanTable table, int session)
      throws IOException {
    SessionSpans spans = new SessionSpans(table);
    spans.load(session);
    LineFetcher fetcher = new LineFetcher(files);
    List<String> events = new ArrayList<>();
    long previous = -1;
    for (int i = 0; i < spans.rowCount(); i++) {
      int row = spans.row(i);
      long origin = SpanTable.origin(table.file(row), table.offset(row));
      if (origin != previous) {
        events.add(fetcher.line(table.file(row), table.offset(row)));
      }
      previous = origin;
    }
    return new SourceLines(attributes(events), events);
  }

  /** An OTLP line tells of many spans: what it says is no attribute of one session. */
  private static Map<String, String> attributes(List<String> events) {
    String last = events.isEmpty() ? null : events.get(events.size() - 1);
    boolean flat =
        last != null && !last.contains("resourceSpans") && !last.contains("resource_spans");
    return flat ? LineFields.of(last) : Map.of();
  }
}
