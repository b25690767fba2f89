package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * A run to diagnose.
 *
 * @param name what it shows
 * @param faults none if it is healthy
 * @param acceptable what besides the faults and their consequences is no false alarm
 */
public record FaultyRun(
    String name, ClusterSettings settings, List<Fault> faults, List<Acceptable> acceptable) {

  /** How a balanced run is: one of the two sides waits a little. */
  private static final double BALANCED = 0.3;

  public FaultyRun {
    faults = List.copyOf(faults);
    acceptable = List.copyOf(acceptable);
  }

  public boolean isHealthy() {
    return faults.isEmpty();
  }

  /** All that is no false alarm. */
  List<Acceptable> allAcceptable() {
    List<Acceptable> all = new ArrayList<>(acceptable);
    for (Fault fault : faults) {
      all.addAll(fault.acceptable(settings));
    }
    if (!settings.work().isSynchronous()) {
      all.add(Acceptable.ofAllSteps("starved_trainer", BALANCED));
      all.add(Acceptable.ofAllSteps("starved_rollout", BALANCED));
    }
    return all;
  }
}
