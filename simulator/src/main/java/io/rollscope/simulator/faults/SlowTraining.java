package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;

/**
 * Engines wait for the trainer in all steps.
 *
 * @param enoughS time of a training step with which they would not
 */
public record SlowTraining(double enoughS) implements Fault {

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
    return new Expected("starved_rollout", "run", "run", "");
  }

  @Override
  public ClusterSettings without(ClusterSettings settings) {
    return settings.withSpeeds(settings.speeds().withTrainS(enoughS));
  }
}
