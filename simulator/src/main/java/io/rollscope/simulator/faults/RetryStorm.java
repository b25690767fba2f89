package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import io.rollscope.simulator.cluster.Stages;
import java.util.List;

/** Answers are of no use and are generated again, though no call fails: a wrong format. */
public record RetryStorm(double share, Steps when) implements Fault {

  @Override
  public double repeatShare(Moment at) {
    return when.contains(at) ? share : 0;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected(
        "retry_storm", "stage", Stages.ENGINE, List.of(Stages.GENERATE), Stages.ENGINE);
  }
}
