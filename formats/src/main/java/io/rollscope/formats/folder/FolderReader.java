package io.rollscope.formats.folder;

import io.rollscope.core.table.TableFullException;
import io.rollscope.formats.compressed.DamagedFileException;
import io.rollscope.formats.folder.Pieces.Piece;
import io.rollscope.formats.folder.Pieces.Unread;
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
  private static final int LITTLE = 4 << 20;

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
    for (TraceFile file : files.values()) {
      sum -= file.position();
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
    List<Unread<TraceFile>> unread = new ArrayList<>();
    Map<Object, Found> present = present(badFiles);
    boolean startOver = forgetDeleted(present.keySet());
    for (Map.Entry<Object, Found> entry : present.entrySet()) {
      Path path = entry.getValue().path();
      BasicFileAttributes now = entry.getValue().attributes();
      try {
        TraceFile file = known(entry.getKey(), path, now, complete);
        if (file == null) {
          continue;
        }
        boolean isTouched = file.isTouched(now);
        if (now.size() < file.position() || (isTouched && isRewritten(file))) {
          startOver |= forget(file);
          file = known(entry.getKey(), path, now, complete);
          isTouched = file != null && file.isTouched(now);
        }
        if (file != null && file.hasUnread(isTouched || complete)) {
          unread.add(file.unread());
        }
      } catch (IOException e) {
        badFiles.add(path.toString(), 0, reason(e));
      }
    }
    if (startOver) {
      forgetAll();
      poll(complete);
      return true;
    }
    if (unread.isEmpty()) {
      return false;
    }
    return read(unread, complete);
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

  /** Forgets files that were deleted; whether rows of them are in the tables. */
  private boolean forgetDeleted(Set<Object> present) {
    boolean hadRows = false;
    for (TraceFile file : List.copyOf(files.values())) {
      if (!present.contains(file.identity())) {
        if (file.unreadBytes() > 0) {
          badLines.add(
              file.label(),
              0,
              "deleted before its last %d bytes were read (expected: to read them)"
                  .formatted(file.unreadBytes()));
        }
        hadRows |= forget(file);
      }
    }
    return hadRows;
  }

  /** Does not go on with a file; whether rows of it are in the tables. */
  private boolean forget(TraceFile file) {
    files.remove(file.identity());
    file.release();
    return file.format().hasRows();
  }

  private static boolean isRewritten(TraceFile file) throws IOException {
    return file.position() > 0 && !file.fingerprint().matches(file.look());
  }

  private boolean read(List<Unread<TraceFile>> unread, boolean complete) throws IOException {
    long total = unread.stream().mapToLong(Unread::bytes).sum();
    long before = inOrder.stream().mapToLong(TraceFile::offset).sum();
    try (Pieces<TraceFile> pieces = new Pieces<>(unread)) {
      new InOrder<>(
              pieces,
              pieces.most(),
              workers,
              (piece, worker) -> worker.read(piece, complete),
              (piece, worker) -> {
                take(piece, worker);
                guardMemory(total);
                progress.accept(piece.bytes());
              })
          .run();
    }
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

  private void take(Piece<TraceFile> piece, PieceWorker worker) {
    TraceFile file = piece.file();
    worker.parser().deliver(runs);
    badLines.addShifted(worker.skipped(), file.lines() + 1);
    file.advance(worker.consumedTo(), worker.withinLongLine(), worker.lines());
    if (piece.chunk() != null) {
      file.found(piece.chunk().begins());
    }
    if (worker.failure() instanceof DamagedFileException damage) {
      badLines.add(file.label(), 0, damage.getMessage());
      file.giveUp();
    } else if (worker.failure() != null) {
      badFiles.add(file.path().toString(), 0, reason(worker.failure()));
      file.forgetLook();
    } else if (piece.to() == piece.fileEnd()) {
      try {
        file.remember(file.look());
      } catch (IOException e) {
        badFiles.add(file.path().toString(), 0, reason(e));
      }
    }
  }

  private void guardMemory(long total) {
    long read = inOrder.stream().mapToLong(TraceFile::position).sum();
    long used = runs.bytes();
    double expected = read < LITTLE ? used : (double) used / read * Math.max(total, read);
    if (used > memoryLimit || (expected > memoryLimit && read > 8L * LITTLE)) {
      throw new TableFullException(
          String.format(
              "%s: needs about %,d MB of memory (expected: at most %,d MB); give Java more with"
                  + " ROLLSCOPE_JAVA_OPTS=-Xmx…, or name fewer files",
              source, (long) (expected / 1e6), memoryLimit / 1_000_000));
    }
  }
}
