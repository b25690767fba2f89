package io.rollscope.simulator.faults;

import java.util.List;

/**
 * What is true of a run.
 *
 * @param expected most important first; none if it is healthy
 * @param isFinished whether the trace ends with the run; else costs are those so far
 * @param stepS wall time of its steps, the unfinished one included
 */
public record Truth(
    String name,
    long seed,
    List<Cost> expected,
    List<Acceptable> acceptable,
    boolean isFinished,
    double wallS,
    List<Double> stepS,
    long sessions,
    long spans) {

  /**
   * A fault and what it cost.
   *
   * @param steps in which it was there
   * @param wallS wall time minus that of the same run without it
   * @param stepS the same for each step
   * @param isSlight whether it made so little difference that silence is right, too
   * @param hasCost whether the cost can be told from a trace
   */
  public record Cost(
      Expected finding,
      List<Integer> steps,
      double wallS,
      List<Double> stepS,
      boolean isSlight,
      boolean hasCost) {

    /** A step is longer by more than runs of one kind differ. */
    private static final double COSTLY = 0.05;

    /** Steps in which it cost time. */
    List<Integer> costlySteps(List<Double> wallOfSteps) {
      List<Integer> costly = new java.util.ArrayList<>();
      for (int i = 0; i < stepS.size(); i++) {
        if (stepS.get(i) > COSTLY * wallOfSteps.get(i)) {
          costly.add(i);
        }
      }
      return costly;
    }
  }

  public boolean isHealthy() {
    return expected.isEmpty();
  }
}
