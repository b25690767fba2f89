package io.rollscope.formats.folder;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Reads pieces on several threads and takes their results one at a time, in the order of the
 * pieces. A thread that is ahead waits, so only as many results are in memory as there are threads.
 *
 * @param <P> a piece
 * @param <W> what reads pieces; each is used by one thread at a time
 */
final class InOrder<P, W> {
  private final List<P> pieces;
  private final List<W> workers;
  private final BiConsumer<P, W> reader;
  private final BiConsumer<P, W> taker;
  private final AtomicInteger next = new AtomicInteger();
  private int turn;
  private Throwable failed;

  InOrder(List<P> pieces, List<W> workers, BiConsumer<P, W> reader, BiConsumer<P, W> taker) {
    this.pieces = pieces;
    this.workers = workers;
    this.reader = reader;
    this.taker = taker;
  }

  void run() {
    int helpers = Math.max(0, Math.min(workers.size(), pieces.size()) - 1);
    Thread[] threads = new Thread[helpers];
    for (int i = 0; i < helpers; i++) {
      W worker = workers.get(i + 1);
      threads[i] = new Thread(() -> work(worker), "rollscope-read-" + (i + 1));
      threads[i].setDaemon(true);
      threads[i].start();
    }
    work(workers.get(0));
    for (Thread thread : threads) {
      joinFully(thread);
    }
    if (failed instanceof Error e) {
      throw e;
    }
    if (failed != null) {
      throw (RuntimeException) failed;
    }
  }

  private static void joinFully(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void work(W worker) {
    for (int i = next.getAndIncrement(); i < pieces.size(); i = next.getAndIncrement()) {
      Throwable mine = null;
      try {
        reader.accept(pieces.get(i), worker);
      } catch (RuntimeException | Error e) {
        mine = e; // Kept for the caller: a thread that just died would keep the others waiting.
      }
      if (!takeInTurn(i, worker, mine)) {
        return;
      }
    }
  }

  private synchronized boolean takeInTurn(int i, W worker, Throwable mine) {
    boolean interrupted = false;
    while (turn != i && failed == null) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    try {
      if (failed == null && mine == null) {
        taker.accept(pieces.get(i), worker);
      } else if (failed == null) {
        failed = mine;
      }
    } catch (RuntimeException | Error e) {
      failed = e;
    }
    turn++;
    notifyAll();
    return failed == null;
  }
}
