package io.rollscope.formats.folder;

import io.rollscope.formats.compressed.Compression;
import io.rollscope.formats.compressed.FrameBegin;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Cuts what is to be read of some files into pieces, one after another. Plain files are read by
 * whoever gets the piece, compressed ones here: nothing but what is before says how to go on.
 *
 * @param <F> what a file is called
 */
final class Pieces<F> implements Supplier<Pieces.Piece<F>>, Closeable {
  private static final int USUAL = 4 << 20;

  /**
   * What is to be read of a file.
   *
   * @param compression or null
   * @param begin of a frame, at or before {@code from}
   * @param from in what the file holds
   * @param atLine whether a line is known to begin there
   * @param size of the file, as much of it as counts
   */
  record Unread<F>(
      F file,
      Path path,
      Compression compression,
      FrameBegin begin,
      long from,
      boolean atLine,
      long size) {

    /** How many bytes of the file those are. */
    long bytes() {
      return size - (compression == null ? from : begin.packed());
    }

    private long pieces() {
      return compression == null ? (bytes() + USUAL - 1) / USUAL : Integer.MAX_VALUE;
    }
  }

  /**
   * A part of a file; see {@link LineSplitter#read}.
   *
   * @param chunk what is in it, if the file is compressed, else null
   */
  record Piece<F>(
      F file, Path path, long from, long to, boolean first, long fileEnd, Chunks.Chunk chunk) {

    ByteSource open() throws IOException {
      return chunk != null ? chunk : ByteSource.plain(path);
    }

    /** How many bytes of the file. */
    long bytes() {
      return chunk != null ? chunk.packed() : to - from;
    }
  }

  private final int most;
  private final Iterator<Unread<F>> files;
  private Unread<F> now;
  private long from;
  private Chunks chunks;
  private boolean isFailed;

  Pieces(List<Unread<F>> files) {
    this.most = (int) Math.min(Integer.MAX_VALUE, files.stream().mapToLong(Unread::pieces).sum());
    this.files = files.iterator();
  }

  /** How many there can be. */
  int most() {
    return most;
  }

  /** The next one; null if there are no more. */
  @Override
  public Piece<F> get() {
    while (now != null || files.hasNext()) {
      if (now == null) {
        now = files.next();
        from = now.from();
        isFailed = false;
      }
      Piece<F> piece = cut();
      if (piece != null) {
        return piece;
      }
      now = null;
    }
    return null;
  }

  private Piece<F> cut() {
    if (now.compression() != null) {
      if (isFailed) {
        return null;
      }
      Chunks.Chunk chunk = unpack();
      return chunk == null
          ? null
          : new Piece<>(now.file(), now.path(), chunk.from(), chunk.to(), true, chunk.to(), chunk);
    }
    if (from >= now.size()) {
      return null;
    }
    boolean first = from == now.from() && now.atLine();
    long to = Math.min(now.size(), from + USUAL);
    Piece<F> piece = new Piece<>(now.file(), now.path(), from, to, first, now.size(), null);
    from = to;
    return piece;
  }

  private Chunks.Chunk unpack() {
    try {
      if (chunks == null) {
        chunks = new Chunks(now.path(), now.compression(), now.begin(), from, now.size());
      }
      Chunks.Chunk chunk = chunks.next();
      if (chunk == null) {
        close();
      }
      return chunk;
    } catch (IOException e) {
      isFailed = true;
      return new Chunks.Chunk(from, new byte[0], List.of(), 0, e);
    }
  }

  @Override
  public void close() throws IOException {
    if (chunks != null) {
      chunks.close();
      chunks = null;
    }
  }
}
