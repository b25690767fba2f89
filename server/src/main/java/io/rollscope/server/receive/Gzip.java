package io.rollscope.server.receive;

import io.rollscope.server.receive.Refusal.Why;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Decompresses requests; stops where the limit is, so that a small bomb stays small. */
final class Gzip {
  private static final int STEP = 64 << 10;

  private Gzip() {}

  /**
   * @param from where the compressed bytes begin; they go to the end
   * @param room free bytes to leave at the beginning of the result
   */
  static byte[] decompress(
      byte[] compressed, int from, int room, Limits limits, InFlight.Claim claim)
      throws RefusedException {
    Buffer buffer = new Buffer(room, limits.message(), claim);
    int length = compressed.length - from;
    try (InputStream in =
        new GZIPInputStream(new ByteArrayInputStream(compressed, from, length), STEP)) {
      while (true) {
        if (buffer.free() <= 0) {
          Buffer.Full full = buffer.makePlace(1, Integer.MAX_VALUE);
          if (full == Buffer.Full.NO_ROOM) {
            throw new RefusedException(limits.noRoom());
          } else if (full == Buffer.Full.LIMIT) {
            return endingHere(in, buffer, limits);
          }
        }
        int read = in.read(buffer.bytes(), buffer.end(), buffer.free());
        if (read < 0) {
          return buffer.whole();
        }
        buffer.wrote(read);
      }
    } catch (IOException e) {
      throw new RefusedException(
          Refusal.of(Why.MALFORMED, "gzip: " + e.getMessage() + " (expected: a gzip stream)"));
    }
  }

  private static byte[] endingHere(InputStream in, Buffer buffer, Limits limits)
      throws IOException, RefusedException {
    if (in.read() >= 0) {
      throw new RefusedException(limits.tooLarge("decompressed body"));
    }
    return buffer.whole();
  }
}
