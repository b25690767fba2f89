package io.rollscope.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends spans to a receiver and prints what it took, one {@code name value} pair a line; see {@link
 * LoadOptions} for what can be chosen. Anything but an acknowledgement or a refusal for now ends it
 * with an error.
 */
public final class IngestLoad {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private IngestLoad() {}

  /** {@code --NAME VALUE …}. */
  public static void main(String[] args) throws Exception {
    LoadOptions options =
        LoadOptions.parse(TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()), args);
    if (options.open() > 0) {
      OpenSpans.send(options);
      return;
    }
    List<Connection> connections = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(options.connections());
    try {
      run(options, connections, threads);
    } finally {
      threads.shutdownNow();
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  private static void run(
      LoadOptions options, List<Connection> connections, ExecutorService threads) throws Exception {
    AtomicLong taken = new AtomicLong();
    List<BodyStream> streams = new ArrayList<>();
    for (int i = 0; i < options.connections(); i++) {
      connections.add(Connection.open(options));
      streams.add(new BodyStream(options, connections.get(i), taken, i));
    }
    long countFrom = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.warmupSeconds());
    long end =
        options.spans() > 0
            ? Long.MAX_VALUE
            : countFrom + TimeUnit.SECONDS.toNanos(options.seconds());
    List<Future<Sender>> results = new ArrayList<>();
    for (int i = 0; i < options.connections(); i++) {
      Sender sender = new Sender(connections.get(i), streams.get(i), options, countFrom, end);
      results.add(threads.submit(sender));
    }
    TimeUnit.NANOSECONDS.sleep(countFrom - System.nanoTime());
    long cpu = SYSTEM.getProcessCpuTime();
    List<Sender> senders = new ArrayList<>();
    for (Future<Sender> result : results) {
      senders.add(result.get());
    }
    print(options, senders, countFrom, SYSTEM.getProcessCpuTime() - cpu);
  }

  private static void print(LoadOptions options, List<Sender> senders, long from, long cpu) {
    long[] sorted =
        senders.stream().flatMapToLong(s -> Arrays.stream(s.latencies())).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalStateException("acknowledged requests: 0 (expected: some)");
    }
    long last = senders.stream().mapToLong(Sender::lastAck).max().orElseThrow();
    double seconds = (last - from) / 1e9;
    long spans = (long) sorted.length * options.batch();
    System.out.printf("spans %d%n", spans);
    long warmUp = senders.stream().mapToLong(Sender::warmedUp).sum() * options.batch();
    System.out.printf("spans_with_warm_up %d%n", spans + warmUp);
    System.out.printf("seconds %.3f%n", seconds);
    System.out.printf("spans_per_second %.0f%n", spans / seconds);
    System.out.printf("requests %d%n", sorted.length);
    System.out.printf("ack_p50_ms %.2f%n", sorted[sorted.length / 2] / 1e6);
    System.out.printf("ack_p99_ms %.2f%n", sorted[(int) (sorted.length * 0.99)] / 1e6);
    System.out.printf("ack_worst_ms %.2f%n", sorted[sorted.length - 1] / 1e6);
    System.out.printf("refused %d%n", senders.stream().mapToLong(Sender::refused).sum());
    System.out.printf("generator_cores %.3f%n", cpu / 1e9 / seconds);
    System.out.printf("seed %d%n", options.seed());
  }
}
