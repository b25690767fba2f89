package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Moment;
import java.util.List;

/**
 * Calls of a service fail; what can be done again is.
 *
 * @param timeOutS how long a failing call takes, or 0 for no longer than others
 */
public record FailingService(String stage, double share, double timeOutS, Steps when)
    implements Fault {

  @Override
  public double errorShare(Moment at, String ofStage) {
    return ofStage.equals(stage) && when.contains(at) ? share : 0;
  }

  @Override
  public double errorS(Moment at, String ofStage) {
    return ofStage.equals(stage) && when.contains(at) ? timeOutS : 0;
  }

  /** Errors matter even if the step takes no longer. */
  @Override
  public boolean isAboutTime() {
    return false;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("failing_service", "stage", stage, stage);
  }

  @Override
  public List<Acceptable> acceptable(ClusterSettings settings) {
    return List.of(Acceptable.kind("retry_storm"), Acceptable.kind("rejects_rising"));
  }
}
