package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.Cluster;
import io.rollscope.simulator.cluster.ClusterSettings;

/**
 * A process is killed, with what it works on: out of memory, a lost node.
 *
 * @param role {@code engine} or {@code agent}
 * @param afterS how long after the beginning of the step
 * @param restartS when another takes its place, at most never
 * @param observedS when the trace ends after it
 */
public record DeadProcess(
    String role, int rank, int step, double afterS, double restartS, double observedS)
    implements Fault {

  @Override
  public void stepBegins(Cluster cluster, int begun) {
    if (begun == step) {
      cluster.after(
          afterS,
          () -> {
            cluster.note(this);
            cluster.kill(role, rank, restartS);
          });
    }
  }

  @Override
  public boolean isAboutTime() {
    return false;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("dead_process", "process", role + ":" + rank, "");
  }
}
