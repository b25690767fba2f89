package io.rollscope.store.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Numbers that grow while the journal works. */
final class Counters {
  private static final List<Double> BOUNDS =
      List.of(
          0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0,
          2.5);

  final LongAdder framesAppended = new LongAdder();
  final LongAdder bytesAppended = new LongAdder();
  final LongAdder framesRefused = new LongAdder();
  final LongAdder failures = new LongAdder();

  private final LongSupplier nanoTime;
  private final AtomicLongArray forces = new AtomicLongArray(BOUNDS.size() + 1);
  private final AtomicLong forceNanos = new AtomicLong();

  Counters(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Something that makes bytes durable. */
  interface Force {
    void run() throws IOException;
  }

  /** Times a force, also one that fails: a disk that hangs before an error is worth seeing. */
  void timeForce(Force force) throws IOException {
    long start = nanoTime.getAsLong();
    try {
      force.run();
    } finally {
      long nanos = nanoTime.getAsLong() - start;
      int bucket = 0;
      while (bucket < BOUNDS.size() && nanos > BOUNDS.get(bucket) * 1e9) {
        bucket++;
      }
      forces.incrementAndGet(bucket);
      forceNanos.addAndGet(nanos);
    }
  }

  LatencyHistogram forces() {
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i < forces.length(); i++) {
      counts.add(forces.get(i));
    }
    return new LatencyHistogram(BOUNDS, List.copyOf(counts), forceNanos.get() / 1e9);
  }
}
