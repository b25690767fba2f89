package io.rollscope.sdk.internal;

/** Text of another program for a log: short, and without characters that steer a terminal. */
public final class ReadableText {
  private static final int MAX = 500;

  private ReadableText() {}

  public static String of(String text) {
    StringBuilder readable = new StringBuilder();
    text.codePoints().limit(MAX).forEach(c -> readable.appendCodePoint(isUnseen(c) ? '\uFFFD' : c));
    return readable.toString();
  }

  /** Control, format (bidirectional, zero width) and the like, and separators of lines. */
  private static boolean isUnseen(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
