package io.rollscope.simulator.cluster;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * How a run went.
 *
 * @param stepS wall time of each finished step
 * @param unfinishedS how long the step has gone on that had not ended with the trace; 0 if all are
 *     finished
 * @param steps steps in which each disturbance was there
 */
public record RunResult(
    List<Double> stepS,
    double unfinishedS,
    Map<Disturbance, SortedSet<Integer>> steps,
    long sessions,
    long spans) {

  /** Whether the run came to its end. */
  public boolean isFinished() {
    return unfinishedS == 0;
  }

  public double wallS() {
    return stepS.stream().mapToDouble(Double::doubleValue).sum() + unfinishedS;
  }
}
