package io.rollscope.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/** Writes values of a fixed width over what is in a body. */
final class Patch {
  private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
  private static final char[] HEX_PAIRS = new char[256];

  static {
    for (int i = 0; i < HEX_PAIRS.length; i++) {
      HEX_PAIRS[i] = (char) (HEX[i >> 4] << 8 | HEX[i & 15]);
    }
  }

  private Patch() {}

  static void bytes(ByteBuffer body, int at, long high, long low) {
    body.putLong(at, high);
    body.putLong(at + 8, low);
  }

  /** A protobuf {@code fixed64} or {@code double}. */
  static void fixed64(ByteBuffer body, int at, long value) {
    body.putLong(at, Long.reverseBytes(value));
  }

  /** A varint of 128 to 16,383. */
  static void varint2(ByteBuffer body, int at, int value) {
    body.putShort(at, (short) ((value & 0x7f | 0x80) << 8 | value >>> 7));
  }

  /** A varint of 2,097,152 to 268,435,455. */
  static void varint4(ByteBuffer body, int at, int value) {
    varint2(body, at, value & 0x3fff);
    body.put(at + 1, (byte) (value >>> 7 & 0x7f | 0x80));
    body.put(at + 2, (byte) (value >>> 14 & 0x7f | 0x80));
    body.put(at + 3, (byte) (value >>> 21));
  }

  /** Sixteen hex digits. */
  static void hex(ByteBuffer body, int at, long value) {
    for (int i = 0; i < 8; i++) {
      body.putChar(at + 2 * i, HEX_PAIRS[(int) (value >>> 56 - 8 * i) & 0xff]);
    }
  }

  /** The last digits of a number. */
  static void decimal(ByteBuffer body, int at, int digits, long value) {
    long rest = value;
    for (int i = digits - 1; i >= 0; i--) {
      body.put(at + i, (byte) ('0' + rest % 10));
      rest /= 10;
    }
  }
}
