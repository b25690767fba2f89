package io.rollscope.sdk.internal.send;

import io.rollscope.sdk.Deleted;
import io.rollscope.sdk.SpoolTransport;
import io.rollscope.sdk.Transport;
import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.metric.Metrics;
import io.rollscope.sdk.internal.metric.Point;
import io.rollscope.sdk.internal.span.Book;
import io.rollscope.sdk.internal.span.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The thread that sends: every half second, or when enough waits. */
public final class Sender {
  private static final Duration COUNTING = Duration.ofMillis(250);

  /** As long as nanoseconds can count without trouble. */
  private static final Duration FOREVER = Duration.ofDays(10_000);

  private final Thread thread = new Thread(this::run, "rollscope-sender");
  private final Book book;
  private final Buffer buffer;
  private final Metrics metrics;
  private final Transport transport;
  private final Warnings warnings;
  private final Pace pace;
  private final Reporters reporters;
  private final Delivery delivery;
  private final Parcel parcel;
  private final AtomicLong flushesAsked = new AtomicLong();
  private final Object flushed = new Object();
  private long flushesDone;
  private volatile boolean closing;
  private volatile boolean started;
  private long lastFlushNs;
  private long lastBeatNs;
  private long lastMetricsNs;
  private boolean beating;
  private final AtomicLong sent = new AtomicLong();

  /** Written by the thread that sends. */
  private final AtomicLong inFlight = new AtomicLong();

  /**
   * @param reporters what the process says of itself besides
   */
  public Sender(
      Book book,
      Buffer buffer,
      Metrics metrics,
      Transport transport,
      Object[] resource,
      Warnings warnings,
      Pace pace,
      Reporters reporters) {
    this.book = book;
    this.buffer = buffer;
    this.metrics = metrics;
    this.transport = transport;
    this.warnings = warnings;
    this.pace = pace;
    this.reporters = reporters;
    delivery = new Delivery(transport, warnings, pace);
    parcel = new Parcel(book, transport.form(), resource, reporters.stacks());
    thread.setDaemon(true);
  }

  public void start() {
    long now = System.nanoTime();
    lastFlushNs = now;
    lastMetricsNs = now;
    started = true;
    thread.start();
  }

  /** There is enough to send. */
  public void wake() {
    if (started) {
      LockSupport.unpark(thread);
    }
  }

  /** Waits until everything recorded so far has been dealt with; false when that takes too long. */
  public boolean flush(Duration patience) {
    long mine = flushesAsked.incrementAndGet();
    wake();
    long end = System.nanoTime() + bounded(patience).toNanos();
    synchronized (flushed) {
      while (flushesDone < mine) {
        long millis = (end - System.nanoTime()) / 1_000_000;
        if (millis <= 0 || !thread.isAlive()) {
          return flushesDone >= mine;
        }
        try {
          flushed.wait(Math.min(millis, 100));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
    }
    return true;
  }

  private static Duration bounded(Duration patience) {
    return patience.compareTo(FOREVER) < 0 ? patience : FOREVER;
  }

  /** Sends what waits, says goodbye, and ends; in at most that time. */
  public void close(Duration patience) {
    long deadline = System.nanoTime() + bounded(patience).toNanos();
    buffer.close();
    delivery.hurry(deadline);
    closing = true;
    wake();
    boolean interrupted = joinUntil(deadline);
    if (thread.isAlive()) {
      thread.interrupt();
      // It still has to count what it leaves behind.
      interrupted |= joinUntil(System.nanoTime() + COUNTING.toNanos());
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether somebody wanted the waiting to stop: going away is short enough to finish it. */
  private boolean joinUntil(long deadline) {
    boolean interrupted = false;
    while (thread.isAlive() && System.nanoTime() - deadline < 0) {
      try {
        thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  private void run() {
    while (!closing) {
      long asked = waitForWork();
      try {
        flush();
      } catch (RuntimeException | Error e) {
        warnings.once("sender", "a fault in the SDK, please report it: " + e);
      }
      markFlushed(asked);
    }
    sayGoodbye();
    markFlushed(Long.MAX_VALUE);
  }

  private void markFlushed(long upTo) {
    synchronized (flushed) {
      flushesDone = Math.max(flushesDone, upTo);
      flushed.notifyAll();
    }
  }

  private long waitForWork() {
    long until = lastFlushNs + pace.flush().toNanos();
    long asked = flushesAsked.get();
    while (!closing && asked == flushesDone && buffer.size() < Buffer.WORTH_SENDING) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        break;
      }
      LockSupport.parkNanos(this, left);
      asked = flushesAsked.get();
    }
    return asked;
  }

  /** Everything that was in the buffer when it began. */
  private void flush() {
    lastFlushNs = System.nanoTime();
    book.clock().adjust();
    boolean wanted = closing || flushesAsked.get() > flushesDone;
    boolean collect = wanted || lastFlushNs - lastMetricsNs >= pace.metrics().toNanos();
    long waiting = buffer.size();
    boolean last;
    do {
      waiting -= parcel.fill(buffer);
      last = waiting <= 0 || !parcel.wasFull();
      if (last && collect) {
        metrics.collect(parcel::add);
        lastMetricsNs = lastFlushNs;
      }
      beat();
      addStacks();
      deliver();
    } while (!last && !delivery.isTooLate());
  }

  private void beat() {
    beating |= !parcel.isEmpty();
    boolean due = lastBeatNs == 0 || lastFlushNs - lastBeatNs >= pace.beat().toNanos() && !closing;
    if (beating && due) {
      boolean first = lastBeatNs == 0;
      lastBeatNs = lastFlushNs;
      parcel.sign(false, deleted());
      measure(first);
      if (reporters.stacks() != null) {
        reporters.stacks().tidy();
      }
    }
  }

  /** Of the time between two beats: the first begins it. */
  private void measure(boolean first) {
    if (reporters.hostMetrics() != null) {
      List<Point> points = reporters.hostMetrics().points(book.clock().nowNs());
      if (!first) {
        parcel.addVitals(points);
      }
    }
  }

  /** What the answer to a beat asked for. */
  private void addStacks() {
    String wanted = delivery.takeWantedStacks();
    if (!wanted.isEmpty() && reporters.stacks() != null) {
      reporters.stacks().answer(wanted, book.clock().nowNs()).forEach(parcel::add);
    }
  }

  /** In this order, so that nothing is told before what it is about. */
  private void deliver() {
    inFlight.set(parcel.records());
    book.dropStarts(counted(parcel.starts().items(), send(parcel.starts())));
    book.dropSpans(counted(parcel.spans().items(), send(parcel.spans())));
    parcel.eachOfMetrics(request -> book.dropMetrics(counted(request.items(), send(request))));
    send(parcel.vitals());
    send(parcel.stackRecords());
    long news = parcel.verdicts();
    long lost = send(parcel.news());
    book.dropSpans(counted(news, Math.min(lost, news)));
    inFlight.set(0);
  }

  /** Of so many records so many were lost, and the rest was sent. */
  private long counted(long records, long lost) {
    sent.addAndGet(records - lost);
    inFlight.addAndGet(-records);
    return lost;
  }

  /** How many records the other side took. */
  public long sent() {
    return sent.get();
  }

  /** How many wait or are on their way. */
  public long queued() {
    return buffer.size() + Math.max(0, inFlight.get());
  }

  /** What a folder's limit has cost, of pieces that were written already. */
  public Deleted deleted() {
    return transport instanceof SpoolTransport spool ? spool.deleted() : Deleted.NOTHING;
  }

  private long send(io.rollscope.sdk.internal.encode.Request request) {
    int items = request.items();
    return items == 0 ? 0 : delivery.send(request.signal(), request.take(), items);
  }

  private void sayGoodbye() {
    try {
      flush();
      while (buffer.size() > 0 && !delivery.isTooLate()) {
        flush();
      }
      if (beating) {
        parcel.sign(true, deleted());
        deliver();
      }
      long left = parcel.giveUp(buffer);
      if (left > 0) {
        warnings.once("late", left + " things could not be sent before the deadline");
      }
    } finally {
      closeTransport();
    }
  }

  private void closeTransport() {
    try {
      transport.close();
    } catch (IOException | RuntimeException | Error e) {
      warnings.once("close", "closing failed: " + e);
    }
  }
}
