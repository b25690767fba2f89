package io.rollscope.store.journal;

import io.rollscope.store.disk.AppendFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Encodes frames into one reused buffer and hands it on when it is full, so that a group of small
 * frames is one write and a large one needs no memory beyond its payload.
 */
final class FrameWriter {
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);

  /** Writes frames that begin at this offset; returns the offset after the last. */
  long write(AppendFile file, long marker, long offset, List<Frame> frames) throws IOException {
    buffer.clear();
    long end = offset;
    for (Frame frame : frames) {
      put(file, FrameLayout.head(frame, marker, end));
      put(file, frame.payload());
      end += FrameLayout.size(frame);
    }
    drain(file);
    return end;
  }

  private void put(AppendFile file, byte[] bytes) throws IOException {
    int done = 0;
    while (done < bytes.length) {
      int part = Math.min(bytes.length - done, buffer.remaining());
      buffer.put(bytes, done, part);
      done += part;
      if (!buffer.hasRemaining()) {
        drain(file);
      }
    }
  }

  private void drain(AppendFile file) throws IOException {
    buffer.flip();
    if (buffer.hasRemaining()) {
      file.write(buffer);
    }
    buffer.clear();
  }
}
