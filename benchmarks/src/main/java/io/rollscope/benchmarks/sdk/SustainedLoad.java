package io.rollscope.benchmarks.sdk;

import io.rollscope.sdk.Phase;
import io.rollscope.sdk.Rollscope;
import io.rollscope.sdk.Session;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Threads that record as fast as they can, against a real server; at the end every span must be
 * stored there or counted as dropped.
 */
public final class SustainedLoad {
  private static final int PHASES_PER_SESSION = 100;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final String page;
  private final String run = "sustained-" + ProcessHandle.current().pid();
  private final LongAdder recorded = new LongAdder();
  private volatile boolean over;

  private SustainedLoad(String page) {
    this.page = page;
  }

  /** Usage: {@code SustainedLoad OTLP-URL PAGE-URL THREADS SECONDS}. */
  public static void main(String[] args) throws Exception {
    new SustainedLoad(args[1])
        .measure(args[0], Integer.parseInt(args[2]), Integer.parseInt(args[3]));
  }

  private void measure(String otlp, int threads, int seconds) throws Exception {
    long dropped;
    try (Rollscope rs =
        Rollscope.builder().run(run).endpoint(otlp).deadline(Duration.ofMinutes(1)).build()) {
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Thread thread = new Thread(() -> load(rs), "load-" + i);
        thread.start();
        all.add(thread);
      }
      for (int second = 1; second <= seconds; second++) {
        Thread.sleep(1_000);
        if (second % 10 == 0 || second == seconds) {
          report(rs, second);
        }
      }
      over = true;
      for (Thread thread : all) {
        thread.join();
      }
      rs.flush(Duration.ofMinutes(1));
      dropped = rs.dropped().spans();
    }
    compare(dropped);
  }

  private void load(Rollscope rs) {
    while (!over) {
      try (Session session = rs.session()) {
        for (int i = 0; i < PHASES_PER_SESSION; i++) {
          try (Phase phase = rs.phase("generate")) {
            phase.set("model", "qwen3").set("tokens", i).set("temperature", 0.7).set("ok", true);
          }
        }
        session.accepted();
      }
      recorded.add(PHASES_PER_SESSION + 1);
    }
  }

  private void report(Rollscope rs, int second) throws IOException {
    System.gc(); // What is used after it is what is kept.
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "%3d s  recorded %,d  dropped %,d  heap %d MB  resident %d MB%n",
        second,
        recorded.sum(),
        rs.dropped().spans(),
        (runtime.totalMemory() - runtime.freeMemory()) >> 20,
        residentMb());
  }

  private static long residentMb() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) >> 10;
      }
    }
    return 0;
  }

  private void compare(long dropped) throws Exception {
    long expected = recorded.sum() - dropped;
    long end = System.nanoTime() + PATIENCE.toNanos();
    long stored = stored();
    while (stored != expected && System.nanoTime() < end) {
      Thread.sleep(500);
      stored = stored();
    }
    System.out.printf(
        "recorded %,d = stored %,d + dropped %,d%s%n",
        recorded.sum(), stored, dropped, stored == expected ? "" : "  DOES NOT ADD UP");
    Counts.expect(expected, stored);
  }

  private long stored() throws IOException, InterruptedException {
    String sql = "select count(*) from spans where outcome = 'ok' and run = '" + run + "'";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(page + "/api/v1/query"))
            .POST(HttpRequest.BodyPublishers.ofString("{\"sql\":\"" + sql + "\"}"))
            .build();
    String answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    Matcher count = Pattern.compile("\"rows\"\\s*:\\s*\\[\\s*\\[\\s*(\\d+)").matcher(answer);
    return count.find() ? Long.parseLong(count.group(1)) : -1;
  }
}
