package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.Cluster;
import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Stages;
import java.util.List;

/**
 * All calls of one engine stop at one instant, and its process beats on: a collective that waits
 * for a lost peer.
 *
 * @param afterS how long after the beginning of the step
 * @param seconds how long it lasts
 * @param observedS when the trace ends after it began
 */
public record HungEngine(int rank, int step, double afterS, double seconds, double observedS)
    implements Fault {

  @Override
  public void stepBegins(Cluster cluster, int begun) {
    if (begun == step) {
      cluster.after(
          afterS,
          () -> {
            cluster.note(this);
            cluster.hangEngine(rank, seconds);
            cluster.after(seconds, () -> cluster.note(this));
          });
    }
  }

  @Override
  public boolean isAboutTime() {
    return false;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("hung_worker", "worker", "engine:" + rank, Stages.ENGINE);
  }

  /** While training goes on, the next weights do not get to it either, and all others wait. */
  @Override
  public List<Acceptable> acceptable(ClusterSettings settings) {
    return settings.work().isSynchronous()
        ? List.of()
        : List.of(Acceptable.of("global_stall", Stages.SYNC));
  }
}
