package io.rollscope.server.tail;

import io.rollscope.server.ServerOptions.WatchedFolder;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Follows folders, each on a thread of its own, until closed. */
public final class FolderTails implements Closeable {
  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** The tables of all folders together may take this part of the heap. */
  private static final int PART_OF_HEAP = 4;

  private final CountDownLatch end = new CountDownLatch(1);
  private final List<FolderTail> tails = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  private FolderTails() {}

  /**
   * Begins to follow.
   *
   * @param clock nanoseconds since the epoch
   * @param log takes lines for the operator
   */
  public static FolderTails start(
      List<WatchedFolder> folders, Sink sink, LongSupplier clock, Consumer<String> log) {
    FolderTails all = new FolderTails();
    long memory = Runtime.getRuntime().maxMemory() / PART_OF_HEAP / Math.max(1, folders.size());
    Waiting waiting = Waiting.until(all.end);
    TailSetup setup = new TailSetup(sink, clock, waiting, log, memory);
    for (WatchedFolder folder : folders) {
      FolderTail tail = new FolderTail(folder, setup);
      Thread thread = new Thread(() -> follow(tail, waiting), "rollscope-tail " + folder.folder());
      thread.setDaemon(true);
      all.tails.add(tail);
      all.threads.add(thread);
    }
    all.threads.forEach(Thread::start);
    return all;
  }

  private static void follow(FolderTail tail, Waiting waiting) {
    do {
      tail.poll();
    } while (!waiting.passes(INTERVAL));
  }

  /** One per folder, in the order given. */
  public List<TailNumbers> numbers() {
    return tails.stream().map(FolderTail::numbers).toList();
  }

  /** Ends following; what is on its way into the store may still become durable. */
  @Override
  public void close() {
    end.countDown();
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
