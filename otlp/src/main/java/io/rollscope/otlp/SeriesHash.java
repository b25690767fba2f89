package io.rollscope.otlp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * 64-bit hashes by which series are told apart. They are stored: the same series must have the same
 * hash for ever.
 */
final class SeriesHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private SeriesHash() {}

  static long mix(long hash, long value) {
    long x = (hash ^ value) * 0x9E3779B97F4A7C15L;
    x = (x ^ x >>> 32) * 0xD6E8FEB86659FD93L;
    return x ^ x >>> 29;
  }

  static long text(String text) {
    if (text == null) {
      return 0;
    }
    long hash = text.length() + 1L;
    for (int i = 0; i < text.length(); i++) {
      hash = mix(hash, text.charAt(i));
    }
    return hash;
  }

  static long bytes(byte[] b, int from, int to) {
    long hash = (long) to - from;
    int at = from;
    for (; at + 8 <= to; at += 8) {
      hash = mix(hash, (long) LONG.get(b, at));
    }
    for (; at < to; at++) {
      hash = mix(hash, b[at]);
    }
    return hash;
  }
}
