package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import io.rollscope.simulator.cluster.Stages;
import java.util.List;

/**
 * New weights take longer than before.
 *
 * @param growth what is added to the factor with each step
 */
public record SlowSync(double factor, double growth, Steps when) implements Fault {

  @Override
  public double syncFactor(Moment at, int engine) {
    return when.contains(at) ? factor + growth * (at.step() - when.from()) : 1;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("slow_sync", "stage", Stages.SYNC, List.of("run"), Stages.SYNC);
  }
}
