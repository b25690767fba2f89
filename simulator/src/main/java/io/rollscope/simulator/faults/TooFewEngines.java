package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;

/**
 * The trainer waits for rollouts in all steps.
 *
 * @param enough engines with which it would not
 */
public record TooFewEngines(int enough) implements Fault {

  /** Of the runs without it, the one compared with is one of many. */
  @Override
  public boolean hasCost() {
    return false;
  }

  @Override
  public boolean isAlways() {
    return true;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("starved_trainer", "run", "run", "");
  }

  @Override
  public ClusterSettings without(ClusterSettings settings) {
    return settings.withMachines(settings.machines().withEngines(enough));
  }
}
