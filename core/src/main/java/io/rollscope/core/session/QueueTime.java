package io.rollscope.core.session;

import io.rollscope.core.time.Nanos;

/** How long a call waited in the queue of its engine, as it says itself (contracts.md 3.16). */
public final class QueueTime {
  private QueueTime() {}

  /** Nanoseconds from seconds as text; {@link Nanos#UNKNOWN} if this is no such time. */
  public static long ofText(String seconds) {
    Double value = Decimals.number(seconds);
    return value == null ? Nanos.UNKNOWN : ofSeconds(value);
  }

  /** Likewise. */
  public static long ofSeconds(double seconds) {
    return seconds >= 0 ? Nanos.fromSeconds(seconds) : Nanos.UNKNOWN;
  }
}
