package io.rollscope.store.testkit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** Contents of a file of a {@link ForgetfulDisk}: as programs see them, and as last forced. */
final class StoredFile {
  private static final int SECTOR = 16;

  private byte[] current;
  private byte[] durable;

  StoredFile(byte[] contents) {
    current = contents;
    durable = contents;
  }

  byte[] bytes() {
    return current;
  }

  void append(ByteBuffer bytes) {
    int end = current.length;
    current = Arrays.copyOf(current, end + bytes.remaining());
    bytes.get(current, end, bytes.remaining());
  }

  void truncate(int size) {
    if (size < current.length) {
      current = Arrays.copyOf(current, size);
    }
  }

  void force() {
    durable = current.clone();
  }

  /** Goes back to what was forced, or, if a random is given, to something on the way from it. */
  void losePower(Random random) {
    current = random == null ? durable.clone() : torn(random);
    durable = current.clone();
  }

  /** Any length between the two, and sectors of either, or zeros where only the new one has any. */
  private byte[] torn(Random random) {
    int shorter = Math.min(current.length, durable.length);
    int longer = Math.max(current.length, durable.length);
    byte[] result = new byte[shorter + random.nextInt(longer - shorter + 1)];
    for (int at = 0; at < result.length; at += SECTOR) {
      byte[] from = random.nextInt(4) == 0 ? durable : current;
      int length = Math.min(SECTOR, Math.min(from.length, result.length) - at);
      if (length > 0) {
        System.arraycopy(from, at, result, at, length);
      }
    }
    return result;
  }
}
