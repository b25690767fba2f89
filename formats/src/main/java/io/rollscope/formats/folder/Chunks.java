package io.rollscope.formats.folder;

import io.rollscope.formats.compressed.CompressedReader;
import io.rollscope.formats.compressed.Compression;
import io.rollscope.formats.compressed.DamagedFileException;
import io.rollscope.formats.compressed.FrameBegin;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts what a compressed file holds into chunks of whole lines, one after another. */
final class Chunks implements Closeable {
  private static final int USUAL = 4 << 20;

  /**
   * Some lines; of the last chunk the last line may have no end yet.
   *
   * @param from offset in what the file holds
   * @param begins of frames in it
   * @param packed how many bytes of the file were read for it
   * @param failure why no more can be read, or null
   */
  record Chunk(long from, byte[] bytes, List<FrameBegin> begins, long packed, IOException failure)
      implements ByteSource {
    long to() {
      return from + bytes.length;
    }

    @Override
    public int read(ByteBuffer target, long offset) {
      int at = (int) (offset - from);
      int length = Math.min(target.remaining(), bytes.length - at);
      if (length <= 0) {
        return -1;
      }
      target.put(bytes, at, length);
      return length;
    }
  }

  private final CompressedReader reader;
  private long from;
  private byte[] bytes = new byte[USUAL];
  private int filled;
  private boolean isOver;

  /**
   * @param begin of a frame, at most {@code from}
   * @param from where the first line begins
   * @param limit what is behind this offset of the file does not count
   */
  Chunks(Path path, Compression compression, FrameBegin begin, long from, long limit)
      throws IOException {
    this.reader = new CompressedReader(path, compression, begin, limit);
    this.from = from;
  }

  /** The next one; null if there are no more. */
  Chunk next() {
    if (isOver) {
      return null;
    }
    long packed = reader.begin().packed();
    List<FrameBegin> begins = new ArrayList<>();
    IOException failure = null;
    int lineEnd = 0;
    try {
      skipTo(from);
      while (lineEnd == 0 && !isOver) {
        if (filled > LineSplitter.MAX_LINE) {
          throw new DamagedFileException(LineSplitter.TOO_LONG);
        }
        if (filled == bytes.length) {
          bytes = Arrays.copyOf(bytes, 2 * filled);
        }
        lineEnd = fill(begins);
      }
    } catch (IOException e) {
      failure = e;
      isOver = true;
    }
    int length = isOver ? filled : lineEnd;
    if (length == 0 && failure == null && begins.isEmpty()) {
      return null;
    }
    Chunk chunk =
        new Chunk(
            from, Arrays.copyOf(bytes, length), begins, reader.begin().packed() - packed, failure);
    System.arraycopy(bytes, length, bytes, 0, filled - length);
    filled -= length;
    from += length;
    return chunk;
  }

  /** Fills what room there is, a frame at a time; where the last whole line ends. */
  private int fill(List<FrameBegin> begins) throws IOException {
    int before = filled;
    while (filled < bytes.length) {
      FrameBegin begin = reader.begin();
      int wanted = Math.min(bytes.length - filled, 1 << 16);
      int n = reader.read(bytes, filled, wanted);
      filled += n;
      if (!reader.begin().equals(begin)) {
        begins.add(reader.begin());
      }
      if (n == 0) {
        isOver = true;
        break;
      }
    }
    for (int i = filled; i > before; i--) {
      if (bytes[i - 1] == '\n') {
        return i;
      }
    }
    return 0;
  }

  private void skipTo(long offset) throws IOException {
    while (reader.unpacked() < offset) {
      int length = (int) Math.min(bytes.length, offset - reader.unpacked());
      if (reader.read(bytes, 0, length) < length) {
        isOver = true;
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
