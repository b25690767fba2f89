package io.rollscope.server.scrape;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes all answers of targets may take in memory at once. */
final class Room {
  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  Room(long limit) {
    this.limit = limit;
  }

  /** There is no room now; says so to people. */
  static final class FullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FullException(long limit) {
      super(
          "memory: answers of targets take more than "
              + limit
              + " bytes (expected: less at once; scrape fewer, or give Java more)",
          null,
          false,
          false);
    }
  }

  Claim claim() {
    return new Claim();
  }

  /** The share of one scrape, empty at first. */
  final class Claim implements AutoCloseable {
    private final AtomicLong own = new AtomicLong();

    void take(int bytes) {
      own.addAndGet(bytes);
      if (taken.addAndGet(bytes) > limit) {
        throw new FullException(limit);
      }
    }

    @Override
    public void close() {
      taken.addAndGet(-own.getAndSet(0));
    }
  }
}
