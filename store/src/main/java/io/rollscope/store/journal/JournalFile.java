package io.rollscope.store.journal;

import io.rollscope.store.disk.AppendFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** The file that is being written. Used by one thread. */
final class JournalFile implements Closeable {
  private final FileHeader header;
  private final AppendFile file;
  private final FrameWriter writer;
  private final Counters counters;
  private long length = FileHeader.BYTES;
  private boolean forceFailed;

  JournalFile(FileHeader header, AppendFile file, FrameWriter writer, Counters counters) {
    this.header = header;
    this.file = file;
    this.writer = writer;
    this.counters = counters;
  }

  long sequence() {
    return header.sequence();
  }

  /** Up to where the file is durable. */
  long length() {
    return length;
  }

  /** Writes the frames at the end; when it returns they are durable. */
  void append(List<Frame> frames) throws IOException {
    long end = writer.write(file, header.marker(), length, frames);
    forceFailed = true;
    counters.timeForce(file::force);
    forceFailed = false;
    length = end;
  }

  /**
   * Removes what a failed append left. False if the file must not be written again: after a failed
   * force the system may hold pages for clean that never reached the disk.
   */
  boolean cutBack() throws IOException {
    file.truncate(length);
    file.force();
    return !forceFailed;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
