package io.rollscope.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names and ids that are too long to be kept whole (contracts.md 3.19). */
final class LongNames {
  /** Longer ones are cut. */
  static final int MAX_BYTES = 1_024;

  private static final int HASH_BYTES = 8;

  /** {@code #} and the hash in hexadecimal digits. */
  private static final int HASH_LENGTH = 1 + 2 * HASH_BYTES;

  private LongNames() {}

  /** A name: its beginning. */
  static String cutName(byte[] bytes, int from, int to) {
    return new String(bytes, from, end(bytes, from, to, MAX_BYTES) - from, UTF_8);
  }

  /** An id made of several parts, each of which may be as long as an id. */
  static String id(String text) {
    if (text.length() <= MAX_BYTES / 3) {
      return text; // A char is at most three bytes.
    }
    byte[] bytes = text.getBytes(UTF_8);
    return bytes.length <= MAX_BYTES ? text : cutId(bytes, 0, bytes.length);
  }

  /** An id: its beginning and a hash of the whole, so that different ids stay different. */
  static String cutId(byte[] bytes, int from, int to) {
    int end = end(bytes, from, to, MAX_BYTES - HASH_LENGTH);
    MessageDigest digest = sha256();
    digest.update(bytes, from, to - from);
    return new String(bytes, from, end - from, UTF_8)
        + '#'
        + HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
  }

  /** At most so many bytes, and no character in pieces. */
  private static int end(byte[] bytes, int from, int to, int most) {
    int end = Math.min(to, from + most);
    while (end < to && end > from && (bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return end;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
