package io.rollscope.simulator;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The passing of real time, as far as a live playback depends on it. */
public interface Pace {

  /** Wall-clock time in nanoseconds since the epoch. */
  long nowNs();

  /** Waits so many nanoseconds. */
  void sleep(long nanoseconds) throws InterruptedException;

  /** The real clock. */
  static Pace system() {
    Clock clock = Clock.systemUTC();
    return new Pace() {
      @Override
      public long nowNs() {
        Instant now = clock.instant();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
      }

      @Override
      public void sleep(long nanoseconds) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanoseconds);
      }
    };
  }
}
