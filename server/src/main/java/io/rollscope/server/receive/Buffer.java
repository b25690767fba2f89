package io.rollscope.server.receive;

import java.util.Arrays;

/**
 * An array that grows with what arrives, to twice of that at most, with room left free in front.
 * Its size is bounded, and counted against what all requests may hold.
 */
final class Buffer {
  private static final int FIRST = 1 << 10;

  private final int room;
  private final int limit;
  private final InFlight.Claim claim;
  private byte[] bytes = new byte[0];
  private int end;

  /**
   * @param room bytes to leave free at the beginning
   * @param limit most bytes after that
   */
  Buffer(int room, int limit, InFlight.Claim claim) {
    this.room = room;
    this.limit = limit;
    this.claim = claim;
    this.end = room;
  }

  /** Why there is no place for so many more bytes; null when there is now. */
  Full makePlace(int more, int expected) {
    long needed = (long) end + more;
    if (needed - room > limit) {
      return Full.LIMIT;
    }
    if (needed <= bytes.length) {
      return null;
    }
    long roomy = Math.max(needed, Math.max(FIRST, 2L * bytes.length));
    long wanted = Math.max(needed, Math.min(roomy, (long) room + Math.min(expected, limit)));
    if (!claim.more(wanted - bytes.length)) {
      return Full.NO_ROOM;
    }
    bytes = Arrays.copyOf(bytes, (int) wanted);
    return null;
  }

  /** Where to write: {@code bytes()[end()]} and on, as far as there is place. */
  byte[] bytes() {
    return bytes;
  }

  int end() {
    return end;
  }

  /** How many bytes were written. */
  int length() {
    return end - room;
  }

  int free() {
    return bytes.length - end;
  }

  void wrote(int count) {
    end += count;
  }

  /** The array, cut to what was written. */
  byte[] whole() {
    return bytes.length == end ? bytes : Arrays.copyOf(bytes, end);
  }

  /** Why a buffer grows no further. */
  enum Full {
    LIMIT,
    NO_ROOM
  }
}
