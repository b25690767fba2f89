package io.rollscope.formats.scan;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The keys a format knows, found by their bytes without making a String. */
public final class KeySet {
  private final byte[][] keys;
  private final byte[] slots;
  private final int mask;

  /** At most 100 ASCII keys; they are numbered in this order. */
  public KeySet(String... names) {
    keys = new byte[names.length][];
    int size = Integer.highestOneBit(names.length) * 8;
    slots = new byte[size];
    mask = size - 1;
    for (int i = 0; i < names.length; i++) {
      keys[i] = names[i].getBytes(StandardCharsets.US_ASCII);
      int slot = hash(keys[i], 0, keys[i].length);
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = (byte) (i + 1);
    }
  }

  /** Number of the key in these bytes, or -1. */
  int indexOf(byte[] b, int from, int to) {
    int slot = from == to ? 0 : hash(b, from, to);
    while (slots[slot] != 0) {
      byte[] key = keys[slots[slot] - 1];
      if (key.length == to - from && Arrays.equals(b, from, to, key, 0, key.length)) {
        return slots[slot] - 1;
      }
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  private int hash(byte[] b, int from, int to) {
    int middle = b[(from + to) >>> 1];
    return ((to - from) * 31 + b[from] * 7 + b[to - 1] + middle * 13) & mask;
  }
}
