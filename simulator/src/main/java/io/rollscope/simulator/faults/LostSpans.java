package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;

/** A process drops a share of its spans, and its beats say so. */
public record LostSpans(String role, int rank, double share, Steps when) implements Fault {

  @Override
  public double dropShare(Moment at, String ofRole, int ofRank) {
    return role.equals(ofRole) && rank == ofRank && when.contains(at) ? share : 0;
  }

  @Override
  public boolean hasCost() {
    return false;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("data_loss", "process", role + ":" + rank, "");
  }
}
