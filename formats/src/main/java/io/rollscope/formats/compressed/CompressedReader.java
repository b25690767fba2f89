package io.rollscope.formats.compressed;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads what a compressed file holds, from the beginning of a frame as far as it was written. */
public final class CompressedReader implements Closeable {
  private final FileChannel file;
  private final Compression compression;
  private final long limit;
  private FrameBegin begin;
  private Frame frame;
  private long unpacked;
  private DamagedFileException damage;

  /**
   * @param limit the offset in the file at which to stop
   */
  public CompressedReader(Path path, Compression compression, FrameBegin from, long limit)
      throws IOException {
    this.file = FileChannel.open(path, StandardOpenOption.READ);
    this.compression = compression;
    this.limit = limit;
    this.begin = from;
    this.unpacked = from.unpacked();
  }

  /**
   * Reads bytes until so many are there.
   *
   * @return how many; fewer if there are no more, or not yet, or if what follows is damaged
   * @throws DamagedFileException if that is what comes next
   */
  public int read(byte[] to, int from, int length) throws IOException {
    int filled = 0;
    try {
      while (filled < length && damage == null) {
        int n = readFrame(to, from + filled, length - filled);
        if (n < 0) {
          return filled;
        }
        filled += n;
        unpacked += n;
      }
    } catch (DamagedFileException e) {
      damage = e; // What was before it is whole.
    }
    if (filled == 0 && damage != null) {
      throw damage;
    }
    return filled;
  }

  /** At most so many bytes, none at the end of a frame; -1 if there are no more. */
  private int readFrame(byte[] to, int from, int length) throws IOException {
    if (frame == null) {
      if (begin.packed() >= limit) {
        return -1;
      }
      frame = compression.frame(file, begin.packed(), limit);
    }
    int n = frame.read(to, from, length);
    if (n >= 0) {
      return n;
    }
    if (frame.end() < 0) {
      return -1;
    }
    begin = new FrameBegin(frame.end(), unpacked);
    frame.close();
    frame = null;
    return 0;
  }

  /** The beginning of the frame that is being read, or of the next one. */
  public FrameBegin begin() {
    return begin;
  }

  /** How much was read, and where the first frame began. */
  public long unpacked() {
    return unpacked;
  }

  @Override
  public void close() throws IOException {
    if (frame != null) {
      frame.close();
    }
    file.close();
  }
}
