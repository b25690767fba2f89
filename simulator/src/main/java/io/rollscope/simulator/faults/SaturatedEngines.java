package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import io.rollscope.simulator.cluster.Stages;
import java.util.List;

/**
 * Engines work on fewer requests at once than come to them: their cache is too small.
 *
 * @param rank of the only one, or -1 for all
 * @param factor what is left of their slots
 */
public record SaturatedEngines(int rank, double factor, Steps when) implements Fault {

  @Override
  public double slotFactor(Moment at, int engine) {
    return (rank < 0 || rank == engine) && when.contains(at) ? factor : 1;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return rank < 0
        ? new Expected(
            "saturated_engine",
            "stage",
            Stages.ENGINE,
            List.of(Stages.GENERATE, "run"),
            Stages.ENGINE)
        : new Expected("saturated_engine", "worker", "engine:" + rank, Stages.ENGINE);
  }
}
