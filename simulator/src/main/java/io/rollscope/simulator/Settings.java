package io.rollscope.simulator;

/**
 * Everything that decides how a simulated run goes; the same settings always give the same run.
 *
 * @param seed of all that is random
 * @param workload how much is to be done
 * @param fleet what does it
 * @param durations how long it takes
 * @param mishaps what goes wrong
 */
public record Settings(
    long seed, Workload workload, Fleet fleet, Durations durations, Mishaps mishaps) {

  /** A run that looks alive in a terminal: about a hundred sessions in flight, a step a minute. */
  public static Settings demo() {
    return new Settings(
        1,
        new Workload(Integer.MAX_VALUE, 32, 8, 112, 1),
        new Fleet(6, 10, 3, 5, 2.0, 2),
        new Durations(4.0, 0.75, 0.02, 9.0, 1.5, 20.0),
        new Mishaps(600, 0.03, 0.02, 0.05, 0.15));
  }

  /** A run on many workers, for large folders. */
  public static Settings large() {
    Settings demo = demo();
    return demo.withWorkload(
            demo.workload().withTasksPerBatch(128).withMaxInFlight(1024).withMaxStaleness(2))
        .withFleet(demo.fleet().withWorkers(32).withWorkersPerProcess(8))
        .withMishaps(demo.mishaps().withHangEvery(4000));
  }

  public Settings withSeed(long value) {
    return new Settings(value, workload, fleet, durations, mishaps);
  }

  public Settings withWorkload(Workload value) {
    return new Settings(seed, value, fleet, durations, mishaps);
  }

  public Settings withFleet(Fleet value) {
    return new Settings(seed, workload, value, durations, mishaps);
  }

  public Settings withDurations(Durations value) {
    return new Settings(seed, workload, fleet, value, mishaps);
  }

  public Settings withMishaps(Mishaps value) {
    return new Settings(seed, workload, fleet, durations, value);
  }

  public Settings {
    if (workload.maxInFlight() < workload.samplesPerTask()) {
      throw new IllegalArgumentException(
          "maxInFlight: "
              + workload.maxInFlight()
              + " (expected: >= samplesPerTask, "
              + workload.samplesPerTask()
              + ")");
    }
  }
}
