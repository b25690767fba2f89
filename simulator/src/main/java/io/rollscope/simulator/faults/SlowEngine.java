package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import io.rollscope.simulator.cluster.Stages;
import java.util.List;

/** One engine takes longer for each token: a clocked-down card, a neighbour on its host. */
public record SlowEngine(int rank, double factor, Steps when) implements Fault {

  @Override
  public double tokenFactor(Moment at, int engine) {
    return engine == rank && when.contains(at) ? factor : 1;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("slow_worker", "worker", "engine:" + rank, Stages.ENGINE);
  }

  @Override
  public List<Acceptable> acceptable(ClusterSettings settings) {
    // A slow engine may also gather a queue.
    return List.of(Acceptable.of("saturated_engine", "engine:" + rank));
  }
}
