package io.rollscope.formats.folder;

import io.rollscope.formats.scan.Skipped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The lines of some files as they are now, to be read any number of times on several threads. What
 * is appended later does not belong to it, so that two readings see the same lines.
 */
public final class LineSource {
  private static final int PIECE = 4 << 20;

  /** Reads pieces of files, one after another. One per thread. */
  public interface Reader extends LineTaker {

    /** The following lines are from the file with this position in the list. */
    void begin(int file);

    /** The piece is over; still on the reading thread. */
    void end();

    /** Hands over what was read since {@link #begin}: in order of the lines, one at a time. */
    void deliver() throws IOException;
  }

  private record Piece(int file, long from, long to, long fileEnd) {}

  private final List<Path> files;
  private final List<Piece> pieces = new ArrayList<>();
  private LongConsumer progress = bytes -> {};

  public LineSource(List<Path> files) throws IOException {
    this.files = List.copyOf(files);
    for (int file = 0; file < files.size(); file++) {
      long size = Files.size(files.get(file));
      for (long from = 0; from < size; from += PIECE) {
        pieces.add(new Piece(file, from, Math.min(size, from + PIECE), size));
      }
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
    try {
      new InOrder<>(
              pieces,
              workers,
              (piece, worker) -> worker.read(piece),
              (piece, worker) -> {
                worker.deliver();
                skipped.addShifted(worker.splitter.skipped(), lines[piece.file()] + 1);
                lines[piece.file()] += worker.splitter.lines();
                progress.accept(piece.to() - piece.from());
              })
          .run();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private final class Worker {
    private final Reader reader;
    private final LineSplitter splitter = new LineSplitter();

    Worker(Reader reader) {
      this.reader = reader;
    }

    void read(Piece piece) {
      Path path = files.get(piece.file());
      reader.begin(piece.file());
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        boolean first = piece.from() == 0;
        splitter.read(
            channel,
            TraceFile.label(path),
            reader,
            piece.from(),
            piece.to(),
            first,
            piece.fileEnd(),
            true);
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
