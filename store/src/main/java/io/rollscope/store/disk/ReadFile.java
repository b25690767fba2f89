package io.rollscope.store.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file open for reading at any offset. Not thread-safe. */
public interface ReadFile extends Closeable {
  long size() throws IOException;

  /** Fills the buffer from this offset as far as the file reaches; returns the bytes read. */
  int read(ByteBuffer into, long offset) throws IOException;
}
