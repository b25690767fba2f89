package io.rollscope.formats.folder;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Reads pieces on several threads and takes their results one at a time, in the order of the
 * pieces. A thread that is ahead waits, so only as many results are in memory as there are threads.
 */
final class InOrder {
  private final List<FolderReader.Piece> pieces;
  private final List<PieceWorker> workers;
  private final BiConsumer<FolderReader.Piece, PieceWorker> taker;
  private final AtomicInteger next = new AtomicInteger();
  private int turn;
  private Throwable failed;

  InOrder(
      List<FolderReader.Piece> pieces,
      List<PieceWorker> workers,
      BiConsumer<FolderReader.Piece, PieceWorker> taker) {
    this.pieces = pieces;
    this.workers = workers;
    this.taker = taker;
  }

  void run() {
    int helpers = Math.min(workers.size(), pieces.size()) - 1;
    Thread[] threads = new Thread[helpers];
    for (int i = 0; i < helpers; i++) {
      PieceWorker worker = workers.get(i + 1);
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

  private void work(PieceWorker worker) {
    for (int i = next.getAndIncrement(); i < pieces.size(); i = next.getAndIncrement()) {
      Throwable mine = null;
      try {
        worker.read(pieces.get(i));
      } catch (RuntimeException | Error e) {
        mine = e; // Kept for the caller: a thread that just died would keep the others waiting.
      }
      if (!takeInTurn(i, worker, mine)) {
        return;
      }
    }
  }

  private synchronized boolean takeInTurn(int i, PieceWorker worker, Throwable mine) {
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
