package io.rollscope.server.forward;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One backend: a queue that is bounded in bytes, and a thread that empties it. */
final class Backend implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Backend.class);
  private static final long MOST_BYTES = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);
  private static final int BATCH_BYTES = 2 << 20;
  private static final long LINGER_NS = 200_000_000L;
  private static final long FIRST_PAUSE_MS = 500;
  private static final long LONGEST_PAUSE_MS = 30_000;
  private static final long GOODBYE_NS = 5_000_000_000L;

  private final Delivery delivery;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<Parcel> queue = new ArrayDeque<>();
  private final Map<String, Long> dropped = new LinkedHashMap<>();
  private long queuedBytes;
  private long spans;
  private long retries;
  private String failure;
  private long endNs = Long.MAX_VALUE;

  private Backend(Delivery delivery) {
    this.delivery = delivery;
    for (String reason : List.of("queue_full", "refused", "closed")) {
      dropped.put(reason, 0L);
    }
    thread = new Thread(this, "rollscope-forward");
    thread.setDaemon(true);
  }

  static Backend start(URI url, Map<String, String> headers) {
    Backend backend = new Backend(new Delivery(url, headers, Delivery.PATIENCE));
    backend.thread.start();
    return backend;
  }

  /** Never waits: what does not fit is dropped and counted. */
  void offer(Parcel parcel) {
    lock.lock();
    try {
      if (endNs != Long.MAX_VALUE) {
        drop("closed", parcel.spans());
      } else if (queuedBytes + parcel.length() > MOST_BYTES) {
        drop("queue_full", parcel.spans());
      } else {
        queue.add(parcel);
        queuedBytes += parcel.length();
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void drop(String reason, long count) {
    dropped.merge(reason, count, Long::sum);
  }

  @Override
  public void run() {
    try {
      Parcel batch = next();
      while (batch != null) {
        deliver(batch);
        batch = next();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes what is waiting, a batch at most; null when there is nothing and nothing will come. */
  private Parcel next() throws InterruptedException {
    lock.lock();
    try {
      while (queue.isEmpty()) {
        if (isClosing()) {
          return null;
        }
        changed.await();
      }
      long linger = LINGER_NS;
      while (linger > 0 && queuedBytes < BATCH_BYTES && !isClosing()) {
        linger = changed.awaitNanos(linger);
      }
      List<Parcel> batch = new ArrayList<>();
      long bytes = 0;
      while (!queue.isEmpty()
          && (batch.isEmpty() || bytes + queue.peek().length() <= BATCH_BYTES)) {
        bytes += queue.peek().length();
        batch.add(queue.remove());
      }
      return Parcel.joined(batch);
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosing() {
    return endNs != Long.MAX_VALUE;
  }

  /** Tries until it is taken or refused for good; what waits behind it is bounded. */
  private void deliver(Parcel batch) throws InterruptedException {
    long pauseMs = FIRST_PAUSE_MS;
    while (true) {
      Delivery.Result result = delivery.send(batch);
      lock.lock();
      try {
        if (!result.retry()) {
          done(batch, result);
          return;
        }
        tell(result.failure());
        retries++;
        long wait = Math.max(pauseMs, result.retryAfterMs());
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait);
        while (System.nanoTime() < untilNs && System.nanoTime() < endNs) {
          changed.awaitNanos(Math.min(untilNs, endNs) - System.nanoTime());
        }
        if (System.nanoTime() >= endNs) {
          giveUp(batch);
          return;
        }
      } finally {
        lock.unlock();
      }
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  }

  private void done(Parcel batch, Delivery.Result result) {
    queuedBytes -= batch.length();
    spans += batch.spans() - result.rejected();
    if (result.rejected() > 0) {
      drop("refused", result.rejected());
    }
    tell(result.failure());
  }

  private void giveUp(Parcel batch) {
    drop("closed", batch.spans());
    queuedBytes -= batch.length();
    while (!queue.isEmpty()) {
      Parcel parcel = queue.remove();
      queuedBytes -= parcel.length();
      drop("closed", parcel.spans());
    }
  }

  /** The operator is told when it begins to fail and when it works again. */
  private void tell(String why) {
    if (why != null && failure == null) {
      LOG.warn("forward: {}: {} (spans wait or are dropped and counted)", delivery.shown(), why);
    } else if (why == null && failure != null) {
      LOG.warn("forward: {}: takes spans again", delivery.shown());
    }
    failure = why;
  }

  ForwardNumbers numbers() {
    lock.lock();
    try {
      return new ForwardNumbers(
          delivery.shown(), spans, Map.copyOf(dropped), retries, queuedBytes, failure);
    } finally {
      lock.unlock();
    }
  }

  /** From now on nothing is taken, and what is waiting has a few seconds. */
  void end() {
    lock.lock();
    try {
      endNs = System.nanoTime() + GOODBYE_NS;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    try {
      thread.join(TimeUnit.NANOSECONDS.toMillis(GOODBYE_NS) + 500);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }
}
