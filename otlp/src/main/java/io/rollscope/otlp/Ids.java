package io.rollscope.otlp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Ids of traces and spans as numbers. */
final class Ids {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Ids() {}

  /** The eight bytes at a place, the highest first. */
  static long at(byte[] bytes, int from) {
    return (long) LONG.get(bytes, from);
  }

  /** Sixteen hex digits of either case; -1 is a possible id, so null says that they are not. */
  static Long fromHex(String text) {
    if (text.length() != 16) {
      return null;
    }
    long id = 0;
    for (int i = 0; i < 16; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0 || text.charAt(i) > 'f') {
        return null;
      }
      id = id << 4 | digit;
    }
    return id;
  }
}
