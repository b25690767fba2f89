package io.rollscope.simulator.cluster;

import io.rollscope.simulator.Expect;
import java.util.List;

/**
 * What a run has to do.
 *
 * @param steps training steps after which it ends
 * @param tasksPerStep accepted groups that a step trains on; of a synchronous run all groups
 * @param samplesPerTask sessions of a group
 * @param maxLag how many steps generation may run ahead of training; 0 is a synchronous run
 * @param datasets drawn from with equal chances
 */
public record Work(
    int steps, int tasksPerStep, int samplesPerTask, int maxLag, List<Dataset> datasets) {

  public Work {
    Expect.atLeast("steps", steps, 1);
    Expect.atLeast("tasksPerStep", tasksPerStep, 1);
    Expect.atLeast("samplesPerTask", samplesPerTask, 1);
    Expect.atLeast("maxLag", maxLag, 0);
    Expect.atLeast("datasets", datasets.size(), 1);
    datasets = List.copyOf(datasets);
  }

  public boolean isSynchronous() {
    return maxLag == 0;
  }

  public Work withDatasets(Dataset... values) {
    return new Work(steps, tasksPerStep, samplesPerTask, maxLag, List.of(values));
  }

  public Work withSteps(int value) {
    return new Work(value, tasksPerStep, samplesPerTask, maxLag, datasets);
  }
}
