package io.rollscope.server;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads for work that must not hold up the network's, bounded in number and in waiting work. */
final class Workers {
  private static final int IDLE_SECONDS = 30;

  private Workers() {}

  /** What is beyond {@code waiting} is refused. */
  static ExecutorService of(String name, int threads, int waiting) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor workers =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waiting),
            task -> {
              Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    workers.allowCoreThreadTimeOut(true);
    return workers;
  }
}
