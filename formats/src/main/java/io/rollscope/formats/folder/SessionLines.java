package io.rollscope.formats.folder;

import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.SessionView.SourceLines;
import io.rollscope.formats.scan.LineFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the lines of a session again. */
public final class SessionLines {
  private SessionLines() {}

  /**
   * All lines of a session in order of time, and what the last one says.
   *
   * @param lines of the files the table was read from
   */
  public static SourceLines of(LineFetcher lines, SpanTable table, int session) throws IOException {
    SessionSpans spans = new SessionSpans(table);
    spans.load(session);
    Map<Long, Set<String>> spansOfLine = new LinkedHashMap<>();
    for (int i = 0; i < spans.rowCount(); i++) {
      int row = spans.row(i);
      long origin = SpanTable.origin(table.file(row), table.offset(row));
      spansOfLine
          .computeIfAbsent(origin, o -> new HashSet<>())
          .add(HexFormat.of().toHexDigits(table.spanId(row)));
    }
    List<String> events = new ArrayList<>();
    for (Map.Entry<Long, Set<String>> line : spansOfLine.entrySet()) {
      String text = lines.line(SpanTable.fileOf(line.getKey()), SpanTable.offsetOf(line.getKey()));
      if (text != null && isRequest(text)) {
        events.addAll(SpanRecords.of(text, line.getValue()));
      } else {
        events.add(text);
      }
    }
    return new SourceLines(attributes(events), events);
  }

  /** A line may be an export request, which tells of other sessions too. */
  private static boolean isRequest(String line) {
    String begin = line.substring(0, Math.min(line.length(), 100));
    return begin.contains("resourceSpans")
        || begin.contains("resource_spans")
        || begin.contains("resourceLogs")
        || begin.contains("resource_logs");
  }

  /** A record of a request is no flat line: its fields are no attributes of the session. */
  private static Map<String, String> attributes(List<String> events) {
    String last = events.isEmpty() ? null : events.get(events.size() - 1);
    boolean flat = last != null && !last.contains("\"spanId\"") && !last.contains("\"span_id\"");
    return flat ? LineFields.of(last) : Map.of();
  }
}
