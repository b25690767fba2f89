package io.rollscope.core.table;

import java.util.Arrays;

/** A growing column of longs that never copies what it holds; unset cells have a default. */
public final class LongColumn {
  private static final int BITS = 15;
  private static final int SIZE = 1 << BITS;

  private final long defaultValue;
  private long[][] blocks = new long[4][];

  public LongColumn(long defaultValue) {
    this.defaultValue = defaultValue;
  }

  public long get(int index) {
    int block = index >>> BITS;
    if (block >= blocks.length || blocks[block] == null) {
      return defaultValue;
    }
    return blocks[block][index & (SIZE - 1)];
  }

  public void set(int index, long value) {
    blockFor(index)[index & (SIZE - 1)] = value;
  }

  /** Sets {@code count} cells from an array. */
  void setAll(int index, long[] values, int count) {
    int done = 0;
    while (done < count) {
      long[] block = blockFor(index + done);
      int at = (index + done) & (SIZE - 1);
      int part = Math.min(SIZE - at, count - done);
      System.arraycopy(values, done, block, at, part);
      done += part;
    }
  }

  private long[] blockFor(int index) {
    int number = index >>> BITS;
    if (number >= blocks.length) {
      blocks = Arrays.copyOf(blocks, Math.max(number + 1, blocks.length * 2));
    }
    long[] block = blocks[number];
    if (block == null) {
      block = new long[SIZE];
      if (defaultValue != 0) {
        Arrays.fill(block, defaultValue);
      }
      blocks[number] = block;
    }
    return block;
  }

  public long bytes() {
    return Arrays.stream(blocks).filter(b -> b != null).count() * SIZE * Long.BYTES;
  }
}
