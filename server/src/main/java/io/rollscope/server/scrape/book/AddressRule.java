package io.rollscope.server.scrape.book;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which addresses may be scraped. Who may register a target must not learn by it what only this
 * machine may ask: link-local addresses and those where clouds keep credentials are refused.
 */
public final class AddressRule {
  /** Metadata services outside the link-local ranges: Alibaba, Azure, Oracle, AWS over IPv6. */
  private static final List<InetAddress> METADATA =
      List.of(
          literal(100, 100, 100, 200),
          literal(168, 63, 129, 16),
          literal(192, 0, 0, 192),
          literal(0xfd, 0, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54));

  private final boolean allowLinkLocal;

  /** Where an IPv4 address stands in 64:ff9b:1::/48, by the length of the prefix (RFC 6052). */
  private static final int[][] LOCAL_NAT64 = {
    {6, 7, 9, 10}, {7, 9, 10, 11}, {9, 10, 11, 12}, {12, 13, 14, 15}
  };

  private static final Pattern LITERAL_V6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
  private static final Pattern LITERAL_V4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

  public AddressRule(boolean allowLinkLocal) {
    this.allowLinkLocal = allowLinkLocal;
  }

  /** Why an address is not scraped, or null. */
  public String refusal(InetAddress address) {
    for (InetAddress meant : meanings(address)) {
      String refusal = refusal(address, meant);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /** Why a target is not taken, as far as its address says it without asking DNS; or null. */
  String refusal(TargetAddress target) {
    InetAddress address = literal(target.url().getHost());
    return address == null ? null : refusal(address);
  }

  /** The address a host stands for if it is written as one, or is {@code localhost}; else null. */
  static InetAddress literal(String host) {
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    int zone = bare.indexOf('%');
    String text = zone < 0 ? bare : bare.substring(0, zone);
    if (text.equals("localhost") || text.endsWith(".localhost")) {
      return literal(127, 0, 0, 1);
    }
    try {
      return LITERAL_V4.matcher(text).matches() || LITERAL_V6.matcher(text).matches()
          ? InetAddress.getByName(text)
          : null;
    } catch (UnknownHostException e) {
      return null;
    }
  }

  private String refusal(InetAddress address, InetAddress meant) {
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
  private static List<InetAddress> meanings(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return List.of(address);
    }
    byte[] bytes = address.getAddress();
    boolean nat64 = starts(bytes, 0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0);
    boolean compatible = starts(bytes, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) && bytes[12] != 0;
    if (nat64 || compatible) {
      return List.of(of(Arrays.copyOfRange(bytes, 12, 16)));
    }
    if (starts(bytes, 0x00, 0x64, 0xff, 0x9b, 0, 1)) {
      return Arrays.stream(LOCAL_NAT64)
          .map(at -> literal(bytes[at[0]], bytes[at[1]], bytes[at[2]], bytes[at[3]]))
          .toList();
    }
    return List.of(starts(bytes, 0x20, 0x02) ? of(Arrays.copyOfRange(bytes, 2, 6)) : address);
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
