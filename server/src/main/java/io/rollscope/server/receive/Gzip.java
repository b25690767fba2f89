package io.rollscope.server.receive;

import io.rollscope.server.receive.Refusal.Why;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses one request, piece by piece, no further than its size allows: a small bomb stays
 * small. A body may consist of several gzip members (RFC 1952), but not of any number.
 */
final class Gzip implements AutoCloseable {
  private static final int FIXED_HEAD = 10;
  private static final int TAIL = 8;
  private static final int DEFLATE = 8;
  private static final int HEAD_CRC = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xE0;

  private final byte[] in;
  private final int length;
  private final Limits limits;
  private final Buffer out;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private int at;
  private int members;
  private boolean inMember;

  /**
   * @param from where the compressed bytes begin; they go to the end
   * @param room free bytes to leave at the beginning of the result
   */
  Gzip(byte[] compressed, int from, int room, Limits limits, InFlight.Claim claim) {
    this.in = compressed;
    this.at = from;
    this.length = compressed.length - from;
    this.limits = limits;
    this.out = new Buffer(room, limits.decompressed(length), claim);
  }

  /**
   * Goes on until there are so many bytes.
   *
   * @return whether that was the end
   */
  boolean decompress(int most) throws RefusedException {
    while (inMember || nextMember()) {
      if (out.length() >= most) {
        return false;
      }
      inflate(most);
    }
    return true;
  }

  /** What came out, behind the free bytes. */
  byte[] whole() {
    out.makePlace(0, 0);
    return out.whole();
  }

  private void inflate(int most) throws RefusedException {
    Buffer.Full full = out.free() > 0 ? null : out.makePlace(1, Integer.MAX_VALUE);
    if (full == Buffer.Full.NO_ROOM) {
      throw new RefusedException(limits.noRoom());
    }
    try {
      if (full == Buffer.Full.LIMIT) {
        if (inflater.inflate(new byte[1]) > 0) {
          throw new RefusedException(limits.tooMuchDecompressed(length));
        }
      } else {
        int wanted = Math.min(out.free(), most - out.length());
        int count = inflater.inflate(out.bytes(), out.end(), wanted);
        crc.update(out.bytes(), out.end(), count);
        out.wrote(count);
      }
    } catch (DataFormatException e) {
      throw malformed(e.getMessage() == null ? "damaged" : e.getMessage());
    }
    if (inflater.finished()) {
      endMember();
    } else if (inflater.needsInput() || inflater.needsDictionary()) {
      throw malformed("ends too early");
    }
  }

  private boolean nextMember() throws RefusedException {
    if (at == in.length && members > 0) {
      return false;
    }
    if (++members > Limits.MAX_GZIP_MEMBERS) {
      throw malformed("more than " + Limits.MAX_GZIP_MEMBERS + " members");
    }
    readHead();
    inflater.reset();
    inflater.setInput(in, at, in.length - at);
    crc.reset();
    inMember = true;
    return true;
  }

  private void readHead() throws RefusedException {
    int head = at;
    pass(FIXED_HEAD);
    if (in[head] != 0x1f || in[head + 1] != (byte) 0x8b || in[head + 2] != DEFLATE) {
      throw malformed("byte " + (head + length - in.length) + ": not the head of a member");
    }
    int flags = in[head + 3];
    if ((flags & RESERVED) != 0) {
      throw malformed("reserved flags are set");
    }
    if ((flags & EXTRA) != 0) {
      pass(2);
      pass((in[at - 2] & 0xff) | (in[at - 1] & 0xff) << 8);
    }
    passText(flags & NAME);
    passText(flags & COMMENT);
    pass((flags & HEAD_CRC) != 0 ? 2 : 0);
  }

  private void passText(int flag) throws RefusedException {
    boolean more = flag != 0;
    while (more) {
      pass(1);
      more = in[at - 1] != 0;
    }
  }

  private void endMember() throws RefusedException {
    at = in.length - inflater.getRemaining();
    int tail = at;
    pass(TAIL);
    if (number(tail) != (int) crc.getValue()
        || number(tail + 4) != (int) inflater.getBytesWritten()) {
      throw malformed("checksum or length do not fit");
    }
    inMember = false;
  }

  private int number(int from) {
    return (in[from] & 0xff)
        | (in[from + 1] & 0xff) << 8
        | (in[from + 2] & 0xff) << 16
        | (in[from + 3] & 0xff) << 24;
  }

  private void pass(int count) throws RefusedException {
    if (in.length - at < count) {
      throw malformed("ends too early");
    }
    at += count;
  }

  private static RefusedException malformed(String what) {
    return new RefusedException(
        Refusal.of(Why.MALFORMED, "gzip: " + what + " (expected: a gzip stream)"));
  }

  @Override
  public void close() {
    inflater.end();
  }
}
