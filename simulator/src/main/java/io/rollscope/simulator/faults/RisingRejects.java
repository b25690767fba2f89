package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import java.util.List;

/** A growing share of groups is rejected because all their samples have one reward. */
public record RisingRejects(double share, Steps when) implements Fault {

  @Override
  public double rejectShare(Moment at) {
    return when.contains(at) ? share : 0;
  }

  @Override
  public boolean hasCost() {
    return false;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("rejects_rising", "run", "run", "");
  }

  @Override
  public List<Acceptable> acceptable(ClusterSettings settings) {
    return List.of(Acceptable.kind("rejects_rising"));
  }
}
