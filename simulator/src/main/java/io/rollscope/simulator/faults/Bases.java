package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Dataset;
import io.rollscope.simulator.cluster.Draws;
import io.rollscope.simulator.cluster.Machines;
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
    return plain
        .withWork(plain.work().withDatasets(Dataset.questions(name(draws, QUESTIONS))))
        .withMachines(machines(plain, draws));
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
    return plain
        .withWork(plain.work().withDatasets(tools(seed).work().datasets().toArray(Dataset[]::new)))
        .withMachines(machines(plain, draws));
  }

  private static Machines machines(ClusterSettings plain, Draws draws) {
    return plain.machines().withEngines(3 + draws.below(2, "engines"));
  }

  private static String name(Draws draws, List<String> names) {
    return names.get(draws.below(names.size(), "name", names.get(0).hashCode()));
  }
}
