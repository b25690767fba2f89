package io.rollscope.benchmarks;

import io.rollscope.otlp.Signal;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.journal.Journal;
import io.rollscope.store.journal.JournalNumbers;
import io.rollscope.store.journal.JournalOptions;
import io.rollscope.store.journal.Position;
import io.rollscope.store.journal.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Appends as a receiver does: each appender waits for its acknowledgement before it sends again.
 * Old files are deleted on the way, as they are when segments are sealed. Prints one table row for
 * each number of appenders and payload size.
 */
public final class JournalBenchmark {
  private static final int[] APPENDERS = {1, 8, 64};
  private static final int[] PAYLOADS = {1_000, 100_000};
  private static final long KEPT_FILES = 3;

  private JournalBenchmark() {}

  /** {@code FOLDER SECONDS}: a folder on the disk to be measured, which must not exist yet. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(args[1]));
    measure(folder.resolve("warm-up"), 8, 1_000, nanos / 2);
    for (int payload : PAYLOADS) {
      for (int appenders : APPENDERS) {
        Path own = folder.resolve(appenders + "x" + payload);
        System.out.println(measure(own, appenders, payload, nanos));
      }
    }
    Files.delete(folder);
  }

  private static String measure(Path folder, int appenders, int payload, long nanos)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(appenders);
    try (Journal journal =
        Journal.open(new RealDisk(), folder, JournalOptions.defaults(), (p, frame) -> {})) {
      long start = System.nanoTime();
      Callable<long[]> appender = () -> append(journal, payload, start + nanos);
      List<Future<long[]>> results = new ArrayList<>();
      for (int i = 0; i < appenders; i++) {
        results.add(threads.submit(appender));
      }
      List<long[]> latencies = new ArrayList<>();
      for (Future<long[]> result : results) {
        latencies.add(result.get());
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      return row(appenders, payload, seconds, journal.numbers(), latencies);
    } finally {
      threads.shutdown();
      delete(folder);
    }
  }

  private static long[] append(Journal journal, int payloadBytes, long end) {
    byte[] payload = new byte[payloadBytes];
    new Random(1).nextBytes(payload);
    Source source = new Source.Otlp(Signal.TRACES);
    long[] latencies = new long[1 << 10];
    int count = 0;
    long file = 1;
    for (long start = System.nanoTime(); start < end; start = System.nanoTime()) {
      Position position = journal.append(source, payload).toCompletableFuture().join();
      if (count == latencies.length) {
        latencies = Arrays.copyOf(latencies, 2 * count);
      }
      latencies[count++] = System.nanoTime() - start;
      if (position.file() > file + KEPT_FILES) {
        file = position.file() - KEPT_FILES;
        journal.deleteBefore(new Position(file, 0)).toCompletableFuture().join();
      }
    }
    return Arrays.copyOf(latencies, count);
  }

  private static String row(
      int appenders, int payload, double seconds, JournalNumbers numbers, List<long[]> latencies) {
    long[] sorted = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    long forces = numbers.forces().count();
    return String.format(
        "| %d | %,d B | %,.0f | %,.1f | %.2f | %.2f | %,.0f | %.1f |",
        appenders,
        payload,
        sorted.length / seconds,
        numbers.bytesAppended() / seconds / 1e6,
        sorted[sorted.length / 2] / 1e6,
        sorted[(int) (sorted.length * 0.99)] / 1e6,
        forces / seconds,
        (double) sorted.length / forces);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
