package io.rollscope.otlp.record;

import io.rollscope.otlp.wire.ByteHash;
import java.util.Arrays;

/** The keys met so far among some attributes, where they lie. */
final class SeenKeys {
  private final byte[] bytes;
  private int[] hashes = new int[16];
  private int[] froms = new int[16];
  private int[] tos = new int[16];
  private int count;
  private long filter;

  SeenKeys(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Adds the key; false if it was there. */
  boolean add(int from, int to) {
    int hash = ByteHash.of(bytes, from, to);
    long bit = 1L << (hash >>> 26);
    if ((filter & bit) != 0 && contains(hash, from, to)) {
      return false;
    }
    filter |= bit;
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * count);
      froms = Arrays.copyOf(froms, 2 * count);
      tos = Arrays.copyOf(tos, 2 * count);
    }
    hashes[count] = hash;
    froms[count] = from;
    tos[count++] = to;
    return true;
  }

  boolean contains(byte[] key) {
    for (int i = 0; i < count; i++) {
      if (Arrays.equals(bytes, froms[i], tos[i], key, 0, key.length)) {
        return true;
      }
    }
    return false;
  }

  private boolean contains(int hash, int from, int to) {
    for (int i = 0; i < count; i++) {
      if (hashes[i] == hash && Arrays.equals(bytes, froms[i], tos[i], bytes, from, to)) {
        return true;
      }
    }
    return false;
  }
}
