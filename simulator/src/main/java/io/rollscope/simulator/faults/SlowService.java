package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import java.util.List;

/** Calls of a service take longer for everybody. */
public record SlowService(String stage, double factor, Steps when) implements Fault {

  @Override
  public double serviceFactor(Moment at, String ofStage) {
    return ofStage.equals(stage) && when.contains(at) ? factor : 1;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("slow_service", "stage", stage, tools(settings), stage);
  }

  private static List<String> tools(ClusterSettings settings) {
    return settings.work().datasets().stream()
        .map(dataset -> dataset.tool())
        .filter(tool -> tool != null)
        .toList();
  }
}
