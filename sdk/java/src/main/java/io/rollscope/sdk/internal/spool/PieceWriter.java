package io.rollscope.sdk.internal.spool;

import io.rollscope.sdk.Deleted;
import io.rollscope.sdk.internal.Warnings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Writes lines into the pieces of one process. Not thread-safe. */
public final class PieceWriter implements AutoCloseable {
  private final Setup setup;
  private final String writer;
  private final FolderLimit limit;
  private FileChannel file;
  private Path path;
  private long number;
  private long size;
  private long fullAt;
  private long openedNs;

  /**
   * How pieces are written.
   *
   * @param folder made with the first piece
   * @param process what tells this process from the others that write there
   * @param gzip whether each line becomes a gzip member of its own
   * @param maxBytes what all pieces in the folder may take, or 0 for no limit
   * @param pieceBytes when the next piece begins
   * @param pieceAge likewise
   */
  public record Setup(
      Path folder,
      String process,
      boolean gzip,
      long maxBytes,
      long pieceBytes,
      Duration pieceAge) {}

  public PieceWriter(Setup setup, Warnings warnings) {
    this.setup = setup;
    writer = "rollscope-" + setup.process().replaceAll("[^A-Za-z0-9._-]", "_");
    limit =
        setup.maxBytes() == 0 ? null : new FolderLimit(setup.folder(), setup.maxBytes(), warnings);
  }

  public Deleted deleted() {
    return limit == null ? Deleted.NOTHING : limit.deleted();
  }

  /** Writes a line that is there whole when this returns, and not at all if it throws. */
  public void write(byte[] line) throws IOException {
    ByteBuffer frame = ByteBuffer.wrap(frame(line));
    int length = frame.remaining();
    if (file == null || isFinished(length)) {
      openNext();
    }
    try {
      while (frame.hasRemaining()) { // A full disk takes a part before it refuses the rest.
        file.write(frame);
      }
    } catch (IOException e) {
      giveUp(e);
      throw e;
    }
    size += length;
    if (limit != null) {
      limit.wrote(path, Piece.spans(line));
    }
  }

  private byte[] frame(byte[] line) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream(line.length / 4 + 64);
    if (!setup.gzip()) {
      frame.write(line);
      frame.write('\n');
      return frame.toByteArray();
    }
    try (FastGzip gzip = new FastGzip(frame)) {
      gzip.write(line);
      gzip.write('\n');
    }
    return frame.toByteArray();
  }

  /** Level 1, because the levels above save little and cost a multiple. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(ByteArrayOutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /** Also one that somebody has deleted: what is written to it would not be found. */
  private boolean isFinished(int more) {
    return size > 0 && size + more > fullAt
        || System.nanoTime() - openedNs > setup.pieceAge().toNanos()
        || Files.notExists(path);
  }

  private void openNext() throws IOException {
    close();
    Files.createDirectories(setup.folder());
    path = setup.folder().resolve(Piece.name(writer, number++, setup.gzip()));
    file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    size = 0;
    openedNs = System.nanoTime();
    fullAt = setup.pieceBytes();
    if (limit != null) {
      fullAt = limit.makeRoom(Files.getLastModifiedTime(path), fullAt);
    }
  }

  /**
   * Half a frame may stand there now. It goes, and so does a file that holds nothing else; the next
   * attempt opens another.
   */
  private void giveUp(IOException cause) {
    try (FileChannel half = file) {
      file = null;
      if (size > 0) {
        half.truncate(size);
      } else {
        Files.delete(path);
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
