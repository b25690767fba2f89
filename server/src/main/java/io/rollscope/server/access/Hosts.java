package io.rollscope.server.access;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Under which names the server may be addressed. A web page of a stranger can let its own name
 * point to this machine (DNS rebinding) and then counts as our page in a browser; but its name is
 * in {@code Host}, and we do not go by that name.
 */
final class Hosts {
  private final Set<String> names;
  private final boolean anyAddress;
  private final InetAddress bound;

  private Hosts(Set<String> names, boolean anyAddress, InetAddress bound) {
    this.names = names;
    this.anyAddress = anyAddress;
    this.bound = bound;
  }

  /**
   * @param host as the operator wrote it
   */
  static Hosts of(String host, InetAddress bound) {
    Set<String> names = new HashSet<>(Set.of("localhost", host.toLowerCase(Locale.ROOT)));
    if (bound.isAnyLocalAddress()) {
      names.addAll(machineNames());
    }
    return new Hosts(names, bound.isAnyLocalAddress(), bound);
  }

  private static Set<String> machineNames() {
    Set<String> names = new HashSet<>();
    try {
      names.add(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      // A machine that does not know its own name is reached by address.
    }
    String fromShell = System.getenv("HOSTNAME");
    if (fromShell != null) {
      names.add(fromShell);
    }
    Set<String> all = new HashSet<>();
    for (String name : names) {
      String lower = name.toLowerCase(Locale.ROOT);
      all.add(lower);
      all.add(lower.split("\\.", 2)[0]);
    }
    return all;
  }

  /**
   * Whether {@code Host} names this server.
   *
   * @param authority name or address, perhaps with a port; null when the client sent none
   */
  boolean isOurs(String authority) {
    String host = hostOf(authority);
    if (host == null) {
      return false;
    }
    if (names.contains(host)) {
      return true;
    }
    byte[] address = Network.literal(unbracketed(host));
    if (address == null) {
      return false;
    }
    try {
      InetAddress literal = InetAddress.getByAddress(address);
      return anyAddress || literal.isLoopbackAddress() || literal.equals(bound);
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Whether a page of that origin is one of ours: it has the name under which we were called. */
  static boolean isSameOrigin(String origin, String authority) {
    if (authority == null) {
      return false;
    }
    try {
      URI uri = new URI(origin);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      int usual = scheme.equals("http") ? 80 : scheme.equals("https") ? 443 : -1;
      if (usual < 0 || uri.getRawAuthority() == null || !uri.getRawPath().isEmpty()) {
        return false;
      }
      String there = uri.getRawAuthority().toLowerCase(Locale.ROOT);
      String here = authority.toLowerCase(Locale.ROOT);
      return withPort(there, usual).equals(withPort(here, usual));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static String withPort(String authority, int usual) {
    return authority.matches(".*:\\d+") && !authority.endsWith("]")
        ? authority
        : authority + ":" + usual;
  }

  private static String hostOf(String authority) {
    if (authority == null || authority.isEmpty()) {
      return null;
    }
    String lower = authority.toLowerCase(Locale.ROOT);
    int colon = lower.lastIndexOf(':');
    boolean port =
        colon > lower.lastIndexOf(']') && lower.indexOf(':') == colon
            || colon > 0 && lower.charAt(colon - 1) == ']';
    return port ? lower.substring(0, colon) : lower;
  }

  private static String unbracketed(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
