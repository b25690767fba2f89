package io.rollscope.otlp;

import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.wire.TextBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Strings of one request, equal ones mostly the same instance. Forgets rather than grows; very long
 * ones are cut as attributes are.
 */
final class SharedStrings {
  private static final int SLOTS = 256;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final String[] strings = new String[SLOTS];
  private final int[] froms = new int[SLOTS];
  private final int[] tos = new int[SLOTS];

  SharedStrings(byte[] bytes) {
    this.bytes = bytes;
  }

  String get(int from, int to) {
    if (from == to) {
      return "";
    }
    int slot = slot(from, to);
    String known = strings[slot];
    if (known != null && Arrays.equals(bytes, froms[slot], tos[slot], bytes, from, to)) {
      return known;
    }
    String made = TextBuffer.cut(bytes, from, to, Attributes.MAX_VALUE_BYTES);
    strings[slot] = made;
    froms[slot] = from;
    tos[slot] = to;
    return made;
  }

  /** By length, beginning and end: two texts that differ only between share a slot, no more. */
  private int slot(int from, int to) {
    int length = to - from;
    long hash = length;
    if (length >= 8) {
      hash += (long) LONG.get(bytes, from) * 31 + (long) LONG.get(bytes, to - 8);
    } else {
      for (int i = from; i < to; i++) {
        hash = hash * 31 + bytes[i];
      }
    }
    return (int) (hash * 0x9E3779B97F4A7C15L >>> 56);
  }
}
