package io.rollscope.formats.scan;

import java.nio.charset.StandardCharsets;

/** The single tokens of a JSON text in a byte array: spaces, literals, numbers, texts. */
abstract sealed class JsonTokens permits JsonScanner {
  private static final int MAX_NUMBER = 1000;

  byte[] b;
  int p;
  int end;

  /** The number, or the inside of the text, scanned last. */
  int tokenFrom;

  int tokenTo;

  /** Whether the text scanned last has escapes, so that its bytes are not its characters. */
  boolean escaped;

  /** First character of the next value, 0 at the end. */
  public char peek() {
    skipSpace();
    return p < end ? (char) (b[p] & 0xff) : 0;
  }

  static boolean isNumber(char c) {
    return c == '-' || (c >= '0' && c <= '9');
  }

  void skipSpace() {
    byte[] bytes = b;
    int to = end;
    int i = p;
    while (i < to && isSpace(bytes[i])) {
      i++;
    }
    p = i;
  }

  static boolean isSpace(byte c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  void literal(String word) throws BadLineException {
    int length = word.length();
    for (int i = 0; i < length; i++) {
      if (p + i >= end || b[p + i] != word.charAt(i)) {
        throw unexpected(word);
      }
    }
    p += length;
  }

  void scanNumber() throws BadLineException {
    int i = p;
    escaped = false;
    tokenFrom = i;
    if (i < end && b[i] == '-') {
      i++;
    }
    int digits = i;
    i = digits(i);
    if (i == digits || (b[digits] == '0' && i > digits + 1)) {
      throw unexpected("a number");
    }
    if (i < end && b[i] == '.') {
      digits = ++i;
      i = digits(i);
      if (i == digits) {
        throw unexpected("a number");
      }
    }
    if (i < end && (b[i] == 'e' || b[i] == 'E')) {
      i++;
      if (i < end && (b[i] == '+' || b[i] == '-')) {
        i++;
      }
      digits = i;
      i = digits(i);
      if (i == digits) {
        throw unexpected("a number");
      }
    }
    if (i - p > MAX_NUMBER) {
      throw new BadLineException(
          "a number of " + (i - p) + " digits (expected: at most " + MAX_NUMBER + ")");
    }
    tokenTo = i;
    p = i;
  }

  int digits(int from) {
    byte[] bytes = b;
    int to = end;
    int i = from;
    while (i < to && bytes[i] >= '0' && bytes[i] <= '9') {
      i++;
    }
    return i;
  }

  void scanString() throws BadLineException {
    // Local copies: half of all time is spent here, and a simple compiler makes none by itself.
    byte[] bytes = b;
    int to = end;
    int i = p + 1;
    escaped = false;
    tokenFrom = i;
    while (i < to) {
      byte c = bytes[i];
      if (c == '"') {
        tokenTo = i;
        p = i + 1;
        return;
      }
      if (c == '\\') {
        escaped = true;
        i = escape(i);
      } else if (c >= 0 && c < 0x20) {
        throw new BadLineException(
            String.format("control character \\u%04x in a text (expected: an escape)", c));
      } else {
        i++;
      }
    }
    throw new BadLineException("the line ends within a text (expected: a closing quote)");
  }

  /** Checks the escape at {@code i}; returns where the text goes on. */
  int escape(int i) throws BadLineException {
    int c = i + 1 < end ? b[i + 1] : 0;
    if (c == 'u') {
      int unit = hex(i + 2);
      if (unit >= 0xDC00 && unit <= 0xDFFF) {
        throw loneSurrogate(unit);
      }
      if (unit >= 0xD800 && unit <= 0xDBFF) {
        boolean paired = i + 12 <= end && b[i + 6] == '\\' && b[i + 7] == 'u';
        int low = paired ? hex(i + 8) : 0;
        if (low < 0xDC00 || low > 0xDFFF) {
          throw loneSurrogate(unit);
        }
        return i + 12;
      }
      return i + 6;
    }
    if (c == 0 || "\"\\/bfnrt".indexOf(c) < 0) {
      throw badEscape(i);
    }
    return i + 2;
  }

  int hex(int from) throws BadLineException {
    int value = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = i < end ? Character.digit(b[i], 16) : -1;
      if (digit < 0) {
        throw badEscape(from - 2);
      }
      value = value << 4 | digit;
    }
    return value;
  }

  BadLineException badEscape(int from) {
    String found = new String(b, from, Math.min(6, end - from), StandardCharsets.UTF_8);
    return BadLineException.expected(
        "escape in a text", found, "\\n, \\\" and the like, or \\u and four hex digits");
  }

  static BadLineException loneSurrogate(int unit) {
    return new BadLineException(
        String.format("lone surrogate \\u%04x (expected: both halves of a character)", unit));
  }

  String text(int from, int to, boolean withEscapes) throws BadLineException {
    if (!withEscapes) {
      return new String(b, from, to - from, StandardCharsets.UTF_8);
    }
    StringBuilder text = new StringBuilder(to - from);
    int plain = from;
    int i = from;
    while (i < to) {
      if (b[i] != '\\') {
        i++;
        continue;
      }
      text.append(new String(b, plain, i - plain, StandardCharsets.UTF_8));
      char c = (char) b[i + 1];
      if (c == 'u') {
        text.append((char) hex(i + 2));
        i += 6;
      } else {
        int at = "bfnrt".indexOf(c);
        text.append(at < 0 ? c : "\b\f\n\r\t".charAt(at));
        i += 2;
      }
      plain = i;
    }
    return text.append(new String(b, plain, to - plain, StandardCharsets.UTF_8)).toString();
  }

  BadLineException unexpected(String expected) {
    if (p >= end) {
      return new BadLineException("the line ends early (expected: " + expected + ")");
    }
    int to = p;
    while (to < end && to - p < 16 && b[to] > ' ' && ",]}:".indexOf(b[to]) < 0) {
      to++;
    }
    String found = new String(b, p, Math.max(1, to - p), StandardCharsets.UTF_8);
    return BadLineException.expected("not JSON", found, expected);
  }
}
