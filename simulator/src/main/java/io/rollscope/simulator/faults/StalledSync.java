package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import io.rollscope.simulator.cluster.Stages;
import java.util.List;

/**
 * The weights of one step do not arrive, and everything waits.
 *
 * @param factor how many times longer than usual it takes
 * @param observedS when the trace ends after it began
 */
public record StalledSync(int step, double factor, double observedS) implements Fault {

  @Override
  public double syncFactor(Moment at, int engine) {
    return at.step() == step ? factor : 1;
  }

  @Override
  public boolean isAboutTime() {
    return false;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("global_stall", "stage", Stages.SYNC, List.of("run"), Stages.SYNC);
  }

  @Override
  public List<Acceptable> acceptable(ClusterSettings settings) {
    return List.of(Acceptable.kind("slow_sync"));
  }
}
