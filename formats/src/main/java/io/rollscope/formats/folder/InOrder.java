package io.rollscope.formats.folder;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Reads pieces on several threads and takes their results one at a time, in the order of the
 * pieces. A thread that is ahead waits, so only as many results are in memory as there are threads.
 *
 * @param <P> a piece
 * @param <W> what reads pieces; each is used by one thread at a time
 */
final class InOrder<P, W> {
  private final Supplier<P> pieces;
  private final int most;
  private final List<W> workers;
  private final BiConsumer<P, W> reader;
  private final BiConsumer<P, W> taker;
  private final Object cutting = new Object();
  private int next;
  private int turn;
  private Throwable failed;

  /**
   * @param pieces gives one after another, then null; asked by one thread at a time
   * @param most how many there can be
   */
  InOrder(
      Supplier<P> pieces,
      int most,
      List<W> workers,
      BiConsumer<P, W> reader,
      BiConsumer<P, W> taker) {
    this.pieces = pieces;
    this.most = most;
    this.workers = workers;
    this.reader = reader;
    this.taker = taker;
  }

  void run() {
    int helpers = Math.max(0, Math.min(workers.size(), most) - 1);
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
    while (true) {
      P piece = null;
      Throwable mine = null;
      int i;
      synchronized (cutting) {
        try {
          piece = pieces.get();
        } catch (RuntimeException | Error e) {
          mine = e;
        }
        if (piece == null && mine == null) {
          return;
        }
        i = next++;
      }
      try {
        if (mine == null) {
          reader.accept(piece, worker);
        }
      } catch (RuntimeException | Error e) {
        mine = e; // Kept for the caller: a thread that just died would keep the others waiting.
      }
      if (!takeInTurn(i, piece, worker, mine)) {
        return;
      }
    }
  }

  private synchronized boolean takeInTurn(int i, P piece, W worker, Throwable mine) {
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
        taker.accept(piece, worker);
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
