package io.rollscope.store;

import io.rollscope.otlp.record.Request;
import io.rollscope.store.hot.HotStore;
import io.rollscope.store.journal.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Brings durable requests into the hot store, in the order of the journal, on a thread of its own.
 * How much may wait is limited by {@link Store#accept}.
 */
final class Applier implements Runnable {
  private static final int AT_ONCE = 64;
  private static final long PAUSE_NS = 5_000_000;

  /** One durable request; {@code done} is told when it is in, under the lock: be brief. */
  record Task(Request request, long receivedNs, Position position, Runnable done) {}

  private static final Task END = new Task(null, 0, null, () -> {});

  private final HotStore hot;
  private final ReentrantLock lock;
  private final BlockingQueue<Task> queue = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this, "rollscope-apply");
  private volatile boolean closed;
  private BooleanSupplier full;
  private volatile boolean closing;
  private volatile Position last;
  private volatile long version;
  private volatile int openSpans;
  private volatile int unsealed;
  private volatile long hotBytes;

  Applier(HotStore hot, ReentrantLock lock, Position last) {
    this.hot = hot;
    this.lock = lock;
    this.last = last;
    this.openSpans = hot.counts().open();
    this.unsealed = hot.counts().unsealed();
    this.hotBytes = hot.counts().bytes();
    thread.setDaemon(true);
  }

  /**
   * @param memoryIsFull while it says so, nothing is applied: durable requests wait
   */
  void start(BooleanSupplier memoryIsFull) {
    full = memoryIsFull;
    thread.start();
  }

  void add(Task task) {
    queue.add(task);
  }

  /** Everything in the journal before this position was added: when it is in, tells so. */
  void mark(Position position, Runnable done) {
    queue.add(new Task(null, 0, position, done));
  }

  int waiting() {
    return queue.size();
  }

  /** Everything before this position is in the hot store. */
  Position last() {
    return last;
  }

  long version() {
    return version;
  }

  int openSpans() {
    return openSpans;
  }

  /** Closed spans and metric points that wait for a segment. */
  int unsealed() {
    return unsealed;
  }

  /** About how many bytes spans in memory take. */
  long hotBytes() {
    return hotBytes;
  }

  /** Spans have left the hot store; the caller holds the lock. */
  void sealed() {
    unsealed = hot.counts().unsealed() + hot.pointCount();
    hotBytes = hot.counts().bytes();
    openSpans = hot.counts().open();
    version = hot.version();
  }

  @Override
  public void run() {
    List<Task> tasks = new ArrayList<>();
    boolean goOn = true;
    while (goOn) {
      try {
        tasks.add(queue.take());
      } catch (InterruptedException e) {
        continue; // Only close() ends this thread.
      }
      queue.drainTo(tasks, AT_ONCE);
      while (full.getAsBoolean() && !closing) {
        LockSupport.parkNanos(PAUSE_NS);
      }
      lock.lock();
      try {
        for (Task task : tasks) {
          goOn &= !task.equals(END);
          if (task.request() != null) {
            apply(task);
          } else if (task.position() != null && last.compareTo(task.position()) < 0) {
            last = task.position();
          }
          task.done().run();
        }
        version = hot.version();
        openSpans = hot.counts().open();
        unsealed = hot.counts().unsealed() + hot.pointCount();
        hotBytes = hot.counts().bytes();
      } finally {
        lock.unlock();
      }
      tasks.clear();
    }
    closed = true;
  }

  /** Whether everything that was added is in, and nothing can come any more. */
  boolean isClosed() {
    return closed;
  }

  /** It is durable whatever happens here: one bad request must not stop all that follow. */
  private void apply(Task task) {
    try {
      hot.apply(task.request(), task.receivedNs(), task.position());
    } catch (RuntimeException e) {
      hot.counts().refused("a request that could not be applied: " + e, 1);
    }
    last = task.position();
  }

  /** Applies what is waiting, then ends. */
  void close() {
    closing = true;
    queue.add(END);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
