package io.rollscope.formats.chrome;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * An id as an event gives it: a pid, a tid or the id of a flow.
 *
 * @param number its value if it is a whole number of 64 bits
 * @param json its JSON text otherwise
 */
record SourceId(Long number, String json) {
  static final SourceId NONE = new SourceId(null, "");

  /** By value, then texts; a missing one counts as 0, as in the original. */
  static final Comparator<SourceId> BY_VALUE =
      Comparator.comparing((SourceId id) -> id.number == null && !id.isNone())
          .thenComparing(id -> id.number == null ? 0L : id.number)
          .thenComparing(id -> id.json == null ? "" : id.json);

  /** Threads before the lanes of a profiler, whose ids are negative and count downwards. */
  static final Comparator<SourceId> BY_MAGNITUDE =
      Comparator.comparing((SourceId id) -> id.number == null ? 2 : id.number < 0 ? 1 : 0)
          .thenComparing(id -> id.number == null ? 0L : Math.abs(id.number))
          .thenComparing(id -> id.json == null ? "" : id.json);

  /** The id written in these bytes; none of them, or null, is {@link #NONE}. */
  static SourceId of(byte[] b, int from, int to) {
    if (from >= to || b[from] == 'n') {
      return NONE;
    }
    if (isPlainInteger(b, from, to)) {
      return new SourceId(parsePlain(b, from, to), null);
    }
    String text = new String(b, from, to - from, StandardCharsets.UTF_8);
    Long whole = b[from] == '"' ? null : Rank.wholeNumber(text);
    return whole != null ? new SourceId(whole, null) : new SourceId(null, text);
  }

  /** Whether the bytes are an integer of at most 18 digits, without fraction or exponent. */
  static boolean isPlainInteger(byte[] b, int from, int to) {
    int i = b[from] == '-' ? from + 1 : from;
    if (i == to || to - i > 18) {
      return false;
    }
    for (; i < to; i++) {
      if (b[i] < '0' || b[i] > '9') {
        return false;
      }
    }
    return true;
  }

  static long parsePlain(byte[] b, int from, int to) {
    boolean negative = b[from] == '-';
    long value = 0;
    for (int i = negative ? from + 1 : from; i < to; i++) {
      value = value * 10 + (b[i] - '0');
    }
    return negative ? -value : value;
  }

  boolean isNone() {
    return equals(NONE);
  }

  /** As it stands in the source: a number, or JSON text. */
  String text() {
    return number == null ? json : number.toString();
  }

  /** As people read it: without quotes. */
  String label() {
    boolean quoted = number == null && json.length() >= 2 && json.charAt(0) == '"';
    return quoted ? json.substring(1, json.length() - 1) : text();
  }
}
