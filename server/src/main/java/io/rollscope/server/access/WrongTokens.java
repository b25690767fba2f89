package io.rollscope.server.access;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Slows down who guesses tokens. Each address counts for itself (IPv6: each /64), so others never
 * wait: after some wrong tokens the refusals of an address take a second each, and while many of
 * them are under way no further token of that address is looked at.
 */
final class WrongTokens {
  static final Duration PAUSE = Duration.ofSeconds(1);
  static final int FREE = 10;
  static final int MOST_HELD = 8;
  private static final int MOST_ADDRESSES = 10_000;
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);

  private final LongSupplier clock;
  private final Map<String, Guesses> guesses =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Guesses> eldest) {
          return size() > MOST_ADDRESSES;
        }
      };

  private static final class Guesses {
    private int wrong;
    private int held;
    private long lastNs;
  }

  /**
   * @param clock nanoseconds since the epoch
   */
  WrongTokens(LongSupplier clock) {
    this.clock = clock;
  }

  /** Whether a token of this address is looked at now. */
  synchronized boolean mayTry(InetAddress client) {
    Guesses known = guesses.get(network(client));
    return known == null || known.held < MOST_HELD;
  }

  /** Counts a wrong token. Returns whether its refusal is to be held for {@link #PAUSE}. */
  synchronized boolean isHeld(InetAddress client) {
    Guesses known = guesses.computeIfAbsent(network(client), c -> new Guesses());
    long now = clock.getAsLong();
    if (now - known.lastNs > FORGOTTEN_AFTER.toNanos()) {
      known.wrong = 0;
    }
    known.lastNs = now;
    known.wrong++;
    if (known.wrong <= FREE) {
      return false;
    }
    known.held++;
    return true;
  }

  /** Says that a refusal is held no longer. */
  synchronized void release(InetAddress client) {
    Guesses known = guesses.get(network(client));
    if (known != null && known.held > 0) {
      known.held--;
    }
  }

  private static String network(InetAddress client) {
    byte[] address = client.getAddress();
    return HexFormat.of().formatHex(address.length == 4 ? address : Arrays.copyOf(address, 8));
  }
}
