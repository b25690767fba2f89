package io.rollscope.formats.otlp;

import java.util.Arrays;

/** Finds numbers by pairs of longs, in 4 to 8 bytes for each: the pairs are elsewhere. */
final class LongNumbers {
  /** Tells whether a number has these longs. */
  interface Match {
    boolean is(int number, long a, long b);
  }

  private final Match match;
  private final Hash hash;
  private int[] slots = new int[64];
  private int size;

  /** Tells the hash of a number's longs. */
  interface Hash {
    long of(int number);
  }

  LongNumbers(Match match, Hash hash) {
    this.match = match;
    this.hash = hash;
  }

  static long hash(long a, long b) {
    long h = (a ^ Long.rotateLeft(b, 31)) * 0x9E3779B97F4A7C15L;
    return h ^ h >>> 32;
  }

  /** The number with these longs, or -1. */
  int find(long a, long b) {
    int mask = slots.length - 1;
    for (int slot = (int) hash(a, b) & mask; slots[slot] != 0; slot = slot + 1 & mask) {
      if (match.is(slots[slot] - 1, a, b)) {
        return slots[slot] - 1;
      }
    }
    return -1;
  }

  /** Adds a number that is not here. */
  void add(int number) {
    if (++size * 3L > slots.length * 2L) {
      int[] old = slots;
      slots = new int[2 * old.length];
      Arrays.stream(old).filter(n -> n != 0).forEach(n -> put(n - 1));
    }
    put(number);
  }

  private void put(int number) {
    int mask = slots.length - 1;
    int slot = (int) hash.of(number) & mask;
    while (slots[slot] != 0) {
      slot = slot + 1 & mask;
    }
    slots[slot] = number + 1;
  }

  long bytes() {
    return 4L * slots.length;
  }
}
