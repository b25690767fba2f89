package io.rollscope.formats.compressed;

import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** A member of a gzip file (RFC 1952). The JDK's own stream cannot say where a member ends. */
final class GzipMember implements Frame {
  private static final int MAX_HEADER = 1 << 17;
  private static final int HAS_CRC = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;

  private final PackedInput in;
  private final long begin;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] packed = new byte[1 << 14];
  private boolean isOver;
  private long end = -1;

  GzipMember(PackedInput in) throws IOException {
    this.in = in;
    this.begin = in.position();
    try {
      isOver = !readHeader();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Whether it is whole. */
  private boolean readHeader() throws IOException {
    int first = in.read();
    int second = in.read();
    if ((first >= 0 && first != 0x1f) || (second >= 0 && second != 0x8b)) {
      throw damaged("no gzip member");
    }
    int method = in.read();
    int flags = in.read();
    if (method > 8 || (method >= 0 && method < 8) || flags > 0x1f) {
      throw damaged("a gzip member of an unknown kind");
    }
    in.number(6); // time, level and system
    if ((flags & HAS_EXTRA) != 0) {
      skipExtra();
    }
    boolean isWhole = flags >= 0;
    for (int text = HAS_NAME; text <= HAS_COMMENT; text <<= 1) {
      isWhole = isWhole && ((flags & text) == 0 || skipText());
    }
    if ((flags & HAS_CRC) != 0) {
      in.number(2);
    }
    return isWhole && in.position() < in.limit();
  }

  private void skipExtra() throws IOException {
    long length = in.number(2);
    in.seek(in.position() + Math.max(0, length));
  }

  private boolean skipText() throws IOException {
    int next = in.read();
    while (next > 0) {
      if (in.position() - begin > MAX_HEADER) {
        throw damaged("a gzip member with an endless name");
      }
      next = in.read();
    }
    return next == 0;
  }

  @Override
  public int read(byte[] to, int from, int length) throws IOException {
    try {
      while (!isOver) {
        int n = inflater.inflate(to, from, length);
        if (n > 0) {
          crc.update(to, from, n);
          return n;
        }
        if (inflater.finished()) {
          isOver = true;
          readTrailer();
        } else if (inflater.needsDictionary()) {
          throw damaged("a gzip member with a dictionary");
        } else if (inflater.needsInput()) {
          int more = in.read(packed, 0, packed.length);
          isOver = more < 0;
          inflater.setInput(packed, 0, Math.max(0, more));
        }
      }
      return -1;
    } catch (DataFormatException e) {
      throw damaged("a gzip member that is broken: " + e.getMessage());
    }
  }

  private void readTrailer() throws IOException {
    in.seek(in.position() - inflater.getRemaining());
    long sum = in.number(4);
    long length = in.number(4);
    if (length < 0) {
      return;
    }
    if (sum != crc.getValue() || length != (inflater.getBytesWritten() & 0xffffffffL)) {
      throw damaged("a gzip member with a wrong checksum");
    }
    end = in.position();
  }

  private DamagedFileException damaged(String what) {
    return new DamagedFileException(begin, what, "a gzip member or the end of the file");
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public void close() {
    inflater.end();
  }
}
