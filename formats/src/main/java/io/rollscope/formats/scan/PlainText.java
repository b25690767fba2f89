package io.rollscope.formats.scan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds the end of a text without escapes, eight bytes at a time. */
public final class PlainText {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long QUOTES = ONES * '"';
  private static final long BACKSLASHES = ONES * '\\';
  private static final long SPACES = ONES * ' ';

  private PlainText() {}

  /**
   * Index of the closing quote, or -1 if an escape, a control character or {@code to} comes first.
   *
   * @param from first byte inside the text
   */
  public static int end(byte[] b, int from, int to) {
    int i = from;
    for (; i + 8 <= to; i += 8) {
      long word = (long) WORD.get(b, i);
      long quote = word ^ QUOTES;
      long backslash = word ^ BACKSLASHES;
      // In each of these the lowest high bit marks the first byte looked for.
      long found =
          ((quote - ONES) & ~quote | (backslash - ONES) & ~backslash | (word - SPACES) & ~word)
              & HIGHS;
      if (found != 0) {
        int at = i + (Long.numberOfTrailingZeros(found) >>> 3);
        return b[at] == '"' ? at : -1;
      }
    }
    for (; i < to; i++) {
      if (b[i] == '"') {
        return i;
      }
      if (b[i] == '\\' || (b[i] >= 0 && b[i] < ' ')) {
        return -1;
      }
    }
    return -1;
  }
}
