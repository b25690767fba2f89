package io.rollscope.store.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file open for writing at its end. Not thread-safe. */
public interface AppendFile extends Closeable {
  long size() throws IOException;

  /** Writes all remaining bytes at the end; after an error any number of them may be there. */
  void write(ByteBuffer bytes) throws IOException;

  /**
   * Makes contents and size durable. After an error nothing is known about bytes written since the
   * last success, and a later success says nothing about them either.
   */
  void force() throws IOException;

  /** Cuts the file to this size; durable after the next {@link #force}. */
  void truncate(long size) throws IOException;
}
