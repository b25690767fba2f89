package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import io.rollscope.simulator.cluster.Stages;

/** The prompts of one dataset are many times longer than they were. */
public record GiantInputs(String dataset, double factor, Steps when) implements Fault {

  @Override
  public double promptFactor(Moment at, String of) {
    return of.equals(dataset) && when.contains(at) ? factor : 1;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("giant_input", "task", dataset, Stages.ENGINE);
  }
}
