package io.rollscope.sdk;

import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.spool.PieceWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Writes requests into files, one per line, for clusters where a port cannot be opened. {@code
 * rollscope watch DIR} reads them while they grow. Each request is a gzip member of its own, so
 * that a file can be read as far as it was written.
 */
public final class SpoolTransport implements Transport {
  /** When the next piece begins, in bytes. */
  public static final long PIECE_BYTES = 64L << 20;

  /** Likewise, after what time. */
  public static final Duration PIECE_AGE = Duration.ofHours(1);

  private final PieceWriter pieces;

  /**
   * Without a limit, compressed with gzip.
   *
   * @param process what tells this process from the others that write there
   */
  public SpoolTransport(Path folder, String process) {
    this(
        new PieceWriter.Setup(folder, process, true, 0, PIECE_BYTES, PIECE_AGE),
        Warnings.toSystemLog());
  }

  SpoolTransport(PieceWriter.Setup setup, Warnings warnings) {
    pieces = new PieceWriter(setup, warnings);
  }

  @Override
  public Form form() {
    return Form.JSON;
  }

  @Override
  public Sent send(Signal signal, byte[] body) throws IOException {
    pieces.write(body);
    return Sent.all();
  }

  /** What was deleted to keep the folder below its limit. */
  public Deleted deleted() {
    return pieces.deleted();
  }

  @Override
  public void close() throws IOException {
    pieces.close();
  }
}
