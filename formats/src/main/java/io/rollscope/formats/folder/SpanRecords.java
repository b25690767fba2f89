package io.rollscope.formats.folder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Takes the spans and log records of some spans out of an export request, as they are written. */
final class SpanRecords {
  private final String line;
  private final Set<String> ids;
  private final List<String> records = new ArrayList<>();

  /** Where each object around the place begins, and whether it is wanted. */
  private final Deque<int[]> around = new ArrayDeque<>();

  private SpanRecords(String line, Set<String> ids) {
    this.line = line;
    this.ids = ids;
  }

  /**
   * The records that name one of these spans as their own.
   *
   * @param ids as 16 lower-case hex digits
   */
  static List<String> of(String line, Set<String> ids) {
    SpanRecords found = new SpanRecords(line, ids);
    found.read();
    return found.records;
  }

  private void read() {
    String key = null;
    int at = 0;
    while (at < line.length()) {
      char c = line.charAt(at);
      if (c == '"') {
        int end = endOfText(at + 1);
        String text = line.substring(at + 1, Math.min(end, line.length()));
        boolean own = "spanId".equals(key) || "span_id".equals(key);
        if (own && !around.isEmpty() && ids.contains(text.toLowerCase(Locale.ROOT))) {
          around.peek()[1] = 1;
        }
        at = end + 1;
        boolean isKey = at < line.length() && line.charAt(at) == ':';
        key = isKey ? text : null;
        at += isKey ? 1 : 0;
        continue;
      }
      if (c == '{') {
        around.push(new int[] {at, 0});
      } else if (c == '}' && !around.isEmpty()) {
        int[] object = around.pop();
        if (object[1] == 1) {
          records.add(line.substring(object[0], at + 1));
        }
      }
      key = Character.isWhitespace(c) ? key : null;
      at++;
    }
  }

  private int endOfText(int from) {
    int at = from;
    while (at < line.length() && line.charAt(at) != '"') {
      at += line.charAt(at) == '\\' ? 2 : 1;
    }
    return at;
  }
}
