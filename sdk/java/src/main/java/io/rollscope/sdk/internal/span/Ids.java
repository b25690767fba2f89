package io.rollscope.sdk.internal.span;

import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Random ids. The fast generator is seeded from the clock, which machines that start together may
 * share; a secret of the process keeps their ids apart.
 */
final class Ids {
  private static final long SALT_HIGH;
  private static final long SALT_LOW;

  static {
    SecureRandom secure = new SecureRandom();
    SALT_HIGH = secure.nextLong();
    SALT_LOW = secure.nextLong();
  }

  private Ids() {}

  static long traceHigh() {
    return ThreadLocalRandom.current().nextLong() ^ SALT_HIGH;
  }

  static long traceLow() {
    return nonZero(SALT_LOW);
  }

  static long span() {
    return nonZero(SALT_HIGH);
  }

  private static long nonZero(long salt) {
    long id;
    do {
      id = ThreadLocalRandom.current().nextLong() ^ salt;
    } while (id == 0);
    return id;
  }
}
