package io.rollscope.otlp.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Checks that bytes are well-formed UTF-8: no overlong forms, no surrogates, no tears. */
public final class Utf8 {
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Utf8() {}

  /** Index of the first byte that is wrong, or -1. */
  public static int firstInvalid(byte[] b, int from, int to) {
    int i = from;
    while (to - i >= 8 && ((long) LONG.get(b, i) & HIGH_BITS) == 0) {
      i += 8;
    }
    while (i < to) {
      int c = b[i];
      if (c >= 0) {
        i++;
        continue;
      }
      int length;
      int least;
      int greatest = 0xBF;
      c &= 0xff;
      if (c >= 0xC2 && c <= 0xDF) {
        length = 2;
        least = 0x80;
      } else if (c >= 0xE0 && c <= 0xEF) {
        length = 3;
        least = c == 0xE0 ? 0xA0 : 0x80;
        greatest = c == 0xED ? 0x9F : 0xBF;
      } else if (c >= 0xF0 && c <= 0xF4) {
        length = 4;
        least = c == 0xF0 ? 0x90 : 0x80;
        greatest = c == 0xF4 ? 0x8F : 0xBF;
      } else {
        return i;
      }
      if (i + length > to) {
        return i;
      }
      int second = b[i + 1] & 0xff;
      if (second < least || second > greatest) {
        return i;
      }
      for (int k = 2; k < length; k++) {
        if ((b[i + k] & 0xC0) != 0x80) {
          return i;
        }
      }
      i += length;
    }
    return -1;
  }
}
