package io.rollscope.core.table;

import java.util.Arrays;

/** A growing column of bytes that never copies what it holds; unset cells have a default. */
public final class ByteColumn {
  private static final int BITS = 15;
  private static final int SIZE = 1 << BITS;

  private final byte defaultValue;
  private byte[][] blocks = new byte[4][];

  public ByteColumn(byte defaultValue) {
    this.defaultValue = defaultValue;
  }

  public byte get(int index) {
    int block = index >>> BITS;
    if (block >= blocks.length || blocks[block] == null) {
      return defaultValue;
    }
    return blocks[block][index & (SIZE - 1)];
  }

  public void set(int index, byte value) {
    blockFor(index)[index & (SIZE - 1)] = value;
  }

  /** Sets {@code count} cells from an array. */
  void setAll(int index, byte[] values, int count) {
    int done = 0;
    while (done < count) {
      byte[] block = blockFor(index + done);
      int at = (index + done) & (SIZE - 1);
      int part = Math.min(SIZE - at, count - done);
      System.arraycopy(values, done, block, at, part);
      done += part;
    }
  }

  private byte[] blockFor(int index) {
    int number = index >>> BITS;
    if (number >= blocks.length) {
      blocks = Arrays.copyOf(blocks, Math.max(number + 1, blocks.length * 2));
    }
    byte[] block = blocks[number];
    if (block == null) {
      block = new byte[SIZE];
      if (defaultValue != 0) {
        Arrays.fill(block, defaultValue);
      }
      blocks[number] = block;
    }
    return block;
  }

  public long bytes() {
    return Arrays.stream(blocks).filter(b -> b != null).count() * SIZE * Byte.BYTES;
  }
}
