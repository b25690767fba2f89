package io.rollscope.otlp;

import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.wire.ByteHash;
import io.rollscope.otlp.wire.TextBuffer;
import java.util.Arrays;

/**
 * Strings of one request, equal ones mostly the same instance. Forgets rather than grows; very long
 * ones are cut as attributes are.
 */
final class SharedStrings {
  private static final int SLOTS = 256;

  private final byte[] bytes;
  private final String[] strings = new String[SLOTS];
  private final int[] froms = new int[SLOTS];
  private final int[] tos = new int[SLOTS];

  SharedStrings(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  String get(int from, int to) {
    if (from == to) {
      return "";
    }
    int slot = ByteHash.of(bytes, from, to) >>> 24;
    if (isAt(slot, from, to)) {
      return strings[slot];
    }
    int neighbour = slot ^ 1;
    if (isAt(neighbour, from, to)) {
      return strings[neighbour];
    }
    strings[neighbour] = strings[slot];
    froms[neighbour] = froms[slot];
    tos[neighbour] = tos[slot];
    String made = TextBuffer.cut(bytes, from, to, Attributes.MAX_VALUE_BYTES);
    strings[slot] = made;
    froms[slot] = from;
    tos[slot] = to;
    return made;
  }

  private boolean isAt(int slot, int from, int to) {
    return strings[slot] != null && Arrays.equals(bytes, froms[slot], tos[slot], bytes, from, to);
  }
}
