package io.rollscope.server;

import io.rollscope.server.access.Access;
import io.rollscope.server.access.LoginKey;
import io.rollscope.server.access.Network;
import io.rollscope.server.access.TokenFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the server is bound and who may come in, made of the options.
 *
 * @param token in force, given or generated; null when none is needed
 */
record Entrance(InetAddress address, String token, Access access) {
  private static final Logger LOG = LoggerFactory.getLogger(Entrance.class);
  private static final int SAFE_LENGTH = 16;

  /** Checks the options, before anything is opened. */
  static void check(ServerOptions options) throws StartException {
    resolve(options.host());
    networks(options.trust());
    if (options.token() != null && !TokenFile.isValid(options.token())) {
      throw new StartException(
          "token: "
              + options.token().length()
              + " characters (expected: 1 to 1000 visible ASCII characters without spaces)",
          null);
    }
  }

  /** Decides on the token; writes it where the command line finds it. */
  static Entrance of(ServerOptions options, LongSupplier clock) throws StartException {
    InetAddress address = resolve(options.host());
    String token = options.token();
    String loginKey = null;
    if (token != null || !(address.isLoopbackAddress() || options.insecure())) {
      warnOfShort(token, address);
      try {
        token = new TokenFile(options.data()).keep(options.token());
        loginKey = LoginKey.keep(options.data());
      } catch (IOException e) {
        throw new StartException(
            "token file: " + options.data().resolve("token") + " (expected: a writable file)", e);
      }
    }
    Access access =
        new Access(options.host(), address, token, loginKey, networks(options.trust()), clock);
    return new Entrance(address, token, access);
  }

  private static void warnOfShort(String given, InetAddress address) {
    if (given != null && given.length() < SAFE_LENGTH && !address.isLoopbackAddress()) {
      LOG.warn(
          "token: {} characters (expected: at least {}, because others can reach {} and guess)",
          given.length(),
          SAFE_LENGTH,
          address.getHostAddress());
    }
  }

  private static InetAddress resolve(String host) throws StartException {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new StartException(
          "host: " + host + " (expected: an address or name of this machine)", e);
    }
  }

  private static List<Network> networks(List<String> trust) throws StartException {
    List<Network> networks = new ArrayList<>();
    for (String cidr : trust) {
      try {
        networks.add(Network.parse(cidr));
      } catch (IllegalArgumentException e) {
        throw new StartException(e.getMessage(), e);
      }
    }
    return networks;
  }

  /** Whether a host is this machine, or where this server is bound. */
  static boolean isHere(String host, String bound) {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isLoopbackAddress() || address.equals(InetAddress.getByName(bound));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** How others reach a port: an address that can be typed into a browser here. */
  String authority(int port) {
    if (address.isAnyLocalAddress()) {
      return "127.0.0.1:" + port;
    }
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    String plain = zone < 0 ? text : text.substring(0, zone);
    return (plain.indexOf(':') < 0 ? plain : "[" + plain + "]") + ":" + port;
  }
}
