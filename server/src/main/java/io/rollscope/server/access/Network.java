package io.rollscope.server.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A network in CIDR notation: {@code 10.0.0.0/8}, {@code fd00::/8}, or one address. IPv4 addresses
 * that come in IPv6 clothes ({@code ::ffff:10.1.2.3}) are IPv4 addresses.
 */
public final class Network {
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private final byte[] prefix;
  private final int bits;

  private Network(byte[] prefix, int bits) {
    this.prefix = prefix;
    this.bits = bits;
  }

  /**
   * @throws IllegalArgumentException saying what was expected
   */
  public static Network parse(String cidr) {
    int slash = cidr.indexOf('/');
    String text = slash < 0 ? cidr : cidr.substring(0, slash);
    byte[] address = literal(text);
    if (address == null) {
      throw wrong(cidr, "a network such as 10.0.0.0/8 or fd00::/8");
    }
    int most = text.indexOf(':') < 0 ? 32 : 128;
    String number = slash < 0 ? Integer.toString(most) : cidr.substring(slash + 1);
    int bits = number.matches("\\d{1,3}") ? Integer.parseInt(number) : -1;
    int least = most - 8 * address.length;
    if (bits < least || bits > most) {
      throw wrong(cidr, "a prefix length from " + least + " to " + most);
    }
    return new Network(address, bits - least);
  }

  private static IllegalArgumentException wrong(String cidr, String expected) {
    return new IllegalArgumentException("trust: " + cidr + " (expected: " + expected + ")");
  }

  /** The address a literal stands for, or null. Never asks DNS. */
  static byte[] literal(String text) {
    if (text.indexOf(':') < 0) {
      return literalV4(text);
    }
    try {
      return V6.matcher(text).matches() ? InetAddress.getByName(text).getAddress() : null;
    } catch (UnknownHostException e) {
      return null;
    }
  }

  private static byte[] literalV4(String text) {
    String[] parts = text.split("\\.", -1);
    byte[] address = new byte[4];
    for (int i = 0; i < parts.length; i++) {
      int part = parts[i].matches("\\d{1,3}") ? Integer.parseInt(parts[i]) : 256;
      if (parts.length != 4 || part > 255) {
        return null;
      }
      address[i] = (byte) part;
    }
    return address;
  }

  public boolean contains(InetAddress address) {
    byte[] bytes = plain(address.getAddress());
    if (bytes.length != prefix.length) {
      return false;
    }
    int whole = bits / 8;
    if (!Arrays.equals(bytes, 0, whole, prefix, 0, whole)) {
      return false;
    }
    int rest = bits % 8;
    return rest == 0 || ((bytes[whole] ^ prefix[whole]) & 0xFF) >>> (8 - rest) == 0;
  }

  private static byte[] plain(byte[] address) {
    if (address.length == 4) {
      return address;
    }
    for (int i = 0; i < 12; i++) {
      if (address[i] != (byte) (i < 10 ? 0 : 0xFF)) {
        return address;
      }
    }
    return Arrays.copyOfRange(address, 12, 16);
  }
}
