package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

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
      LockSupport.parkNanos(10_000_000);
    }
  }

  /** Until the value is as expected; fails with the last one. */
  static <T> void untilEquals(T expected, Callable<T> value) throws Exception {
    long end = System.nanoTime() + DEADLINE.toNanos();
    T last = value.call();
    while (!expected.equals(last) && System.nanoTime() < end) {
      LockSupport.parkNanos(20_000_000);
      last = value.call();
    }
    assertThat(last).isEqualTo(expected);
  }
}
