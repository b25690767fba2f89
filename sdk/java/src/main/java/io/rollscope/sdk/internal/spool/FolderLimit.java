package io.rollscope.sdk.internal.spool;

import io.rollscope.sdk.Deleted;
import io.rollscope.sdk.internal.Warnings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Keeps all pieces in a folder below a limit, together with the other processes that write there.
 * Whoever begins a piece makes room: without a lock, because deleting a file twice does no harm.
 */
final class FolderLimit {
  /**
   * A process that lives writes a beat every ten seconds: after this its last piece is finished.
   */
  private static final Duration SILENT = Duration.ofMinutes(15);

  /** A piece that is smaller holds a request or two and costs a file for them. */
  private static final long SMALLEST_PIECE = 1 << 14;

  /** Of its share of the folder a writer may have a quarter unfinished, so that three remain. */
  private static final int PIECES_OF_A_WRITER = 4;

  private final Path folder;
  private final long maxBytes;
  private final Warnings warnings;
  private final Map<Path, Long> spans = new HashMap<>();
  private volatile Deleted deleted = Deleted.NOTHING;

  FolderLimit(Path folder, long maxBytes, Warnings warnings) {
    this.folder = folder;
    this.maxBytes = maxBytes;
    this.warnings = warnings;
  }

  Deleted deleted() {
    return deleted;
  }

  /** That this process has written so many spans into a piece. */
  void wrote(Path piece, long more) {
    spans.merge(piece, more, Long::sum);
  }

  /**
   * Deletes the oldest finished pieces, whoever wrote them, until each writer has room for one that
   * is full; says how large that one may become.
   *
   * @param now by the clock of the file system
   * @param usualSize of a piece that is full
   */
  long makeRoom(FileTime now, long usualSize) throws IOException {
    List<Piece> pieces = pieces();
    spans.keySet().retainAll(pieces.stream().map(Piece::path).collect(Collectors.toSet()));
    Map<String, Long> last = new HashMap<>();
    pieces.forEach(piece -> last.merge(piece.writer(), piece.number(), Math::max));
    long silentSince = now.toMillis() - SILENT.toMillis();
    List<Piece> finished = new ArrayList<>();
    for (Piece piece : pieces) {
      if (piece.number() < last.get(piece.writer()) || piece.written().toMillis() < silentSince) {
        finished.add(piece);
      }
    }
    long writers = Math.max(1, pieces.size() - finished.size());
    long share = maxBytes / (PIECES_OF_A_WRITER * writers);
    long size = Math.max(SMALLEST_PIECE, Math.min(usualSize, share));
    long tooMuch = finished.stream().mapToLong(Piece::size).sum() + writers * size - maxBytes;
    finished.sort(Comparator.comparing(Piece::written).thenComparing(Piece::path));
    for (Piece piece : finished) {
      if (tooMuch <= 0) {
        break;
      }
      tooMuch -= delete(piece) ? piece.size() : 0;
    }
    return size;
  }

  private List<Piece> pieces() throws IOException {
    List<Piece> pieces = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Piece piece = Piece.of(file);
        if (piece != null) {
          pieces.add(piece);
        }
      }
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return pieces;
  }

  /** Whether it is no longer there. Counted by the process that deleted it. */
  private boolean delete(Piece piece) {
    Long known = spans.remove(piece.path());
    long lost = known == null ? piece.spans() : known;
    try {
      Files.delete(piece.path());
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      warnings.once(
          "limit of " + folder,
          folder + ": a piece cannot be deleted to stay below the limit: " + e);
      return false;
    }
    warnings.once(
        "deleted of " + folder,
        folder
            + ": the oldest pieces are deleted to stay below the limit of "
            + maxBytes
            + " bytes");
    deleted = deleted.plus(new Deleted(1, lost));
    return true;
  }
}
