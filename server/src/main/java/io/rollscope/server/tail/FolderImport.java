package io.rollscope.server.tail;

import io.rollscope.formats.folder.SourcePath;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.scan.Skipped;
import io.rollscope.store.Store;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** Reads folders completely into a server or a store. Doing it twice changes nothing. */
public final class FolderImport {
  /** The tables may take this part of the heap. */
  private static final int PART_OF_HEAP = 2;

  private FolderImport() {}

  /**
   * Sends everything there is.
   *
   * @param format id of the format of all files, or null to recognise it
   * @param run id of the run for files that name none, or null
   * @param server where {@code /v1/traces} is
   * @param token what the server wants to see, or null
   * @param tls whom to trust, or null for what the platform trusts
   * @throws IOException if something cannot be read, or the server does not take it
   */
  public static ImportResult run(
      List<Path> sources,
      String format,
      String run,
      URI server,
      String token,
      SSLContext tls,
      ProgressListener listener)
      throws IOException {
    try (Posts posts = new Posts(server, token, tls, waiting())) {
      return read(sources, format, run, new Goal(posts, posts::spans, posts::rejected), listener);
    }
  }

  /** The same, with what the platform trusts. */
  public static ImportResult run(
      List<Path> sources,
      String format,
      String run,
      URI server,
      String token,
      ProgressListener listener)
      throws IOException {
    return run(sources, format, run, server, token, null, listener);
  }

  /** The same, into a store of this process. */
  public static ImportResult run(
      List<Path> sources, String format, String run, Store store, ProgressListener listener)
      throws IOException {
    Sink sink = Sink.of(store);
    LongSupplier clock = () -> TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    TailCounts counts = new TailCounts();
    TailSetup setup = new TailSetup(sink, clock, waiting(), line -> {}, memoryLimit());
    Delivery delivery = new Delivery(setup, new TailedFiles(sink), counts);
    return read(sources, format, run, new Goal(delivery, counts::spans, counts::refused), listener);
  }

  private static Waiting waiting() {
    return Waiting.until(new CountDownLatch(1));
  }

  private static long memoryLimit() {
    return Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
  }

  /** Where parts go, and what became of them. */
  private record Goal(Outlet outlet, LongSupplier spans, Supplier<Map<String, Long>> rejected) {}

  private static ImportResult read(
      List<Path> sources, String format, String run, Goal goal, ProgressListener listener)
      throws IOException {
    SourcePath source = SourcePath.of(sources.stream().map(Path::toString).toList());
    if (!source.exists()) {
      throw new IOException("source: " + sources + " (expected: files or folders that are there)");
    }
    try {
      Progress progress = new Progress(goal, listener);
      FolderTranslation folder =
          new FolderTranslation(source, format, run, memoryLimit(), file -> 0, progress);
      progress.total = folder.pendingBytes();
      folder.onTold(rows -> progress.told(rows, folder));
      folder.advance(true);
      progress.finish();
      Skipped skipped = folder.skipped();
      return new ImportResult(
          folder.files().size(),
          progress.total,
          goal.spans().getAsLong(),
          goal.rejected().get(),
          skipped.count(),
          skipped.examples(),
          folder.unrecognised());
    } catch (UndeliveredException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Sees what passes by: lines that are passed on count when sent, tables as they are told. */
  private static final class Progress implements Outlet {
    private final Goal goal;
    private final ProgressListener listener;
    private final Map<TraceFile, Long> passedOn = new HashMap<>();
    private long total;
    private long rowsTold;
    private double bytesPerRow;

    Progress(Goal goal, ProgressListener listener) {
      this.goal = goal;
      this.listener = listener;
    }

    @Override
    public void send(Part part) {
      goal.outlet().send(part);
      if (part.file().format() instanceof RequestLines) {
        TraceFile file = part.file();
        passedOn.put(file, file.compression() == null ? part.endOffset() : file.position());
      }
      say();
    }

    @Override
    public void drain() {
      goal.outlet().drain();
    }

    void told(int rows, FolderTranslation folder) {
      if (rowsTold == 0) {
        bytesPerRow = (double) tableBytes(folder) / folder.rows();
      }
      rowsTold += rows;
    }

    private static long tableBytes(FolderTranslation folder) {
      return folder.files().stream()
          .filter(f -> !(f.format() instanceof RequestLines))
          .mapToLong(TraceFile::position)
          .sum();
    }

    private long passedOnBytes() {
      return passedOn.values().stream().mapToLong(n -> n).sum();
    }

    private void say() {
      long done = Math.round(bytesPerRow * rowsTold) + passedOnBytes();
      listener.progress(Math.min(total, done), total, goal.spans().getAsLong());
    }

    void finish() {
      listener.progress(total, total, goal.spans().getAsLong());
    }
  }
}
