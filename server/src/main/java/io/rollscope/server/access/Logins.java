package io.rollscope.server.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Browsers that traded the token for a cookie. The cookie holds a random value, not the token, and
 * ends with the server. Bounded: of too many, the one that was used longest ago goes.
 */
final class Logins {
  static final Duration LIFE = Duration.ofDays(7);
  private static final int MOST = 1_000;

  private final LongSupplier clock;
  private final Map<String, Long> lastUse =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST;
        }
      };

  /**
   * @param clock nanoseconds since the epoch
   */
  Logins(LongSupplier clock) {
    this.clock = clock;
  }

  /** The value of a new cookie. */
  synchronized String begin() {
    String value = Secret.random();
    lastUse.put(Secret.fingerprint(value), clock.getAsLong());
    return value;
  }

  synchronized boolean knows(String value) {
    String fingerprint = Secret.fingerprint(value);
    Long last = lastUse.get(fingerprint);
    if (last == null) {
      return false;
    }
    long now = clock.getAsLong();
    if (now - last > LIFE.toNanos()) {
      lastUse.remove(fingerprint);
      return false;
    }
    lastUse.put(fingerprint, now);
    return true;
  }
}
