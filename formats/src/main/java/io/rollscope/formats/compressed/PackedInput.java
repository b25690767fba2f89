package io.rollscope.formats.compressed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The bytes of a part of a file, one after another. */
final class PackedInput extends InputStream {
  private final FileChannel file;
  private final long limit;
  private final byte[] buffer = new byte[1 << 14];
  private long base;
  private int at;
  private int filled;

  PackedInput(FileChannel file, long from, long limit) {
    this.file = file;
    this.base = from;
    this.limit = limit;
  }

  /** Offset of the next byte in the file. */
  long position() {
    return base + at;
  }

  /** The same file, from an offset to another. */
  PackedInput part(long from, long to) {
    return new PackedInput(file, from, Math.min(to, limit));
  }

  long limit() {
    return limit;
  }

  /** Goes on at another offset, which may be behind the end. */
  void seek(long position) {
    if (position >= base && position <= base + filled) {
      at = (int) (position - base);
    } else {
      base = position;
      at = 0;
      filled = 0;
    }
  }

  private boolean fill() throws IOException {
    base += at;
    at = 0;
    filled = 0;
    int wanted = (int) Math.max(0, Math.min(buffer.length, limit - base));
    while (filled < wanted) {
      int n = file.read(ByteBuffer.wrap(buffer, filled, wanted - filled), base + filled);
      if (n < 0) {
        break;
      }
      filled += n;
    }
    return filled > 0;
  }

  @Override
  public int read() throws IOException {
    return at < filled || fill() ? buffer[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] to, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (at == filled && !fill()) {
      return -1;
    }
    int n = Math.min(length, filled - at);
    System.arraycopy(buffer, at, to, from, n);
    at += n;
    return n;
  }

  /** A little-endian number; -1 if the file ends before. */
  long number(int bytes) throws IOException {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      int next = read();
      if (next < 0) {
        return -1;
      }
      number |= (long) next << (8 * i);
    }
    return number;
  }
}
