package io.rollscope.store.journal;

import io.rollscope.otlp.Signal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The bytes of a frame, big-endian: marker (8), length of what follows the checksum (4), CRC32C
 * (4), format version (1), source, payload. The checksum covers what follows it, and before that
 * the marker, the frame's offset and the length: a frame copied to another place is not a frame.
 */
final class FrameLayout {
  static final int VERSION = 1;

  /** Marker, length and checksum. */
  static final int PREFIX = 16;

  static final int LENGTH_AT = 8;
  static final int CHECKSUM_AT = 12;

  private static final byte TRACES = 1;
  private static final byte LOGS = 2;
  private static final byte METRICS = 3;
  private static final byte TAILED_FILE = 4;
  private static final byte CHECKPOINT = 5;

  private FrameLayout() {}

  /** Bytes that the frame takes in a file. */
  static long size(Frame frame) {
    return (long) headSize(frame.source()) + frame.payload().length;
  }

  /** Everything before the payload. */
  static byte[] head(Frame frame, long marker, long offset) {
    ByteBuffer head = ByteBuffer.allocate(headSize(frame.source()));
    int length = head.capacity() - PREFIX + frame.payload().length;
    head.putLong(marker).putInt(length).putInt(0).put((byte) VERSION);
    putSource(head, frame.source());
    CRC32C crc = seeded(marker, offset, length);
    crc.update(head.array(), PREFIX, head.capacity() - PREFIX);
    crc.update(frame.payload());
    return head.putInt(CHECKSUM_AT, (int) crc.getValue()).array();
  }

  /** The checksum of a frame whose part after the checksum is this body. */
  static int checksum(long marker, long offset, ByteBuffer body) {
    CRC32C crc = seeded(marker, offset, body.remaining());
    crc.update(body.duplicate());
    return (int) crc.getValue();
  }

  /** Reads what follows the version; the bytes have passed the checksum. */
  static Frame decode(ByteBuffer body) throws DamagedFrameException {
    Source source = source(body);
    byte[] payload = new byte[body.remaining()];
    body.get(payload);
    return new Frame(source, payload);
  }

  private static int headSize(Source source) {
    int fixed = PREFIX + 2;
    if (source instanceof Source.TailedFile file) {
      return fixed + 2 + file.fileId().getBytes(StandardCharsets.UTF_8).length + 8;
    }
    return fixed;
  }

  private static void putSource(ByteBuffer head, Source source) {
    if (source instanceof Source.Otlp otlp) {
      head.put(
          switch (otlp.signal()) {
            case TRACES -> TRACES;
            case LOGS -> LOGS;
            case METRICS -> METRICS;
          });
    } else if (source instanceof Source.TailedFile file) {
      byte[] id = file.fileId().getBytes(StandardCharsets.UTF_8);
      head.put(TAILED_FILE).putShort((short) id.length).put(id).putLong(file.endOffset());
    } else {
      head.put(CHECKPOINT);
    }
  }

  private static Source source(ByteBuffer body) throws DamagedFrameException {
    byte kind = body.get();
    return switch (kind) {
      case TRACES -> new Source.Otlp(Signal.TRACES);
      case LOGS -> new Source.Otlp(Signal.LOGS);
      case METRICS -> new Source.Otlp(Signal.METRICS);
      case TAILED_FILE -> tailedFile(body);
      case CHECKPOINT -> new Source.Checkpoint();
      default -> throw new DamagedFrameException("source: " + kind + " (expected: 1 to 5)");
    };
  }

  private static Source tailedFile(ByteBuffer body) {
    byte[] id = new byte[Short.toUnsignedInt(body.getShort())];
    body.get(id);
    return new Source.TailedFile(new String(id, StandardCharsets.UTF_8), body.getLong());
  }

  private static CRC32C seeded(long marker, long offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(20).putLong(marker).putLong(offset).putInt(length).flip());
    return crc;
  }
}
