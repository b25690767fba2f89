package io.rollscope.formats.folder;

import io.rollscope.core.table.TableFullException;
import io.rollscope.formats.scan.Skipped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * Reads a source into tables, at once or bit by bit: each {@link #poll} takes what was appended
 * since the last. Files that are rotated keep their place; a file that shrank or was written anew
 * makes everything be read again.
 */
public final class FolderReader {
  private static final int PIECE = 4 << 20;

  private final SourcePath source;
  private final TraceFormat forced;
  private final String runGiven;
  private final long memoryLimit;
  private LongConsumer progress = bytes -> {};
  private UnaryOperator<TraceFormat> substitute = format -> format;

  private final Runs runs = new Runs();
  private final Map<Object, TraceFile> files = new HashMap<>();
  private final List<TraceFile> inOrder = new ArrayList<>();
  private final List<Path> unrecognised = new ArrayList<>();
  private final Skipped badLines = new Skipped();
  private Skipped badFiles = new Skipped();
  private final List<PieceWorker> workers = new ArrayList<>();

  /**
   * @param forced the format of all files, or null to recognise it
   * @param runGiven id of the run for files whose lines do not say, or null
   * @param memoryLimit how many bytes the tables may take
   */
  public FolderReader(SourcePath source, TraceFormat forced, String runGiven, long memoryLimit) {
    this.source = source;
    this.forced = forced;
    this.runGiven = runGiven;
    this.memoryLimit = memoryLimit;
    int threads = Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors()));
    for (int i = 0; i < threads; i++) {
      workers.add(new PieceWorker());
    }
  }

  /** Is told of every piece read, in bytes. */
  public void onProgress(LongConsumer listener) {
    progress = listener;
  }

  /** Reads files of some formats in another way; what is given takes the place of their format. */
  public void substitute(UnaryOperator<TraceFormat> other) {
    substitute = other;
  }

  public Runs runs() {
    return runs;
  }

  /** The files read, in load order. */
  public List<TraceFile> files() {
    return List.copyOf(inOrder);
  }

  /** Files that look like traces by name but are of no known format. */
  public List<Path> unrecognised() {
    return List.copyOf(unrecognised);
  }

  /** What was refused so far. */
  public Skipped skipped() {
    Skipped all = new Skipped();
    all.addShifted(badFiles, 1);
    all.addShifted(badLines, 1);
    return all;
  }

  /** How many bytes there are to read now. */
  public long pendingBytes() throws IOException {
    long sum = 0;
    for (Found found : present(new Skipped()).values()) {
      sum += found.attributes().size();
    }
    for (TraceFile file : inOrder) {
      sum -= file.offset();
    }
    return Math.max(0, sum);
  }

  /** Reads everything there is; an unterminated last line counts, or is reported as torn. */
  public void readAll() throws IOException {
    poll(true);
  }

  /**
   * Reads what was appended since the last call.
   *
   * @return whether anything changed
   */
  public boolean poll() throws IOException {
    return poll(false);
  }

  private boolean poll(boolean complete) throws IOException {
    badFiles = new Skipped();
    unrecognised.clear();
    List<Piece> pieces = new ArrayList<>();
    Map<Object, Found> present = present(badFiles);
    boolean startOver = !present.keySet().containsAll(files.keySet());
    for (Map.Entry<Object, Found> entry : present.entrySet()) {
      Path path = entry.getValue().path();
      BasicFileAttributes now = entry.getValue().attributes();
      try {
        TraceFile file = known(entry.getKey(), path, now, complete);
        if (file == null) {
          continue;
        }
        if (now.size() < file.offset() || (file.isTouched(now) && isRewritten(file))) {
          startOver = true;
          break;
        }
        cut(file, now.size(), complete, pieces);
      } catch (IOException e) {
        badFiles.add(path.toString(), 0, reason(e));
      }
    }
    if (startOver) {
      forgetAll();
      poll(complete);
      return true;
    }
    if (pieces.isEmpty()) {
      return false;
    }
    return readPieces(pieces, complete);
  }

  private record Found(Path path, BasicFileAttributes attributes) {}

  /** The files by identity: one that can be reached on several ways is there once. */
  private Map<Object, Found> present(Skipped unreadable) throws IOException {
    Map<Object, Found> present = new LinkedHashMap<>();
    for (Path path : source.files(unreadable)) {
      try {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
          unreadable.add(path.toString(), 0, SourcePath.NOT_REGULAR);
          continue;
        }
        Object identity = attributes.fileKey() != null ? attributes.fileKey() : path;
        Found other = present.get(identity);
        if (other == null || (!isOwnName(other.path()) && isOwnName(path))) {
          present.put(identity, new Found(path, attributes));
        }
      } catch (IOException e) {
        unreadable.add(path.toString(), 0, reason(e));
      }
    }
    return present;
  }

  /** Whether file and folder are called so themselves, and not a link to them. */
  private static boolean isOwnName(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    int names = absolute.getNameCount();
    return path.toRealPath().endsWith(absolute.subpath(Math.max(0, names - 2), names));
  }

  /** Why a file was skipped, as it is shown. */
  public static String reason(IOException e) {
    String kind = e.getClass().getSimpleName().replace("Exception", "");
    String what = kind.equals("IO") ? String.valueOf(e.getMessage()) : kind;
    return "cannot be read: " + what + " (expected: a readable file)";
  }

  private void forgetAll() {
    runs.clear();
    files.clear();
    inOrder.clear();
    badLines.clear();
    workers.replaceAll(w -> new PieceWorker());
  }

  private TraceFile known(
      Object identity, Path path, BasicFileAttributes attributes, boolean complete)
      throws IOException {
    if (attributes.size() == 0) {
      badFiles.add(path.toString(), 0, "empty file (expected: events)");
    }
    TraceFile file = files.get(identity);
    if (file != null) {
      file.renamed(path);
      return file;
    }
    if (attributes.size() == 0) {
      return null;
    }
    TraceFormat format = forced != null ? forced : Formats.recognise(path, complete);
    if (format == null) {
      unrecognised.add(path);
      return null;
    }
    file = new TraceFile(path, identity, inOrder.size(), substitute.apply(format), runGiven);
    files.put(identity, file);
    inOrder.add(file);
    return file;
  }

  private static boolean isRewritten(TraceFile file) throws IOException {
    return file.offset() > 0 && !file.fingerprint().matches(file.look());
  }

  private static void cut(TraceFile file, long size, boolean complete, List<Piece> pieces) {
    for (long from = file.offset(); from < size; from += PIECE) {
      long to = Math.min(size, from + PIECE);
      boolean first = from == file.offset() && !file.withinLongLine();
      pieces.add(new Piece(file, from, to, first, size, complete));
    }
  }

  /** A part of a file; see {@link LineSplitter#read}. */
  record Piece(TraceFile file, long from, long to, boolean first, long fileEnd, boolean complete) {}

  private boolean readPieces(List<Piece> pieces, boolean complete) throws IOException {
    long total = pieces.stream().mapToLong(p -> p.to() - p.from()).sum();
    long before = inOrder.stream().mapToLong(TraceFile::offset).sum();
    new InOrder<>(
            pieces,
            workers,
            (piece, worker) -> worker.read(piece),
            (piece, worker) -> {
              take(piece, worker);
              guardMemory(total);
              progress.accept(piece.to() - piece.from());
            })
        .run();
    Set<String> toldAnew = runs.settle();
    if (inOrder.stream()
        .anyMatch(f -> !f.format().isSettledLater() && toldAnew.contains(f.run()))) {
      // Rows of other formats were in the same run and are gone with it.
      forgetAll();
      poll(complete);
      return true;
    }
    return inOrder.stream().mapToLong(TraceFile::offset).sum() != before;
  }

  private void take(Piece piece, PieceWorker worker) {
    TraceFile file = piece.file();
    worker.parser().deliver(runs);
    badLines.addShifted(worker.skipped(), file.lines() + 1);
    file.advance(worker.consumedTo(), worker.withinLongLine(), worker.lines());
    if (worker.failure() != null) {
      badFiles.add(file.path().toString(), 0, reason(worker.failure()));
    } else if (piece.to() == piece.fileEnd()) {
      try {
        file.remember(file.look());
      } catch (IOException e) {
        badFiles.add(file.path().toString(), 0, reason(e));
      }
    }
  }

  private void guardMemory(long total) {
    long read = inOrder.stream().mapToLong(TraceFile::offset).sum();
    long used = runs.bytes();
    double expected = read < PIECE ? used : (double) used / read * Math.max(total, read);
    if (used > memoryLimit || (expected > memoryLimit && read > 8L * PIECE)) {
      throw new TableFullException(
          String.format(
              "%s: needs about %,d MB of memory (expected: at most %,d MB); give Java more with"
                  + " ROLLSCOPE_JAVA_OPTS=-Xmx…, or name fewer files",
              source, (long) (expected / 1e6), memoryLimit / 1_000_000));
    }
  }
}
