package io.rollscope.sdk.internal.span;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Nanoseconds since the epoch. Reads only the monotonic clock, which is fast and never jumps; the
 * sender keeps it in step with the wall clock.
 */
public final class WallClock {
  /** Smaller differences are the jitter of reading two clocks. */
  private static final long TOLERANCE_NS = 1_000_000;

  private final LongSupplier wallNs;
  private final LongSupplier ticksNs;
  private volatile long offset;

  public WallClock(LongSupplier wallNs, LongSupplier ticksNs) {
    this.wallNs = wallNs;
    this.ticksNs = ticksNs;
    offset = wallNs.getAsLong() - ticksNs.getAsLong();
  }

  public static WallClock system() {
    return new WallClock(WallClock::systemWallNs, System::nanoTime);
  }

  private static long systemWallNs() {
    java.time.Instant now = java.time.Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  public long nowNs() {
    return offset + ticksNs.getAsLong();
  }

  long ticksNs() {
    return ticksNs.getAsLong();
  }

  long offset() {
    return offset;
  }

  /** Follows a wall clock that was set, or that runs at another speed. */
  public void adjust() {
    long now = wallNs.getAsLong() - ticksNs.getAsLong();
    if (Math.abs(now - offset) > TOLERANCE_NS) {
      offset = now;
    }
  }
}
