package io.rollscope.simulator;

/**
 * Where virtual time lies on the wall clock.
 *
 * @param startNs what virtual zero is, in nanoseconds since the epoch
 * @param speed how many virtual seconds pass in one
 */
public record Timeline(long startNs, double speed) {

  public Timeline {
    Expect.positive("speed", speed);
  }

  /** The wall-clock time of a virtual time. */
  long at(long virtualNs) {
    return startNs + (speed == 1 ? virtualNs : Math.round(virtualNs / speed));
  }
}
