package io.rollscope.formats.scan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Fixed bytes that are looked for in a line, compared eight at a time. */
public final class Literal {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final long first;
  private final long last;

  /** At least eight ASCII characters. */
  public Literal(String ascii) {
    bytes = ascii.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length < 8) {
      throw new IllegalArgumentException(
          "literal: " + ascii + " (expected: at least 8 characters)");
    }
    first = (long) WORD.get(bytes, 0);
    last = (long) WORD.get(bytes, bytes.length - 8);
  }

  public int length() {
    return bytes.length;
  }

  /** Whether it stands at {@code at} and ends no later than {@code to}. */
  public boolean isAt(byte[] b, int at, int to) {
    int length = bytes.length;
    if (to - at < length
        || (long) WORD.get(b, at) != first
        || (long) WORD.get(b, at + length - 8) != last) {
      return false;
    }
    for (int i = 8; i < length - 8; i++) {
      if (b[at + i] != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
