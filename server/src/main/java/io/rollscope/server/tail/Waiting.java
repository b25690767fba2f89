package io.rollscope.server.tail;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waiting that ends early when everything is to end. */
interface Waiting {

  /** Waits this long at most. Returns whether it is time to end. */
  boolean passes(Duration time);

  /** Until {@code end} is counted down. */
  static Waiting until(CountDownLatch end) {
    return time -> {
      try {
        return end.await(time.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return true;
      }
    };
  }
}
