package io.rollscope.store.journal;

import io.rollscope.otlp.Signal;
import java.nio.charset.StandardCharsets;

/** Where the payload of a frame came from, and so how to read it. */
public sealed interface Source {
  /** An OTLP export request, as received (protobuf). */
  record Otlp(Signal signal) implements Source {}

  /**
   * Events of a tailed file. The offset is durable together with the events before it, so that
   * following continues there after a restart.
   *
   * @param fileId what identifies the file for its reader
   * @param endOffset where the part of the file that this frame covers ends
   */
  record TailedFile(String fileId, long endOffset) implements Source {
    static final int MAX_ID_BYTES = 65_535;

    public TailedFile {
      int bytes = fileId.getBytes(StandardCharsets.UTF_8).length;
      if (bytes == 0 || bytes > MAX_ID_BYTES) {
        throw new IllegalArgumentException(
            "file id: " + bytes + " bytes (expected: 1 to " + MAX_ID_BYTES + ")");
      }
      if (endOffset < 0) {
        throw new IllegalArgumentException("end offset: " + endOffset + " (expected: >= 0)");
      }
    }
  }

  /** A start or session state that was still open when older files were about to go. */
  record Checkpoint() implements Source {}
}
