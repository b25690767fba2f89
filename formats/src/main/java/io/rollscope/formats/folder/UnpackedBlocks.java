package io.rollscope.formats.folder;

import io.rollscope.formats.compressed.CompressedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a compressed file holds, in blocks; those that were read last are kept. */
final class UnpackedBlocks implements ByteSource {
  private static final int BLOCK = 1 << 20;
  private static final int MAX_KEPT = 8;

  private final TraceFile file;
  private final Map<Long, byte[]> kept =
      new LinkedHashMap<>(16, .75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, byte[]> eldest) {
          return size() > MAX_KEPT;
        }
      };
  private CompressedReader reader;

  UnpackedBlocks(TraceFile file) {
    this.file = file;
  }

  @Override
  public int read(ByteBuffer target, long offset) throws IOException {
    byte[] block = kept.get(offset / BLOCK);
    if (block == null) {
      block = unpack(offset / BLOCK);
    }
    int at = (int) (offset % BLOCK);
    int length = Math.min(target.remaining(), block.length - at);
    if (length <= 0) {
      return -1;
    }
    target.put(block, at, length);
    return length;
  }

  /** Goes on from where it is, or from the nearest beginning of a frame, whichever is nearer. */
  private byte[] unpack(long number) throws IOException {
    long wanted = number * BLOCK;
    if (reader == null
        || reader.unpacked() > wanted
        || reader.unpacked() < file.frameBefore(wanted).unpacked()) {
      close();
      reader =
          new CompressedReader(
              file.path(), file.compression(), file.frameBefore(wanted), Files.size(file.path()));
      skipTo((reader.unpacked() + BLOCK - 1) / BLOCK * BLOCK);
    }
    byte[] block = new byte[0];
    while (reader.unpacked() <= wanted) {
      long here = reader.unpacked() / BLOCK;
      byte[] bytes = new byte[BLOCK];
      int length = reader.read(bytes, 0, BLOCK);
      block = length == BLOCK ? bytes : Arrays.copyOf(bytes, length);
      if (length < BLOCK) {
        close(); // There may be more the next time.
        return here == number ? block : new byte[0];
      }
      kept.put(here, block);
    }
    return block;
  }

  private void skipTo(long offset) throws IOException {
    byte[] bytes = new byte[1 << 16];
    while (reader.unpacked() < offset) {
      int length = (int) Math.min(bytes.length, offset - reader.unpacked());
      if (reader.read(bytes, 0, length) < length) {
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
