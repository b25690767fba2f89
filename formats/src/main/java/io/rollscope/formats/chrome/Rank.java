package io.rollscope.formats.chrome;

import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * Number of a process within its role, as {@code args.rank} gives it.
 *
 * @param number if it is a number or reads as one
 * @param text otherwise; null, like the number, when the event names no rank
 */
record Rank(Long number, String text) {
  static final Rank NONE = new Rank(null, null);

  /** Numbers, then texts, then none. */
  static final Comparator<Rank> ORDER =
      Comparator.comparing((Rank r) -> r.number != null ? 0 : r.text != null ? 1 : 2)
          .thenComparing(r -> r.number == null ? 0L : r.number)
          .thenComparing(r -> r.text == null ? "" : r.text);

  /** The rank written in these bytes of JSON. */
  static Rank of(byte[] b, int from, int to) throws BadLineException {
    if (from >= to) {
      return NONE;
    }
    return switch (b[from]) {
      case 'n', 't', 'f' -> NONE;
      case '"' -> ofText(decoded(b, from, to).strip());
      default -> ofOther(new String(b, from, to - from, StandardCharsets.UTF_8));
    };
  }

  static String decoded(byte[] b, int from, int to) throws BadLineException {
    JsonScanner scanner = new JsonScanner();
    scanner.open(b, from, to);
    return scanner.string("args");
  }

  private static Rank ofText(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    try {
      return new Rank(Long.valueOf(text), null);
    } catch (NumberFormatException e) {
      return new Rank(null, text);
    }
  }

  private static Rank ofOther(String json) {
    if (json.charAt(0) == '[' || json.charAt(0) == '{') {
      return new Rank(null, json);
    }
    double value = Double.parseDouble(json);
    if (Double.isInfinite(value)) {
      return NONE;
    }
    return Math.abs(value) < 0x1p62 ? new Rank((long) value, null) : new Rank(null, json);
  }

  /** The value of a number's text if it is whole and has 64 bits, else null. */
  static Long wholeNumber(String text) {
    double value = Double.parseDouble(text);
    if (!(Math.abs(value) < 0x1p63) || value != Math.rint(value)) {
      return null;
    }
    try {
      return new BigDecimal(text).longValueExact();
    } catch (ArithmeticException e) {
      return null;
    }
  }

  boolean isNone() {
    return number == null && text == null;
  }

  String label() {
    return number != null ? number.toString() : text;
  }
}
