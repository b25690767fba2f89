package io.rollscope.core.view;

import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Visits all sessions of a table, on several threads, each with an accumulator of its own. */
public final class SessionPass {
  private static final int SMALL = 2_000;

  private SessionPass() {}

  /**
   * Visits all sessions.
   *
   * @param kept which coordinates are in scope, or null for all
   * @param adder adds a part to those before it, in order of session numbers
   */
  public static <A> A run(
      SpanTable table,
      boolean[] kept,
      Supplier<A> maker,
      BiConsumer<A, SessionSpans> visitor,
      BiConsumer<A, A> adder) {
    return join(parts(table, kept, maker, visitor), adder);
  }

  /** Adds all parts to the first. */
  static <A> A join(List<A> parts, BiConsumer<A, A> adder) {
    A all = parts.get(0);
    parts.subList(1, parts.size()).forEach(part -> adder.accept(all, part));
    return all;
  }

  /** Visits all sessions and leaves the parts as they are. */
  static <A> List<A> parts(
      SpanTable table, boolean[] kept, Supplier<A> maker, BiConsumer<A, SessionSpans> visitor) {
    int sessions = table.sessionCount();
    int parts = sessions < SMALL ? 1 : Math.min(8, Runtime.getRuntime().availableProcessors());
    List<A> accumulators = new ArrayList<>();
    Thread[] threads = new Thread[parts - 1];
    Throwable[] failed = new Throwable[parts];
    for (int part = 0; part < parts; part++) {
      A accumulator = maker.get();
      accumulators.add(accumulator);
      int from = (int) ((long) sessions * part / parts);
      int to = (int) ((long) sessions * (part + 1) / parts);
      int number = part;
      Runnable visit =
          () -> {
            try {
              SessionSpans spans = new SessionSpans(table);
              for (int s = from; s < to; s++) {
                spans.load(s, kept);
                visitor.accept(accumulator, spans);
              }
            } catch (RuntimeException | Error e) {
              failed[number] = e; // For the caller: without this part the answer would be wrong.
            }
          };
      if (part < parts - 1) {
        threads[part] = new Thread(visit, "rollscope-pass-" + part);
        threads[part].setDaemon(true);
        threads[part].start();
      } else {
        visit.run();
      }
    }
    join(threads);
    for (Throwable e : failed) {
      if (e instanceof Error error) {
        throw error;
      }
      if (e != null) {
        throw (RuntimeException) e;
      }
    }
    return accumulators;
  }

  private static void join(Thread[] threads) {
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
