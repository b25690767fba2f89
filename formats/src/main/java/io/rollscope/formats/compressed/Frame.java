package io.rollscope.formats.compressed;

import java.io.Closeable;
import java.io.IOException;

/** A gzip member or a zstd frame: what can be decompressed by itself. */
interface Frame extends Closeable {

  /**
   * Reads at most {@code length} bytes.
   *
   * @return how many; -1 if there are no more, or not yet
   * @throws DamagedFileException if these are no such bytes as the format has
   */
  int read(byte[] to, int from, int length) throws IOException;

  /** Where in the file it ends, once it was read; -1 if the file ends before. */
  long end();

  @Override
  void close();
}
