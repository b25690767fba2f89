package io.rollscope.otlp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/** Finds known keys by their bytes, without making a String. */
final class KeyTable {
  private static final int SLOTS = 1024;
  private static final Key[] KEYS = new Key[SLOTS];
  private static final byte[][] NAMES = new byte[SLOTS][];

  static {
    for (Key key : Key.values()) {
      key.texts().forEach(text -> put(text.getBytes(US_ASCII), key));
    }
  }

  private static void put(byte[] name, Key key) {
    int slot = slot(name, 0, name.length);
    while (KEYS[slot] != null) {
      slot = (slot + 1) % SLOTS;
    }
    KEYS[slot] = key;
    NAMES[slot] = name;
  }

  private KeyTable() {}

  /** The key in these bytes, or null. */
  static Key find(byte[] b, int from, int to) {
    if (from == to) {
      return null;
    }
    int slot = slot(b, from, to);
    while (KEYS[slot] != null) {
      byte[] name = NAMES[slot];
      if (name.length == to - from && Arrays.equals(name, 0, name.length, b, from, to)) {
        return KEYS[slot];
      }
      slot = (slot + 1) % SLOTS;
    }
    return null;
  }

  private static int slot(byte[] b, int from, int to) {
    int hash = (to - from) * 31 + b[from] * 7 + b[to - 1] * 129 + b[(from + to) >>> 1] * 13;
    return hash & SLOTS - 1;
  }
}
