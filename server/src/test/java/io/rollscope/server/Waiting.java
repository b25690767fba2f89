package io.rollscope.server;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what happens on other threads, with a deadline. */
final class Waiting {
  private static final Duration DEADLINE = Duration.ofSeconds(90);

  private Waiting() {}

  static void until(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + DEADLINE);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }
}
