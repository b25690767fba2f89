package io.rollscope.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many files and sockets this process may have open, and has.
 *
 * @param limit {@code ulimit -n}
 */
record Descriptors(long limit, long open) {
  /** Segments, journal, jars, scrapes and what nobody thought of. */
  private static final long LEAST_RESERVE = 64;

  private static final int LEAST_CONNECTIONS = 16;

  /** Without a limit where there is none, or none that is known. */
  static Descriptors now() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      return new Descriptors(unix.getMaxFileDescriptorCount(), unix.getOpenFileDescriptorCount());
    }
    return new Descriptors(Long.MAX_VALUE, 0);
  }

  /** How many connections each of some ports may have, so that a quarter is left for files. */
  int connectionsPerPort(int ports, int most) {
    long left = Math.max(0, limit - open);
    long connections = left - Math.max(LEAST_RESERVE, left / 4);
    return (int) Math.min(most, Math.max(LEAST_CONNECTIONS, connections / ports));
  }
}
