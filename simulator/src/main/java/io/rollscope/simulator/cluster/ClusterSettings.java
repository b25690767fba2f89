package io.rollscope.simulator.cluster;

import java.util.List;

/**
 * Everything that decides how a run without faults goes.
 *
 * @param seed of all that is random, names of hosts and of the run included
 */
public record ClusterSettings(
    long seed, Work work, Machines machines, Speeds speeds, Habits habits) {

  /** Whole batches that are generated, trained on, and followed by new weights. */
  public static ClusterSettings synchronous(long seed) {
    return new ClusterSettings(
        seed,
        new Work(6, 9, 4, 0, List.of(Dataset.questions("math"))),
        new Machines(3, 16, 3, 2, 8, 0.02),
        new Speeds(0.03, 0.0003, 1.2, 0.5, 16, 2.5, 1.6),
        new Habits(0, 0, 0.08, 0.01, false, seed % 2 == 0));
  }

  /** Sessions are generated while a step trains, up to three steps ahead. */
  public static ClusterSettings asynchronous(long seed) {
    return new ClusterSettings(
        seed,
        new Work(
            7,
            8,
            4,
            3,
            List.of(Dataset.toolTasks("code", "sandbox"), Dataset.toolTasks("search", "search"))),
        new Machines(3, 16, 3, 2, 8, 0.02),
        new Speeds(0.03, 0.0003, 1.2, 0.6, 22, 2.5, 1.6),
        new Habits(0, 0, 0.1, 0.01, false, seed % 2 == 0));
  }

  public ClusterSettings withWork(Work value) {
    return new ClusterSettings(seed, value, machines, speeds, habits);
  }

  public ClusterSettings withMachines(Machines value) {
    return new ClusterSettings(seed, work, value, speeds, habits);
  }

  public ClusterSettings withSpeeds(Speeds value) {
    return new ClusterSettings(seed, work, machines, value, habits);
  }

  public ClusterSettings withHabits(Habits value) {
    return new ClusterSettings(seed, work, machines, speeds, value);
  }

  /** The dataset of a task of training. */
  public Dataset dataset(long task) {
    List<Dataset> all = work.datasets();
    return all.get(new Draws(seed).below(all.size(), "dataset", task));
  }

  /** How many generations a session of training has, if nothing disturbs it. */
  public int turns(long task, int sample) {
    return turns(dataset(task), task, sample);
  }

  int turns(Dataset dataset, long task, int sample) {
    return 1 + new Draws(seed).below(dataset.turns(), "turns", task, sample);
  }

  /** Id of a task of training. */
  public String taskId(long task) {
    return String.format("%s-%05d", dataset(task).name(), task);
  }
}
