package io.rollscope.server.tail;

import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.Formats;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.folder.TraceFormat;
import io.rollscope.formats.scan.Skipped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;

/**
 * A folder's files as export requests. OTLP-JSON lines are passed on while they are read; the
 * events of other formats go into tables first, as for analysis, because an end must find its
 * start.
 */
final class FolderTranslation {
  /** Of all files together; then the fullest part goes before its time. */
  private static final long MAX_WAITING_BYTES = 16L << 20;

  private final FolderReader reader;
  private final ToLongFunction<TraceFile> resumeAt;
  private final Outlet outlet;
  private final Map<String, NewSpans> runs = new HashMap<>();
  private final Map<Integer, FileParts> waiting = new HashMap<>();
  private final LineAttributes lines = new LineAttributes(number -> this.files.get(number));
  private List<TraceFile> files = List.of();
  private IntConsumer rowsTold = rows -> {};
  private long waitingBytes;
  private long retoldBefore;

  /**
   * @param format id of the format of all files, or null to recognise it
   * @param run id of the run for files that name none, or null
   * @param resumeAt up to where a file was told in an earlier life; asked by several threads
   */
  FolderTranslation(
      SourcePath source,
      String format,
      String run,
      long memoryLimit,
      ToLongFunction<TraceFile> resumeAt,
      Outlet outlet) {
    this.reader =
        new FolderReader(source, format == null ? null : Formats.named(format), run, memoryLimit);
    this.resumeAt = resumeAt;
    this.outlet = outlet;
    TraceFormat passedOn = new RequestLines(resumeAt, outlet);
    reader.substitute(f -> f.id().equals(passedOn.id()) ? passedOn : f);
  }

  /** Is told of every piece read, in bytes. */
  void onProgress(LongConsumer listener) {
    reader.onProgress(listener);
  }

  /** Is told of every session translated, in rows of its table. */
  void onTold(IntConsumer listener) {
    rowsTold = listener;
  }

  /** Rows of all tables. */
  long rows() {
    return reader.runs().ids().stream().mapToLong(r -> reader.runs().run(r).table().rows()).sum();
  }

  /** How many bytes there are to read now. */
  long pendingBytes() throws IOException {
    return reader.pendingBytes();
  }

  List<TraceFile> files() {
    return files;
  }

  /** Files that look like traces by name but are of no known format. */
  List<Path> unrecognised() {
    return reader.unrecognised();
  }

  /** What was refused so far. */
  Skipped skipped() {
    return reader.skipped();
  }

  /** Spans whose end was told anew. */
  long retold() {
    return retoldBefore + runs.values().stream().mapToLong(NewSpans::retold).sum();
  }

  /**
   * Reads what was appended since the last call and sends what is new; when this returns, it has
   * arrived.
   *
   * @param complete whether an unterminated last line counts
   */
  void advance(boolean complete) throws IOException {
    if (complete) {
      reader.readAll();
    } else {
      reader.poll();
    }
    files = reader.files();
    forgetOldTables();
    try (lines) {
      for (String id : List.copyOf(reader.runs().ids())) {
        tell(reader.runs().run(id));
      }
    }
    waiting.forEach((number, parts) -> outlet.send(parts.take(files.get(number).offset())));
    waiting.clear();
    waitingBytes = 0;
    outlet.drain();
  }

  private void tell(RunData run) {
    runs.computeIfAbsent(run.id(), id -> new NewSpans(run, this::resumeOffset, lines, this::take))
        .tell(rowsTold);
  }

  /** A rewritten file makes the reader begin anew, with other tables. */
  private void forgetOldTables() {
    boolean anew =
        runs.entrySet().stream()
            .anyMatch(
                e ->
                    !reader.runs().ids().contains(e.getKey())
                        || reader.runs().run(e.getKey()).table() != e.getValue().table());
    if (anew) {
      retoldBefore = retold();
      runs.clear();
    }
  }

  private long resumeOffset(int file) {
    return resumeAt.applyAsLong(files.get(file));
  }

  private void take(int file, boolean relativeClock, Span span) {
    FileParts parts = waiting.computeIfAbsent(file, f -> new FileParts(files.get(f)));
    if (!parts.hasRoomFor(span) && !parts.isEmpty()) {
      sendEarly(parts);
    } else if (waitingBytes > MAX_WAITING_BYTES) {
      sendEarly(
          waiting.values().stream().max(Comparator.comparingInt(FileParts::bytes)).orElseThrow());
    }
    int before = parts.bytes();
    parts.add(relativeClock, span);
    waitingBytes += parts.bytes() - before;
  }

  /** Before all of the file's news is told: should we die now, all of it is told again. */
  private void sendEarly(FileParts parts) {
    waitingBytes -= parts.bytes();
    outlet.send(parts.take(0));
  }
}
