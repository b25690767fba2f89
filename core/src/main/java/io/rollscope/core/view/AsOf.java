package io.rollscope.core.view;

import io.rollscope.core.time.Nanos;

/** Up to when open work counts (contracts.md 6.10 and 6.11). */
public final class AsOf {
  /** How long after its newest event or beat a run is still live. */
  public static final long LIVE_NS = 600_000_000_000L;

  private AsOf() {}

  /**
   * Whether a run goes on.
   *
   * @param newestNs its newest event or beat on the wall clock, or {@link Nanos#UNKNOWN}
   */
  public static boolean isLive(long newestNs, long clockNs) {
    return newestNs != Nanos.UNKNOWN && clockNs - newestNs < LIVE_NS;
  }

  /** Now for a run that goes on; else {@link Nanos#UNKNOWN}: the last event. */
  public static long of(long newestNs, long clockNs) {
    return isLive(newestNs, clockNs) ? clockNs : Nanos.UNKNOWN;
  }
}
