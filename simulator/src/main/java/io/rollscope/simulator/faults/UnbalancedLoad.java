package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Draws;
import io.rollscope.simulator.cluster.Moment;
import io.rollscope.simulator.cluster.Stages;
import java.util.List;

/**
 * The router sends most sessions to one engine.
 *
 * @param share of the sessions of others that it gets besides its own
 */
public record UnbalancedLoad(int rank, double share, Steps when, long seed) implements Fault {

  @Override
  public int engine(Moment at, long task, int sample, int usual) {
    boolean isMoved = when.contains(at) && new Draws(seed).hits(share, "unbalanced", task, sample);
    return isMoved ? rank : usual;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected(
        "unbalanced_load",
        "stage",
        Stages.ENGINE,
        List.of(Stages.GENERATE, "engine:" + rank),
        Stages.ENGINE);
  }

  @Override
  public List<Acceptable> acceptable(ClusterSettings settings) {
    return List.of(Acceptable.of("saturated_engine", "engine:" + rank));
  }
}
