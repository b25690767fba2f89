package io.rollscope.server.scrape;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Which addresses may be scraped. Who may register a target must not learn by it what only this
 * machine may ask: link-local addresses and those where clouds keep credentials are refused.
 */
final class AddressRule {
  /** Metadata services outside the link-local ranges: Alibaba, Azure, Oracle, AWS over IPv6. */
  private static final List<InetAddress> METADATA =
      List.of(
          literal(100, 100, 100, 200),
          literal(168, 63, 129, 16),
          literal(192, 0, 0, 192),
          literal(0xfd, 0, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54));

  private final boolean allowLinkLocal;

  AddressRule(boolean allowLinkLocal) {
    this.allowLinkLocal = allowLinkLocal;
  }

  /** Why an address is not scraped, or null. */
  String refusal(InetAddress address) {
    InetAddress meant = embedded(address);
    if (meant.isMulticastAddress()) {
      return wrong(address, "a multicast address", "the address of one machine");
    }
    if (allowLinkLocal) {
      return null;
    }
    if (meant.isLinkLocalAddress()) {
      return wrong(address, "link-local", "another, or a server with --allow-link-local");
    }
    return METADATA.contains(meant)
        ? wrong(address, "a cloud's metadata", "another, or a server with --allow-link-local")
        : null;
  }

  private static String wrong(InetAddress address, String what, String expected) {
    return "address: " + address.getHostAddress() + " is " + what + " (expected: " + expected + ")";
  }

  /** IPv6 addresses that stand for an IPv4 one: NAT64, 6to4, and the old compatible form. */
  private static InetAddress embedded(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return address;
    }
    byte[] bytes = address.getAddress();
    boolean nat64 = starts(bytes, 0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0);
    boolean compatible = starts(bytes, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) && bytes[12] != 0;
    if (nat64 || compatible) {
      return of(Arrays.copyOfRange(bytes, 12, 16));
    }
    return starts(bytes, 0x20, 0x02) ? of(Arrays.copyOfRange(bytes, 2, 6)) : address;
  }

  private static boolean starts(byte[] bytes, int... prefix) {
    for (int i = 0; i < prefix.length; i++) {
      if (bytes[i] != (byte) prefix[i]) {
        return false;
      }
    }
    return true;
  }

  private static InetAddress literal(int... bytes) {
    byte[] address = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      address[i] = (byte) bytes[i];
    }
    return of(address);
  }

  private static InetAddress of(byte[] address) {
    try {
      return InetAddress.getByAddress(address);
    } catch (UnknownHostException e) {
      throw new AssertionError("four or sixteen bytes are an address", e);
    }
  }
}
