package io.rollscope.benchmarks;

import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.LiveBoard;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.SourcePath;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Follows folders as {@code live} does and measures what a refresh costs: on a quiet folder, and
 * while events are appended at a fixed rate. Prints one {@code name value} pair a line.
 */
public final class TailBenchmark {
  private static final int VISIBLE_ROWS = 2_000;
  private static final long REFRESH_MS = 500;
  private static final String TRACE = "\"traceId\":\"[0-9a-f]{3}";

  private TailBenchmark() {}

  /**
   * {@code quiet FOLDER}, {@code growing SOURCE_FILE EVENTS_PER_SECOND SECONDS} or {@code added
   * OTLP_FOLDER LINES}.
   */
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "quiet" -> quiet(Path.of(args[1]));
      case "growing" ->
          growing(Path.of(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      case "added" -> added(Path.of(args[1]), Integer.parseInt(args[2]));
      default ->
          throw new IllegalArgumentException(
              "mode: " + args[0] + " (expected: quiet, growing, added)");
    }
  }

  /** A folder and the board on it, refreshed the way the screen does. */
  private static final class Follower {
    private final FolderReader reader;
    private LiveBoard board;
    private LiveReport report;

    Follower(Path folder) {
      long limit = (long) (Runtime.getRuntime().maxMemory() * 0.75);
      reader = new FolderReader(new SourcePath(folder.toString()), null, null, limit);
    }

    void refresh() throws IOException {
      reader.poll();
      if (reader.runs().newest() == null) {
        return;
      }
      if (board == null) {
        board = new LiveBoard(reader.runs().newest().table(), Scope.ACTIVE);
      } else {
        board.update();
      }
      ReportContext context =
          new ReportContext("", "", new ReportContext.SkippedLines(0, List.of()));
      report = board.report(context, System.currentTimeMillis() * 1_000_000, VISIBLE_ROWS);
    }

    long events() {
      return report == null ? 0 : report.rawEventCount();
    }

    double bytesPerEvent() {
      SpanTable table = reader.runs().newest().table();
      return (double) table.bytes() / table.rows();
    }

    boolean shows(String session) {
      return report != null && report.rows().stream().anyMatch(r -> r.session().equals(session));
    }
  }

  private static void quiet(Path folder) throws IOException {
    Follower follower = new Follower(folder);
    follower.refresh();
    System.out.printf("heap_bytes_per_event %.1f%n", (double) heap() / follower.events());
    double[] ms = new double[50];
    for (int i = 0; i < ms.length; i++) {
      long start = System.nanoTime();
      follower.refresh();
      ms[i] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(ms);
    System.out.printf("events %d%n", follower.events());
    System.out.printf("bytes_per_event %.1f%n", follower.bytesPerEvent());
    System.out.printf("quiet_poll_median_ms %.2f%n", ms[ms.length / 2]);
    System.out.printf("quiet_poll_max_ms %.2f%n", ms[ms.length - 1]);
  }

  /** What is in memory for good: all else is garbage by now. */
  private static long heap() {
    System.gc();
    Runtime machine = Runtime.getRuntime();
    return machine.totalMemory() - machine.freeMemory();
  }

  /** A folder of OTLP lines gets some of its lines again, with other traces, ten times. */
  private static void added(Path folder, int lines) throws IOException {
    Path first;
    try (var files = Files.list(folder)) {
      first = files.sorted().findFirst().orElseThrow();
    }
    List<String> some;
    try (var all = Files.lines(first)) {
      some = all.limit(lines).toList();
    }
    Follower follower = new Follower(folder);
    follower.refresh();
    long before = follower.events();
    Path more = folder.resolve("added.otlp.jsonl");
    double[] ms = new double[10];
    try {
      for (int i = 0; i < ms.length; i++) {
        String trace = String.format("\"traceId\":\"%03x", 0xf00 + i);
        List<String> news = some.stream().map(l -> l.replaceAll(TRACE, trace)).toList();
        Files.write(more, news, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        long start = System.nanoTime();
        follower.refresh();
        ms[i] = (System.nanoTime() - start) / 1e6;
      }
    } finally {
      Files.deleteIfExists(more);
    }
    Arrays.sort(ms);
    System.out.printf("spans_before %d%n", before);
    System.out.printf("spans_added_each_time %d%n", (follower.events() - before) / ms.length);
    System.out.printf("refresh_median_ms %.1f%n", ms[ms.length / 2]);
    System.out.printf("refresh_worst_ms %.1f%n", ms[ms.length - 1]);
  }

  private static void growing(Path source, int rate, int seconds) throws Exception {
    Path folder = Files.createTempDirectory("rollscope-tail-");
    Path file = folder.resolve("producer_trace_1_0001_000000.jsonl");
    AtomicLong written = new AtomicLong();
    Thread writer = new Thread(() -> append(source, file, rate, seconds, written), "writer");
    Follower follower = new Follower(folder);
    writer.start();
    double worstRefresh = 0;
    double worstSight = 0;
    long worstBacklog = 0;
    int marks = 0;
    while (writer.isAlive()) {
      String mark = "mark:" + marks++;
      long appended = System.nanoTime();
      appendStart(folder, mark);
      boolean seen = false;
      while (!seen) {
        TimeUnit.MILLISECONDS.sleep(REFRESH_MS);
        long before = written.get();
        long start = System.nanoTime();
        follower.refresh();
        worstRefresh = Math.max(worstRefresh, (System.nanoTime() - start) / 1e6);
        worstBacklog = Math.max(worstBacklog, before - follower.events());
        seen = follower.shows(mark);
      }
      worstSight = Math.max(worstSight, (System.nanoTime() - appended) / 1e6);
    }
    writer.join();
    follower.refresh();
    System.out.printf("written %d%n", written.get());
    System.out.printf("read %d%n", follower.events() - marks);
    System.out.printf("refresh_worst_ms %.1f%n", worstRefresh);
    System.out.printf("start_visible_worst_ms %.1f%n", worstSight);
    System.out.printf("backlog_worst_events %d%n", Math.max(0, worstBacklog));
    for (Path made : List.of(file, folder.resolve("producer_trace_2_0001_000000.jsonl"), folder)) {
      Files.deleteIfExists(made);
    }
  }

  private static void appendStart(Path folder, String session) throws IOException {
    String line =
        String.format(
            "{\"trace_id\":\"%s\",\"stage\":\"xtuner.judger.judge.start\",\"timestamp_s\":%d}%n",
            session, System.currentTimeMillis() / 1000);
    Files.writeString(
        folder.resolve("producer_trace_2_0001_000000.jsonl"),
        line,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static void append(Path source, Path file, int rate, int seconds, AtomicLong written) {
    try (var lines = Files.newBufferedReader(source, StandardCharsets.UTF_8);
        OutputStream out = Files.newOutputStream(file)) {
      int perTick = rate / 20;
      long start = System.nanoTime();
      for (int tick = 0; tick < seconds * 20; tick++) {
        StringBuilder text = new StringBuilder(perTick * 420);
        for (int i = 0; i < perTick; i++) {
          String line = lines.readLine();
          if (line == null) {
            throw new IOException("source too short: " + source);
          }
          text.append(line).append('\n');
        }
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        written.addAndGet(perTick);
        long wait = start + (tick + 1) * 50_000_000L - System.nanoTime();
        if (wait > 0) {
          TimeUnit.NANOSECONDS.sleep(wait);
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
