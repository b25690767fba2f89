package io.rollscope.core.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Gives each distinct text a dense number, in the order first seen. Works on UTF-8 bytes so that a
 * reader can look up what it scanned without making a String.
 */
public final class Dictionary {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** Hash in the upper half, id + 1 in the lower; 0 is a free slot. */
  private long[] slots = new long[64];

  private int[] ends = new int[16];
  private byte[] bytes = new byte[256];
  private int size;
  private String[] texts = new String[16];

  public int size() {
    return size;
  }

  /** The number of this text, given now if it is new. */
  public int intern(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return intern(utf8, 0, utf8.length);
  }

  /** The number of this text, given now if it is new. */
  public int intern(byte[] source, int offset, int length) {
    int hash = hash(source, offset, length);
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != 0) {
      if ((int) (slots[slot] >>> 32) == hash) {
        int id = (int) slots[slot] - 1;
        int from = start(id);
        if (ends[id] - from == length
            && Arrays.equals(bytes, from, ends[id], source, offset, offset + length)) {
          return id;
        }
      }
      slot = (slot + 1) & mask;
    }
    return add(source, offset, length, hash);
  }

  /** The number of this text, or -1. */
  public int find(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int hash = hash(utf8, 0, utf8.length);
    int mask = slots.length - 1;
    for (int slot = hash & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      int id = (int) slots[slot] - 1;
      if ((int) (slots[slot] >>> 32) == hash
          && Arrays.equals(bytes, start(id), ends[id], utf8, 0, utf8.length)) {
        return id;
      }
    }
    return -1;
  }

  /** The text with this number. */
  public String text(int id) {
    if (id < texts.length && texts[id] != null) {
      return texts[id];
    }
    return new String(bytes, start(id), ends[id] - start(id), StandardCharsets.UTF_8);
  }

  /** The text with this number, remembered as a String: for the few that are asked for often. */
  public String word(int id) {
    if (id >= texts.length) {
      texts = Arrays.copyOf(texts, Math.max(id + 1, texts.length * 2));
    }
    if (texts[id] == null) {
      texts[id] = text(id);
    }
    return texts[id];
  }

  /** The number that a text of another dictionary has here, given now if it is new. */
  int internFrom(Dictionary other, int id) {
    int from = other.start(id);
    return intern(other.bytes, from, other.ends[id] - from);
  }

  public long bytes() {
    return bytes.length + 8L * slots.length + 4L * ends.length;
  }

  private int start(int id) {
    return id == 0 ? 0 : ends[id - 1];
  }

  private int add(byte[] source, int offset, int length, int hash) {
    int from = size == 0 ? 0 : ends[size - 1];
    if (from > Integer.MAX_VALUE - 64 - length) {
      throw new TableFullException("more than 2 GiB of distinct texts");
    }
    if (from + length > bytes.length) {
      long grown = Math.max((long) from + length, bytes.length * 3L / 2);
      bytes = Arrays.copyOf(bytes, (int) Math.min(grown, Integer.MAX_VALUE - 16));
    }
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, size * 2);
    }
    System.arraycopy(source, offset, bytes, from, length);
    ends[size] = from + length;
    int id = size++;
    if (size * 2 > slots.length) {
      rehash();
    }
    place(hash, id);
    return id;
  }

  private void rehash() {
    long[] old = slots;
    slots = new long[old.length * 2];
    for (long entry : old) {
      if (entry != 0) {
        place((int) (entry >>> 32), (int) entry - 1);
      }
    }
  }

  private void place(int hash, int id) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = ((long) hash << 32) | (id + 1);
  }

  private static int hash(byte[] source, int offset, int length) {
    long h = length * MIX;
    int at = offset;
    int end = offset + length;
    for (; at + 8 <= end; at += 8) {
      h = (h ^ (long) WORD.get(source, at)) * MIX;
      h ^= h >>> 32;
    }
    long tail = 0;
    for (; at < end; at++) {
      tail = (tail << 8) | (source[at] & 0xff);
    }
    h = (h ^ tail) * MIX;
    return (int) (h >>> 32);
  }
}
