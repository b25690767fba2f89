package io.rollscope.formats.folder;

import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.Skipped;
import io.rollscope.otlp.wire.Utf8;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads one piece of a file and hands out its lines. A line belongs to the piece in which it
 * begins. Reads by copying, not by mapping: a file that shrinks must not end the process.
 */
final class LineSplitter {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long NEWLINES = ONES * '\n';
  private static final int SLACK = 16;
  static final int MAX_LINE = 64 << 20;
  static final String TOO_LONG = "a line of more than 64 MiB (expected: one event per line)";

  private byte[] buffer = new byte[0];
  private int filled;
  private boolean ascii;

  private final Skipped skipped = new Skipped();
  private long lines;
  private long consumedTo;
  private boolean withinLongLine;

  /** Refused lines; numbers count from 1 within the piece. */
  Skipped skipped() {
    return skipped;
  }

  /** How many lines began in the piece. */
  long lines() {
    return lines;
  }

  /** End of the last line taken, as an offset in the file; 0 if no line began in the piece. */
  long consumedTo() {
    return consumedTo;
  }

  /** Whether that is not the end of a line but the middle of one that is too long. */
  boolean withinLongLine() {
    return withinLongLine;
  }

  /**
   * Reads the lines that begin in [from, to).
   *
   * @param label what the file is called in messages
   * @param first whether a line is known to begin at {@code from}
   * @param fileEnd where the file ends for this look
   * @param complete whether an unterminated last line is to be taken (or reported as torn) now
   */
  void read(
      ByteSource source,
      String label,
      LineTaker taker,
      long from,
      long to,
      boolean first,
      long fileEnd,
      boolean complete)
      throws IOException {
    skipped.clear();
    lines = 0;
    consumedTo = first ? from : 0;
    withinLongLine = false;
    long base = first ? from : from - 1;
    fill(source, base, (int) (to - base));
    int position = 0;
    if (!first) {
      position = newline(0, filled) + 1;
      if (position == 0) {
        return;
      }
    } else if (from == 0 && startsWithByteOrderMark()) {
      position = 3;
    }
    int limit = (int) (to - base);
    while (position < limit) {
      int lineEnd = newline(position, filled);
      while (lineEnd < 0 && base + filled < fileEnd && filled - position <= MAX_LINE) {
        long wanted = Math.max(filled + (1L << 16), position + 2L * (filled - position));
        wanted = Math.min(wanted, position + MAX_LINE + 1L);
        int before = filled;
        more(source, base, (int) Math.min(wanted, fileEnd - base));
        lineEnd = filled == before ? -1 : newline(position, filled);
        if (filled == before) {
          break;
        }
      }
      if (lineEnd < 0 && filled - position > MAX_LINE) {
        lines++;
        skipped.add(label, lines, TOO_LONG);
        consumedTo = base + filled;
        withinLongLine = true;
        return;
      }
      if (lineEnd < 0) {
        lastLine(label, taker, position, base, complete);
        return;
      }
      lines++;
      take(label, taker, position, lineEnd, base + position);
      position = lineEnd + 1;
      consumedTo = base + position;
    }
  }

  private void lastLine(String label, LineTaker taker, int from, long base, boolean complete) {
    if (!complete || isBlank(from, filled)) {
      return;
    }
    lines++;
    long before = skipped.count();
    take(label, taker, from, filled, base + from);
    if (skipped.count() > before) {
      skipped.explainLast("torn last line: ");
    }
    consumedTo = base + filled;
  }

  private void take(String label, LineTaker taker, int from, int to, long offset) {
    if (isBlank(from, to)) {
      return;
    }
    try {
      if (!ascii) {
        int bad = Utf8.firstInvalid(buffer, from, to);
        if (bad >= 0) {
          throw new BadLineException(
              String.format(
                  "byte 0x%02x at column %d (expected: UTF-8)",
                  buffer[bad] & 0xff, bad - from + 1));
        }
      }
      taker.line(buffer, from, to, offset);
    } catch (BadLineException e) {
      skipped.add(label, lines, e.getMessage());
    }
  }

  private boolean isBlank(int from, int to) {
    for (int i = from; i < to; i++) {
      byte c = buffer[i];
      if (c != ' ' && c != '\t' && c != '\r') {
        return false;
      }
    }
    return true;
  }

  private boolean startsWithByteOrderMark() {
    return filled >= 3
        && buffer[0] == (byte) 0xEF
        && buffer[1] == (byte) 0xBB
        && buffer[2] == (byte) 0xBF;
  }

  /** Finds the next line end, eight bytes at a time, and whether all bytes before it are ASCII. */
  private int newline(int from, int to) {
    long high = 0;
    int i = from;
    for (; i + 8 <= to; i += 8) {
      long word = (long) WORD.get(buffer, i);
      long x = word ^ NEWLINES;
      long found = (x - ONES) & ~x & HIGHS;
      if (found != 0) {
        int at = Long.numberOfTrailingZeros(found) >>> 3;
        high |= word & ((1L << (at * 8)) - 1);
        ascii = (high & HIGHS) == 0;
        return i + at;
      }
      high |= word;
    }
    for (; i < to; i++) {
      if (buffer[i] == '\n') {
        ascii = (high & HIGHS) == 0;
        return i;
      }
      high |= buffer[i] & 0x80;
    }
    ascii = (high & HIGHS) == 0;
    return -1;
  }

  private void fill(ByteSource source, long base, int length) throws IOException {
    filled = 0;
    more(source, base, length);
  }

  private void more(ByteSource source, long base, int upTo) throws IOException {
    if (buffer.length < upTo + SLACK) {
      buffer = Arrays.copyOf(buffer, upTo + SLACK);
    }
    ByteBuffer target = ByteBuffer.wrap(buffer, filled, upTo - filled);
    while (target.hasRemaining()) {
      int n = source.read(target, base + target.position());
      if (n < 0) {
        break;
      }
    }
    filled = target.position();
  }
}
