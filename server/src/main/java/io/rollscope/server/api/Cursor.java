package io.rollscope.server.api;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32C;

/**
 * Where the next page begins, in a form that clients pass back without looking into it. It holds
 * for the question it was given for and no other.
 */
final class Cursor {
  private static final byte VERSION = 1;
  private static final int LENGTH = 1 + Integer.BYTES + Integer.BYTES;

  private Cursor() {}

  static String of(int offset, String question) {
    byte[] bytes =
        ByteBuffer.allocate(LENGTH).put(VERSION).putInt(offset).putInt(sum(question)).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static int offset(String cursor, String question) throws ApiException {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(cursor);
    } catch (IllegalArgumentException e) {
      throw wrong(cursor);
    }
    if (bytes.length != LENGTH || bytes[0] != VERSION) {
      throw wrong(cursor);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 1, LENGTH - 1);
    int offset = buffer.getInt();
    if (offset < 0 || buffer.getInt() != sum(question)) {
      throw wrong(cursor);
    }
    return offset;
  }

  private static ApiException wrong(String cursor) {
    return ApiException.badRequest(
        "cursor: " + cursor + " (expected: a next_cursor given for the same question)");
  }

  private static int sum(String question) {
    CRC32C crc = new CRC32C();
    crc.update(question.getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }
}
