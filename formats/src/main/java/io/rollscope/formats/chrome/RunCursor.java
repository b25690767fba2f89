package io.rollscope.formats.chrome;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Goes through a run, one record at a time. */
final class RunCursor {
  private static final int BUFFER = 1 << 18;

  private final FileChannel file;
  private final Iterator<byte[]> chunks;
  private long fileAt;
  private byte[] buffer;
  private int filled;
  private int at;
  private int size;
  private long whole;
  private long place;
  private long lengthNs;

  /** A run in memory. */
  RunCursor(List<byte[]> run) {
    this.file = null;
    this.chunks = run.iterator();
    this.buffer = new byte[0];
  }

  /** A run in a file, from its beginning. */
  RunCursor(FileChannel file) {
    this.file = file;
    this.chunks = null;
    this.buffer = new byte[BUFFER];
  }

  /** Moves to the next record; false at the end. */
  boolean next() throws IOException {
    at += size;
    size = 0;
    if (!have(EventRecord.HEADER)) {
      return false;
    }
    int needed = EventRecord.HEADER + EventRecord.getInt(buffer, at + EventRecord.SIZE);
    if (!have(needed)) {
      throw new IOException("a temporary file ends early (expected: " + needed + " more bytes)");
    }
    size = needed;
    whole = EventRecord.getLong(buffer, at + EventRecord.WHOLE);
    place = EventRecord.getLong(buffer, at + EventRecord.PLACE);
    lengthNs = EventRecord.getLong(buffer, at + EventRecord.LENGTH_NS);
    return true;
  }

  private boolean have(int wanted) throws IOException {
    if (filled - at >= wanted) {
      return true;
    }
    return file == null ? nextChunk() : readOn(wanted);
  }

  private boolean nextChunk() {
    if (!chunks.hasNext()) {
      return false;
    }
    buffer = chunks.next();
    filled = buffer.length;
    at = 0;
    return true;
  }

  private boolean readOn(int wanted) throws IOException {
    System.arraycopy(buffer, at, buffer, 0, filled - at);
    filled -= at;
    at = 0;
    if (buffer.length < wanted) {
      buffer = Arrays.copyOf(buffer, wanted);
    }
    while (filled < wanted) {
      int n = file.read(ByteBuffer.wrap(buffer, filled, buffer.length - filled), fileAt);
      if (n < 0) {
        return false;
      }
      filled += n;
      fileAt += n;
    }
    return true;
  }

  byte[] buffer() {
    return buffer;
  }

  /** Where in the buffer the record begins. */
  int at() {
    return at;
  }

  /** How long it is, header included. */
  int size() {
    return size;
  }

  /**
   * Whether its record comes before that of another.
   *
   * @param later whether this run stands behind the other in the source
   */
  boolean isBefore(RunCursor other, boolean later) {
    return EventRecord.isBefore(
        whole, place, lengthNs, other.whole, other.place, other.lengthNs, later);
  }
}
