package io.rollscope.otlp.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A quick hash of texts that are short, or differ at their beginning, middle or end. */
public final class ByteHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ByteHash() {}

  /** The upper bits are the better ones. */
  public static int of(byte[] bytes, int from, int to) {
    int length = to - from;
    long hash = length;
    if (length >= 8) {
      int middle = (from + to >>> 1) - 4;
      hash += (long) LONG.get(bytes, from) * 31 + (long) LONG.get(bytes, to - 8);
      hash = hash * 31 + (long) LONG.get(bytes, middle);
    } else {
      for (int i = from; i < to; i++) {
        hash = hash * 31 + bytes[i];
      }
    }
    return (int) (hash * 0x9E3779B97F4A7C15L >>> 32);
  }
}
