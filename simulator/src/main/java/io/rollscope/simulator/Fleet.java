package io.rollscope.simulator;

/**
 * What a simulated run runs on.
 *
 * @param workers rollout workers
 * @param slotsPerWorker requests that a worker takes at once; others queue
 * @param workersPerProcess workers that write to one trace file
 * @param slowWorker rank of the worker that is slower than the others, or -1
 * @param slowFactor how many times longer it takes
 * @param trainerRanks training processes
 */
public record Fleet(
    int workers,
    int slotsPerWorker,
    int workersPerProcess,
    int slowWorker,
    double slowFactor,
    int trainerRanks) {

  public Fleet {
    Expect.atLeast("workers", workers, 1);
    Expect.atLeast("slotsPerWorker", slotsPerWorker, 1);
    Expect.atLeast("workersPerProcess", workersPerProcess, 1);
    Expect.atLeast("slowWorker", slowWorker, -1);
    Expect.positive("slowFactor", slowFactor);
    Expect.atLeast("trainerRanks", trainerRanks, 1);
  }

  public Fleet withWorkers(int value) {
    return new Fleet(
        value, slotsPerWorker, workersPerProcess, slowWorker, slowFactor, trainerRanks);
  }

  public Fleet withSlotsPerWorker(int value) {
    return new Fleet(workers, value, workersPerProcess, slowWorker, slowFactor, trainerRanks);
  }

  public Fleet withWorkersPerProcess(int value) {
    return new Fleet(workers, slotsPerWorker, value, slowWorker, slowFactor, trainerRanks);
  }

  public Fleet withSlowWorker(int value) {
    return new Fleet(workers, slotsPerWorker, workersPerProcess, value, slowFactor, trainerRanks);
  }

  public Fleet withSlowFactor(double value) {
    return new Fleet(workers, slotsPerWorker, workersPerProcess, slowWorker, value, trainerRanks);
  }

  public Fleet withTrainerRanks(int value) {
    return new Fleet(workers, slotsPerWorker, workersPerProcess, slowWorker, slowFactor, value);
  }
}
