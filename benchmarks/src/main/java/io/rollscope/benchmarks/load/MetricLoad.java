package io.rollscope.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rollscope.otlp.wire.ProtoWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends the metrics of some hours, the last of them now, as fast as they are acknowledged, and
 * prints what that took, one {@code name value} pair a line. Eight gauges and two counters, each
 * with so many series, every 15 s, four of the gauges with their step; of each tenth series also a
 * histogram.
 */
public final class MetricLoad {
  private static final int GAUGES = 8;
  private static final int COUNTERS = 2;

  /** Of these metrics, points name their step. */
  private static final int STEPPED = 4;

  private static final int TICKS_PER_STEP = 20;
  private static final int BUCKETS = 15;
  private static final long INTERVAL_NS = 15_000_000_000L;
  private static final int TICKS_PER_REQUEST = 4;

  private MetricLoad() {}

  /** {@code --port N --series N --hours N --connections N}. */
  public static void main(String[] args) throws Exception {
    Map<String, Integer> options =
        new TreeMap<>(Map.of("series", 100, "hours", 24, "connections", 4));
    for (int i = 0; i + 1 < args.length; i += 2) {
      options.put(args[i].substring(2), Integer.parseInt(args[i + 1]));
    }
    int connections = options.get("connections");
    int ticks = options.get("hours") * 240;
    long first = System.currentTimeMillis() * 1_000_000 - ticks * INTERVAL_NS;
    ExecutorService threads = Executors.newFixedThreadPool(connections);
    List<Future<Worker>> workers = new ArrayList<>();
    long begin = System.nanoTime();
    for (int c = 0; c < connections; c++) {
      int from = options.get("series") * c / connections;
      int to = options.get("series") * (c + 1) / connections;
      workers.add(threads.submit(new Worker(options.get("port"), from, to, ticks, first)));
    }
    long samples = 0;
    long refused = 0;
    List<long[]> latencies = new ArrayList<>();
    for (Future<Worker> worker : workers) {
      samples += worker.get().samples;
      refused += worker.get().refused;
      latencies.add(worker.get().latencies);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    threads.shutdown();
    long[] sorted = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    System.out.printf("samples %d%n", samples);
    System.out.printf("seconds %.3f%n", seconds);
    System.out.printf("samples_per_second %.0f%n", samples / seconds);
    System.out.printf("ack_p50_ms %.2f%n", sorted[sorted.length / 2] / 1e6);
    System.out.printf("ack_p99_ms %.2f%n", sorted[(int) (sorted.length * 0.99)] / 1e6);
    System.out.printf("refused %d%n", refused);
  }

  /** Sends some of the series, in the order of time. */
  private static final class Worker implements Callable<Worker> {
    private final int port;
    private final int from;
    private final int to;
    private final int ticks;
    private final long firstNs;
    private final Random random;
    private final double[][] values;
    private final long[][] buckets;
    private final long[] latencies;
    private long samples;
    private long refused;

    Worker(int port, int from, int to, int ticks, long firstNs) {
      this.port = port;
      this.from = from;
      this.to = to;
      this.ticks = ticks;
      this.firstNs = firstNs;
      random = new Random(from);
      values = new double[GAUGES + COUNTERS][to - from];
      buckets = new long[to - from][BUCKETS + 1];
      latencies = new long[(ticks + TICKS_PER_REQUEST - 1) / TICKS_PER_REQUEST];
    }

    @Override
    public Worker call() throws IOException {
      try (HttpConnection connection = new HttpConnection("127.0.0.1", port)) {
        for (int tick = 0, n = 0; tick < ticks; tick += TICKS_PER_REQUEST, n++) {
          byte[] body = body(tick, Math.min(ticks, tick + TICKS_PER_REQUEST));
          byte[] head = connection.head("/v1/metrics", "application/x-protobuf", body.length);
          ByteBuffer request = ByteBuffer.allocate(head.length + body.length).put(head).put(body);
          long begin = System.nanoTime();
          send(connection, request);
          latencies[n] = System.nanoTime() - begin;
        }
      }
      return this;
    }

    private void send(HttpConnection connection, ByteBuffer request) throws IOException {
      while (true) {
        Connection.Answer answer = connection.send(request.rewind());
        if (answer.isAcknowledged() && answer.body().length == 0) {
          return;
        }
        if (!answer.isBusy()) {
          throw new IOException(
              "answer: " + answer.status() + " " + new String(answer.body(), UTF_8));
        }
        refused++;
        LockSupport.parkNanos(answer.retryAfterMs() * 1_000_000);
      }
    }

    private byte[] body(int fromTick, int toTick) {
      ProtoWriter out = new ProtoWriter(1 << 17);
      int resourceMetrics = out.begin(1);
      int resource = out.begin(1);
      attribute(out, 1, "service.name", "vllm");
      attribute(out, 1, "service.instance.id", "engine-" + from);
      attribute(out, 1, "rl.run.id", "benchmark");
      out.end(resource);
      int scope = out.begin(2);
      for (int metric = 0; metric < GAUGES + COUNTERS; metric++) {
        numbers(out, metric, fromTick, toTick);
      }
      histograms(out, fromTick, toTick);
      out.end(scope);
      out.end(resourceMetrics);
      return out.toBytes();
    }

    private void numbers(ProtoWriter out, int metric, int fromTick, int toTick) {
      boolean counter = metric >= GAUGES;
      int begin = out.begin(2);
      out.string(1, (counter ? "engine.counter." : "engine.gauge.") + metric);
      int data = out.begin(counter ? 7 : 5);
      for (int tick = fromTick; tick < toTick; tick++) {
        for (int s = 0; s < to - from; s++) {
          double step =
              counter ? random.nextInt(50) : Math.round(random.nextGaussian() * 100) / 100.0;
          values[metric][s] += step;
          int point = out.begin(1);
          out.fixed64(2, firstNs);
          out.fixed64(3, time(tick));
          out.float64(4, values[metric][s]);
          labels(out, 7, s);
          if (metric < STEPPED) {
            step(out, tick / TICKS_PER_STEP);
          }
          out.end(point);
          samples++;
        }
      }
      if (counter) {
        out.varint(2, 2);
        out.varint(3, 1);
      }
      out.end(data);
      out.end(begin);
    }

    private void histograms(ProtoWriter out, int fromTick, int toTick) {
      int begin = out.begin(2);
      out.string(1, "engine.latency");
      int data = out.begin(9);
      for (int tick = fromTick; tick < toTick; tick++) {
        for (int s = 0; s < to - from; s += 10) {
          int point = out.begin(1);
          out.fixed64(2, firstNs);
          out.fixed64(3, time(tick));
          long count = 0;
          for (int b = 0; b <= BUCKETS; b++) {
            buckets[s][b] += random.nextInt(BUCKETS + 1 - b);
            count += buckets[s][b];
            out.fixed64(6, buckets[s][b]);
          }
          for (int b = 0; b < BUCKETS; b++) {
            out.float64(7, 0.001 * (1 << b));
          }
          out.fixed64(4, count);
          out.float64(5, count * 0.05);
          labels(out, 9, s);
          out.end(point);
          samples++;
        }
      }
      out.varint(2, 2);
      out.end(data);
      out.end(begin);
    }

    /** A little late, as scrapes are. */
    private long time(int tick) {
      return firstNs + tick * INTERVAL_NS + from * 1_000_000L;
    }

    private void labels(ProtoWriter out, int field, int s) {
      attribute(out, field, "model_name", "qwen3-8b");
      attribute(out, field, "engine", "engine-" + (from + s));
    }

    private static void step(ProtoWriter out, int step) {
      int entry = out.begin(7);
      out.string(1, "rl.train_step");
      int any = out.begin(2);
      out.varint(3, step);
      out.end(any);
      out.end(entry);
    }

    private static void attribute(ProtoWriter out, int field, String key, String value) {
      int entry = out.begin(field);
      out.string(1, key);
      int any = out.begin(2);
      out.string(1, value);
      out.end(any);
      out.end(entry);
    }
  }
}
