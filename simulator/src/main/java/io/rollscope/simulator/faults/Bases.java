package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Dataset;
import io.rollscope.simulator.cluster.Draws;
import io.rollscope.simulator.cluster.Machines;
import io.rollscope.simulator.cluster.Work;
import java.util.List;

/** Runs that nothing is wrong with, of different sizes and names. */
final class Bases {
  private static final List<String> QUESTIONS =
      List.of("math", "gsm8k", "dapo", "numina", "physics");
  private static final List<String> TASKS = List.of("code", "swe", "alfworld", "webshop", "sql");
  private static final List<String> LOOKUPS = List.of("search", "qa", "hotpot", "browse", "wiki");
  private static final List<String> TOOLS = List.of("sandbox", "python", "shell", "container");

  private Bases() {}

  /** Questions answered at once, a batch at a time. */
  static ClusterSettings questions(long seed) {
    ClusterSettings plain = ClusterSettings.synchronous(seed);
    Draws draws = new Draws(seed);
    List<Dataset> questions = List.of(Dataset.questions(name(draws, QUESTIONS)));
    int steps = 6 + draws.below(2, "steps");
    int tasks = 8 + draws.below(4, "tasks");
    int samples = draws.hits(0.7, "samples") ? 4 : 6;
    return plain
        .withWork(new Work(steps, tasks, samples, 0, questions))
        .withMachines(engines(plain.machines(), draws).withSlots(24));
  }

  /** Tasks of several turns with tools, a batch at a time. */
  static ClusterSettings tools(long seed) {
    ClusterSettings plain = questions(seed);
    Draws draws = new Draws(seed);
    return plain.withWork(
        plain
            .work()
            .withDatasets(
                Dataset.toolTasks(name(draws, TASKS), name(draws, TOOLS)),
                Dataset.toolTasks(name(draws, LOOKUPS), "search")));
  }

  /** The same, while training goes on. */
  static ClusterSettings asynchronous(long seed) {
    ClusterSettings plain = ClusterSettings.asynchronous(seed);
    Draws draws = new Draws(seed);
    List<Dataset> datasets = tools(seed).work().datasets();
    int steps = 7 + draws.below(2, "steps");
    int tasks = 7 + draws.below(3, "tasks");
    return plain
        .withWork(new Work(steps, tasks, 4, 2 + draws.below(2, "lag"), datasets))
        .withMachines(engines(plain.machines(), draws));
  }

  private static Machines engines(Machines plain, Draws draws) {
    return plain.withEngines(3 + draws.below(2, "engines"));
  }

  private static String name(Draws draws, List<String> names) {
    return names.get(draws.below(names.size(), "name", names.get(0).hashCode()));
  }
}
