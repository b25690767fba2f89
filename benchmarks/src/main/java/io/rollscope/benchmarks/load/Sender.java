package io.rollscope.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Sends on one connection, the next request after the answer to the last. */
final class Sender implements Callable<Sender> {
  private final Connection connection;
  private final BodyStream bodies;
  private final LoadOptions options;
  private final long countFrom;
  private final long end;

  private long[] latencies = new long[1 << 10];
  private int acknowledged;
  private long warmedUp;
  private long refused;
  private long lastAck;

  /**
   * Prepares sending.
   *
   * @param countFrom before this time nothing counts (warm-up), by {@link System#nanoTime}
   * @param end after this time no request is sent
   */
  Sender(Connection connection, BodyStream bodies, LoadOptions options, long countFrom, long end) {
    this.connection = connection;
    this.bodies = bodies;
    this.options = options;
    this.countFrom = countFrom;
    this.end = end;
  }

  @Override
  public Sender call() throws IOException {
    long due = System.nanoTime();
    while (System.nanoTime() < end) {
      ByteBuffer request = bodies.next();
      if (request == null) {
        break;
      }
      if (options.rate() > 0) {
        waitUntil(due);
        due += options.intervalNs();
      }
      send(request);
    }
    return this;
  }

  private void send(ByteBuffer request) throws IOException {
    while (true) {
      long start = System.nanoTime();
      Connection.Answer answer = connection.send(request);
      long now = System.nanoTime();
      if (answer.isAcknowledged()) {
        expectAllTaken(answer);
        count(start, now);
        return;
      }
      if (!answer.isBusy()) {
        throw new IOException(
            "answer: " + answer.status() + " " + new String(answer.body(), UTF_8));
      }
      refused++;
      if (now > end) {
        return;
      }
      waitUntil(now + answer.retryAfterMs() * 1_000_000);
      request.rewind();
    }
  }

  /** An empty protobuf, or JSON without a word of rejected spans. */
  private static void expectAllTaken(Connection.Answer answer) throws IOException {
    byte[] body = answer.body();
    String text = new String(body, UTF_8);
    boolean json = text.startsWith("{");
    if (body.length > 0 && (!json || text.contains("rejected"))) {
      throw new IOException("answer: " + text + " (expected: every span taken)");
    }
  }

  private void count(long start, long now) {
    if (start < countFrom) {
      warmedUp++;
      return;
    }
    if (acknowledged == latencies.length) {
      latencies = Arrays.copyOf(latencies, 2 * acknowledged);
    }
    latencies[acknowledged++] = now - start;
    lastAck = now;
  }

  private static void waitUntil(long time) {
    for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** How long each acknowledged request took, in nanoseconds. */
  long[] latencies() {
    return Arrays.copyOf(latencies, acknowledged);
  }

  /** Requests acknowledged during the warm-up. */
  long warmedUp() {
    return warmedUp;
  }

  /** How often the receiver asked to come back later. */
  long refused() {
    return refused;
  }

  long lastAck() {
    return lastAck;
  }
}
