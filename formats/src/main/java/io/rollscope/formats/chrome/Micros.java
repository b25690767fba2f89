package io.rollscope.formats.chrome;

import ch.randelshofer.fastdoubleparser.JsonDoubleParser;
import io.rollscope.formats.json.Decimals;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * A time in microseconds as it is written in a line. Kept as whole microseconds and 2^-32 parts of
 * one, which orders integers of 64 bits and doubles exactly as Python does.
 */
final class Micros {
  /** Times beyond this many microseconds (146 years) take no part in nesting. */
  private static final long LIMIT = 1L << 52;

  private static final double PARTS = 0x1p32;

  long whole;

  /** Fraction, unsigned. */
  int parts;

  /** Reads a number; nothing is 0. */
  void read(byte[] b, EventLine.Part part) {
    parts = 0;
    if (!part.isThere()) {
      whole = 0;
    } else if (SourceId.isPlainInteger(b, part.from, part.to)) {
      whole = SourceId.parsePlain(b, part.from, part.to);
    } else {
      double value = JsonDoubleParser.parseDouble(b, part.from, part.to - part.from);
      double floor = Math.floor(value);
      whole = (long) floor;
      // The difference is exact; far out, where a double has no fraction, it is 0.
      parts = Double.isInfinite(floor) ? 0 : (int) (long) ((value - floor) * PARTS);
    }
  }

  /** Adds nanoseconds, unless the time is too far out for that. */
  void shift(long nanos) {
    if (isUsual()) {
      whole += Math.floorDiv(nanos, 1000L);
      long sum = Integer.toUnsignedLong(parts) + Math.floorMod(nanos, 1000L) * (1L << 32) / 1000;
      whole += sum >>> 32;
      parts = (int) sum;
    }
  }

  boolean isUsual() {
    return whole > -LIMIT && whole < LIMIT;
  }

  /** As nanoseconds, rounded; only if {@link #isUsual}. */
  long nanos() {
    return nanos(whole, parts);
  }

  static long nanos(long whole, int parts) {
    return whole * 1000 + ((Integer.toUnsignedLong(parts) * 1000 + (1L << 31)) >>> 32);
  }

  /** The text of a number of microseconds with nanoseconds added, in ASCII. */
  static byte[] shifted(byte[] b, EventLine.Part part, long nanos) {
    if (SourceId.isPlainInteger(b, part.from, part.to) && part.to - part.from <= 15) {
      byte[] text = new byte[Decimals.MAX_BYTES];
      long value = SourceId.parsePlain(b, part.from, part.to) * 1000 + nanos;
      return java.util.Arrays.copyOf(text, Decimals.putThousandths(text, 0, value));
    }
    String text = new String(b, part.from, part.to - part.from, StandardCharsets.US_ASCII);
    String sum;
    if (text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
      // Exact addition could need as many digits as the exponent says.
      sum = Double.toString(Double.parseDouble(text) + nanos / 1000.0);
    } else {
      sum = new BigDecimal(text).add(BigDecimal.valueOf(nanos, 3)).toPlainString();
    }
    return sum.getBytes(StandardCharsets.US_ASCII);
  }
}
