package io.rollscope.simulator.faults;

/**
 * A finding that is no false alarm.
 *
 * @param kind what it says
 * @param id whom it may blame, or null: anybody
 * @param allSteps whether only if it says so of nearly all steps
 * @param atMost only if it says to cost at most this part of the run, or null
 */
public record Acceptable(String kind, String id, boolean allSteps, Double atMost) {

  /** Of anybody. */
  public static Acceptable kind(String kind) {
    return new Acceptable(kind, null, false, null);
  }

  /** If it blames this one. */
  public static Acceptable of(String kind, String id) {
    return new Acceptable(kind, id, false, null);
  }

  /** How the whole run is, if it does not say that this is bad. */
  static Acceptable ofAllSteps(String kind, double atMost) {
    return new Acceptable(kind, null, true, atMost);
  }
}
