package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import java.util.List;

/** An engine gets no new weights any more; what it generates is too old and dropped. */
public record StaleWeights(int rank, Steps when) implements Fault {

  @Override
  public boolean missesWeights(Moment at, int engine) {
    return engine == rank && when.contains(at);
  }

  @Override
  public boolean hasCost() {
    return false;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("stale_data", "run", "run", "");
  }

  @Override
  public List<Acceptable> acceptable(ClusterSettings settings) {
    return List.of(Acceptable.kind("rejects_rising"));
  }
}
