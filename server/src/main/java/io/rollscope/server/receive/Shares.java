package io.rollscope.server.receive;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A bounded amount that clients share. One may hold three times what is then left: a lone gateway
 * has three quarters of all, and whoever comes next always finds something.
 */
public final class Shares {
  private static final int TIMES_WHAT_IS_LEFT = 3;
  private static final int IPV6_NETWORK_BYTES = 8;

  private final long limit;
  private final Map<InetAddress, Long> byClient = new HashMap<>();
  private long held;

  public Shares(long limit) {
    this.limit = limit;
  }

  /** What one client may hold when there is no other. */
  public static long ofOne(long limit) {
    return limit * TIMES_WHAT_IS_LEFT / (TIMES_WHAT_IS_LEFT + 1);
  }

  /** Whoever has an IPv6 address has its whole network of 64 bits. */
  public static InetAddress client(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return address;
    }
    byte[] network = address.getAddress();
    Arrays.fill(network, IPV6_NETWORK_BYTES, network.length, (byte) 0);
    try {
      return InetAddress.getByAddress(network);
    } catch (java.net.UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What is held by all. */
  public synchronized long held() {
    return held;
  }

  /**
   * Takes so much more for a client; false, and nothing taken, when that is more than its share.
   *
   * @param client as {@link #client} gives it
   */
  public synchronized boolean take(InetAddress client, long more) {
    long left = limit - held - more;
    long its = byClient.getOrDefault(client, 0L) + more;
    if (its > TIMES_WHAT_IS_LEFT * left) {
      return false;
    }
    byClient.put(client, its);
    held += more;
    return true;
  }

  /** Gives back what was taken. */
  public synchronized void give(InetAddress client, long less) {
    held -= less;
    byClient.computeIfPresent(client, (c, its) -> its == less ? null : (Long) (its - less));
  }
}
