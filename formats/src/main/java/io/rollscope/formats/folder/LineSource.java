package io.rollscope.formats.folder;

import io.rollscope.formats.compressed.Compression;
import io.rollscope.formats.compressed.DamagedFileException;
import io.rollscope.formats.compressed.FrameBegin;
import io.rollscope.formats.folder.Pieces.Piece;
import io.rollscope.formats.folder.Pieces.Unread;
import io.rollscope.formats.scan.Skipped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The lines of some files as they are now, to be read any number of times on several threads. What
 * is appended later does not belong to it, so that two readings see the same lines.
 */
public final class LineSource {
  /** Reads pieces of files, one after another. One per thread. */
  public interface Reader extends LineTaker {

    /** The following lines are from the file with this position in the list. */
    void begin(int file);

    /** The piece is over; still on the reading thread. */
    void end();

    /** Hands over what was read since {@link #begin}: in order of the lines, one at a time. */
    void deliver() throws IOException;
  }

  private final List<Path> files;
  private final List<Unread<Integer>> unread = new ArrayList<>();
  private LongConsumer progress = bytes -> {};

  public LineSource(List<Path> files) throws IOException {
    this.files = List.copyOf(files);
    for (int file = 0; file < files.size(); file++) {
      Path path = files.get(file);
      unread.add(
          new Unread<>(
              file, path, Compression.of(path), FrameBegin.OF_FILE, 0, true, Files.size(path)));
    }
  }

  /** Is told of every piece read, in bytes. */
  public void onProgress(LongConsumer listener) {
    progress = listener;
  }

  /**
   * Gives all lines to the readers.
   *
   * @param skipped what the readers refuse is added here
   */
  public void read(List<? extends Reader> readers, Skipped skipped) throws IOException {
    List<Worker> workers = readers.stream().map(Worker::new).toList();
    long[] lines = new long[files.size()];
    try (Pieces<Integer> pieces = new Pieces<>(unread)) {
      new InOrder<>(
              pieces,
              pieces.most(),
              workers,
              (piece, worker) -> worker.read(piece),
              (piece, worker) -> {
                worker.deliver();
                if (worker.damage != null) {
                  skipped.add(TraceFile.label(piece.path()), 0, worker.damage.getMessage());
                }
                skipped.addShifted(worker.splitter.skipped(), lines[piece.file()] + 1);
                lines[piece.file()] += worker.splitter.lines();
                progress.accept(piece.bytes());
              })
          .run();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static final class Worker {
    private final Reader reader;
    private final LineSplitter splitter = new LineSplitter();
    private DamagedFileException damage;

    Worker(Reader reader) {
      this.reader = reader;
    }

    void read(Piece<Integer> piece) {
      damage = null;
      reader.begin(piece.file());
      try (ByteSource source = piece.open()) {
        splitter.read(
            source,
            TraceFile.label(piece.path()),
            reader,
            piece.from(),
            piece.to(),
            piece.first(),
            piece.fileEnd(),
            true);
        if (piece.chunk() != null && piece.chunk().failure() != null) {
          throw piece.chunk().failure();
        }
      } catch (DamagedFileException e) {
        damage = e;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      reader.end();
    }

    void deliver() {
      try {
        reader.deliver();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
