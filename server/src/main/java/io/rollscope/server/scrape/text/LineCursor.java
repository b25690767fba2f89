package io.rollscope.server.scrape.text;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Walks through one line of an exposition. */
final class LineCursor {
  private static final int MAX_TEXT = 8_192;
  private static final int MAX_NAME = 1_024;

  private final byte[] bytes;
  private int start;
  private int at;
  private int end;
  private int line;

  LineCursor(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Goes to the next line; false behind the last. */
  boolean nextLine() {
    if (line > 0) {
      at = end + 1;
    }
    start = at;
    if (at >= bytes.length) {
      return false;
    }
    end = at;
    while (end < bytes.length && bytes[end] != '\n') {
      end++;
    }
    line++;
    return true;
  }

  /** Passes blanks; whether something follows in this line. */
  boolean more() {
    while (at < end && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
      at++;
    }
    return at < end;
  }

  boolean isAt(char c) {
    return at < end && bytes[at] == c;
  }

  /** Passes this character if it is the next. */
  boolean pass(char c) {
    if (isAt(c)) {
      at++;
      return true;
    }
    return false;
  }

  void expect(char c) throws ExpositionException {
    if (!pass(c)) {
      throw wrong(next(), "'" + c + "'");
    }
  }

  /** What stands up to the next blank. */
  String word() {
    int from = at;
    while (at < end && bytes[at] != ' ' && bytes[at] != '\t' && bytes[at] != '\r') {
      at++;
    }
    return text(from, at);
  }

  /** A name of letters, digits and underscores, for metrics also colons; or any in quotes. */
  String name(boolean metric) throws ExpositionException {
    if (isAt('"')) {
      String quoted = quoted();
      if (quoted.isEmpty() || quoted.length() > MAX_NAME) {
        throw wrong("a name of " + quoted.length() + " characters", "1 to " + MAX_NAME);
      }
      return quoted;
    }
    int from = at;
    while (at < end && isName(bytes[at], metric, at == from)) {
      at++;
    }
    if (at == from || at - from > MAX_NAME) {
      throw wrong(next(), metric ? "a metric's name" : "a label's name");
    }
    return text(from, at);
  }

  private static boolean isName(byte b, boolean metric, boolean first) {
    return b >= 'a' && b <= 'z'
        || b >= 'A' && b <= 'Z'
        || b == '_'
        || b >= '0' && b <= '9' && !first
        || b == ':' && metric;
  }

  /** A text in quotes, with the escapes {@code \\}, {@code \"} and {@code \n} undone. */
  String quoted() throws ExpositionException {
    expect('"');
    int from = at;
    boolean escaped = false;
    while (at < end && bytes[at] != '"') {
      escaped |= bytes[at] == '\\';
      at += bytes[at] == '\\' ? 2 : 1;
    }
    if (at >= end) {
      at = end;
      throw wrong("a text without end", "'\"'");
    }
    if (at - from > MAX_TEXT) {
      throw wrong("a text of " + (at - from) + " bytes", "at most " + MAX_TEXT);
    }
    String text = text(from, at++);
    return escaped ? unescaped(text) : text;
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\' || i + 1 == text.length()) {
        plain.append(c);
        continue;
      }
      char next = text.charAt(++i);
      switch (next) {
        case 'n' -> plain.append('\n');
        case '\\', '"' -> plain.append(next);
        default -> plain.append(c).append(next);
      }
    }
    return plain.toString();
  }

  /** A number as Go reads it, which is what Prometheus is written in. */
  double number(String what) throws ExpositionException {
    int from = at;
    String word = word();
    String plain = word.toLowerCase(Locale.ROOT);
    String unsigned = plain.startsWith("+") || plain.startsWith("-") ? plain.substring(1) : plain;
    if (unsigned.equals("nan")) {
      return Double.NaN;
    }
    if (unsigned.equals("inf") || unsigned.equals("infinity")) {
      return plain.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    boolean hex = unsigned.startsWith("0x");
    try {
      if (word.matches(hex ? "[+-]?0[xX][0-9a-fA-F.]+[pP][+-]?\\d+" : "[-+0-9.eE]+")) {
        return Double.parseDouble(word);
      }
    } catch (NumberFormatException e) {
      // said below
    }
    at = from;
    throw wrong("a " + what + " that is none", "a number");
  }

  /** What is next, for complaints: who reads those may not be one who may read the exposition. */
  String next() {
    return at >= end ? "the end of the line" : "something else";
  }

  /**
   * @param what without any text of the exposition
   */
  ExpositionException wrong(String what, String expected) {
    return new ExpositionException(line, at - start + 1, what, expected);
  }

  private String text(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
