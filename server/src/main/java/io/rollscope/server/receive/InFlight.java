package io.rollscope.server.receive;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of requests are in memory between their first byte and their answer. Beyond a
 * limit requests are refused, so that senders who are faster than the disk fill their own memory
 * and not ours.
 */
public final class InFlight {
  private final long limit;
  private final AtomicLong bytes = new AtomicLong();

  public InFlight(long limit) {
    this.limit = limit;
  }

  public long bytes() {
    return bytes.get();
  }

  /** The share of one request, empty at first. */
  Claim claim() {
    return new Claim();
  }

  /** What one request holds; to be closed when it is answered. */
  final class Claim implements AutoCloseable {
    private long held;
    private boolean closed;

    /** Holds that much more; false when there is no room. */
    synchronized boolean more(long wanted) {
      if (closed) {
        return false;
      }
      long now = bytes.addAndGet(wanted);
      if (now > limit) {
        bytes.addAndGet(-wanted);
        return false;
      }
      held += wanted;
      return true;
    }

    /** Gives everything back, but stays usable. */
    synchronized void release() {
      bytes.addAndGet(-held);
      held = 0;
    }

    @Override
    public synchronized void close() {
      release();
      closed = true;
    }
  }
}
