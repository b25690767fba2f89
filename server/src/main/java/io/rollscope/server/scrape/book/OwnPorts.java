package io.rollscope.server.scrape.book;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;

/** Where this server itself listens: what it scraped of itself would grow with every scrape. */
public final class OwnPorts {
  private volatile Bound bound;

  private record Bound(InetAddress address, Set<Integer> ports) {}

  /** Known from when the ports are open. */
  public void set(InetAddress address, Set<Integer> ports) {
    bound = new Bound(address, Set.copyOf(ports));
  }

  /** Why an address is not scraped, or null. */
  public String refusal(InetAddress address, int port) {
    Bound own = bound;
    return own != null && own.ports().contains(port) && isReached(own.address(), address)
        ? "target: " + address.getHostAddress() + ":" + port + " is this server (expected: another)"
        : null;
  }

  /** The same of a target, as far as its address says it without asking DNS. */
  String refusal(TargetAddress target) {
    InetAddress address = AddressRule.literal(target.url().getHost());
    return address == null ? null : refusal(address, target.url().getPort());
  }

  /** Whether a connection to an address ends where a server is bound. */
  private static boolean isReached(InetAddress bound, InetAddress address) {
    if (!bound.isAnyLocalAddress()) {
      return address.equals(bound) || address.isAnyLocalAddress() && bound.isLoopbackAddress();
    }
    try {
      return address.isAnyLocalAddress()
          || address.isLoopbackAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }
}
