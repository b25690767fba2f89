package io.rollscope.store.journal;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The first 32 bytes of a journal file. Size, place of the version and place of the checksum are
 * the same in every version, so that a newer file is told from a damaged one.
 *
 * @param marker a random number with which every frame of this file begins
 */
record FileHeader(int version, long sequence, long marker) {
  static final int BYTES = 32;
  static final int VERSION = 1;

  /** "RollJrnl". */
  private static final long MAGIC = 0x526F6C6C4A726E6CL;

  private static final int CHECKED_BYTES = BYTES - Integer.BYTES;

  byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(MAGIC).putInt(version).putLong(sequence).putLong(marker);
    return bytes.putInt(checksum(bytes)).array();
  }

  /** The header in these bytes, of whatever version; empty if they are none. */
  static Optional<FileHeader> decode(ByteBuffer bytes) {
    if (bytes.remaining() < BYTES) {
      return Optional.empty();
    }
    int start = bytes.position();
    ByteBuffer header = bytes.slice(start, BYTES);
    if (header.getLong(0) != MAGIC || header.getInt(CHECKED_BYTES) != checksum(header)) {
      return Optional.empty();
    }
    return Optional.of(new FileHeader(header.getInt(8), header.getLong(12), header.getLong(20)));
  }

  private static int checksum(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.duplicate().position(0).limit(CHECKED_BYTES));
    return (int) crc.getValue();
  }
}
