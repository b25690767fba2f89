package io.rollscope.core.session;

import io.rollscope.core.time.Nanos;

/**
 * Whether a process has said goodbye, told from the times in its own records in whatever order they
 * come: only what is later than its goodbye brings it back (contracts.md 3.7, 3.8).
 */
public final class ProcessLife {
  private long recordNs = Nanos.UNKNOWN;
  private long endNs = Nanos.UNKNOWN;

  /** Something of it happened then, by its own clock; {@link Nanos#UNKNOWN} if that is not said. */
  public void record(long timeNs) {
    recordNs = Math.max(recordNs, timeNs);
  }

  /** It said goodbye then. */
  public void end(long timeNs) {
    record(timeNs);
    endNs = Math.max(endNs, timeNs);
  }

  /** Whether it has ended. */
  public boolean hasEnded() {
    return endNs != Nanos.UNKNOWN && recordNs <= endNs;
  }

  /** Latest time in its records: if it is dead, its open work ended then. */
  public long recordNs() {
    return recordNs;
  }
}
