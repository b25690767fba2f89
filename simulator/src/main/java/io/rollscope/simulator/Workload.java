package io.rollscope.simulator;

/**
 * How much a simulated run has to do.
 *
 * @param batches training steps after which the run ends
 * @param tasksPerBatch dataset items that one training step consumes
 * @param samplesPerTask sessions of one task, its group
 * @param maxInFlight sessions that may be started and not finished
 * @param maxStaleness how many steps generation may run ahead of training; 0 is a synchronous run
 */
public record Workload(
    int batches, int tasksPerBatch, int samplesPerTask, int maxInFlight, int maxStaleness) {

  public Workload {
    Expect.atLeast("batches", batches, 1);
    Expect.atLeast("tasksPerBatch", tasksPerBatch, 1);
    Expect.atLeast("samplesPerTask", samplesPerTask, 1);
    Expect.atLeast("maxInFlight", maxInFlight, 1);
    Expect.atLeast("maxStaleness", maxStaleness, 0);
  }

  public Workload withBatches(int value) {
    return new Workload(value, tasksPerBatch, samplesPerTask, maxInFlight, maxStaleness);
  }

  public Workload withTasksPerBatch(int value) {
    return new Workload(batches, value, samplesPerTask, maxInFlight, maxStaleness);
  }

  public Workload withSamplesPerTask(int value) {
    return new Workload(batches, tasksPerBatch, value, maxInFlight, maxStaleness);
  }

  public Workload withMaxInFlight(int value) {
    return new Workload(batches, tasksPerBatch, samplesPerTask, value, maxStaleness);
  }

  public Workload withMaxStaleness(int value) {
    return new Workload(batches, tasksPerBatch, samplesPerTask, maxInFlight, value);
  }
}
