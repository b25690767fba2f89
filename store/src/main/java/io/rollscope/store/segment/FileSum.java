package io.rollscope.store.segment;

import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.ReadFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * What a file of a segment must be like.
 *
 * @param crc32c its checksum, as eight hex digits
 */
public record FileSum(long bytes, String crc32c) {
  private static final int CHUNK = 1 << 20;

  /** Reads a file. */
  static FileSum of(Disk disk, Path file) throws IOException {
    try (ReadFile in = disk.openForRead(file)) {
      long size = in.size();
      CRC32C sum = new CRC32C();
      ByteBuffer chunk = ByteBuffer.allocate((int) Math.max(1, Math.min(CHUNK, size)));
      long at = 0;
      while (at < size) {
        chunk.clear();
        int read = in.read(chunk, at);
        if (read <= 0) {
          break; // It was cut meanwhile: the size tells.
        }
        sum.update(chunk.flip());
        at += read;
      }
      return new FileSum(at, String.format("%08x", sum.getValue()));
    }
  }
}
