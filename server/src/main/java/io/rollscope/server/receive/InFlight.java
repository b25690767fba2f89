package io.rollscope.server.receive;

import java.net.InetAddress;

/**
 * How many bytes of requests are in memory between their first byte and their answer. Beyond a
 * limit, or a client's share of it, requests are refused, so that senders who are faster than the
 * disk fill their own memory and not ours.
 */
public final class InFlight {
  private final Shares shares;

  public InFlight(long limit) {
    this.shares = new Shares(limit);
  }

  public long bytes() {
    return shares.held();
  }

  /** What one request holds, nothing at first. */
  Claim claim(InetAddress client) {
    return new Claim(Shares.client(client));
  }

  /** What one request holds; to be closed when it is answered. */
  final class Claim implements AutoCloseable {
    private final InetAddress client;
    private long held;
    private boolean closed;

    private Claim(InetAddress client) {
      this.client = client;
    }

    /** Holds that much more; false when there is no room. */
    synchronized boolean more(long wanted) {
      if (closed || !shares.take(client, wanted)) {
        return false;
      }
      held += wanted;
      return true;
    }

    /** Gives everything back, but stays usable. */
    synchronized void release() {
      shares.give(client, held);
      held = 0;
    }

    @Override
    public synchronized void close() {
      release();
      closed = true;
    }
  }
}
