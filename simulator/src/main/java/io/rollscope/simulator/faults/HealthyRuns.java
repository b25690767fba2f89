package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Dataset;
import io.rollscope.simulator.cluster.Draws;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** Runs that nothing is wrong with, though some look as if. */
final class HealthyRuns {
  private static final List<Look> LOOKS =
      List.of(
          new Look("plain", 3, Bases::questions),
          new Look("plain-tools", 3, Bases::tools),
          new Look("plain-async", 4, Bases::asynchronous),
          new Look("heavy-tails", 3, seed -> withSpread(Bases.questions(seed), 0.9)),
          new Look("heavy-tails-async", 3, seed -> withSpread(Bases.asynchronous(seed), 0.9)),
          new Look("mixed-datasets", 4, HealthyRuns::mixed),
          new Look("long-warm-up", 3, seed -> warm(Bases.questions(seed))),
          new Look("long-warm-up-async", 2, seed -> warm(Bases.asynchronous(seed))),
          new Look("evaluation", 3, HealthyRuns::evaluated),
          new Look("checkpoints", 2, seed -> checkpoints(Bases.questions(seed))),
          new Look("checkpoints-async", 2, seed -> checkpoints(Bases.asynchronous(seed))),
          new Look("long-prompts-on-one-engine", 4, HealthyRuns::longPromptsOnOneEngine),
          new Look("uneven-hosts", 3, HealthyRuns::uneven),
          new Look("some-judge-errors", 2, HealthyRuns::someErrors),
          new Look("many-rejects", 2, HealthyRuns::manyRejects),
          new Look("few-steps", 2, seed -> few(Bases.asynchronous(seed))),
          new Look("one-engine", 2, HealthyRuns::oneEngine));

  /** A kind of run, how often it is among the fixed ones, and how it is made from a seed. */
  private record Look(String name, int count, LongFunction<ClusterSettings> settings) {
    FaultyRun run(String unique, long seed) {
      return new FaultyRun(unique, settings.apply(seed), List.of(), List.of());
    }
  }

  private HealthyRuns() {}

  static List<FaultyRun> all() {
    List<FaultyRun> runs = new ArrayList<>();
    SeededNames names = new SeededNames();
    for (Look look : LOOKS) {
      for (int i = 0; i < look.count; i++) {
        String name = names.unique("healthy-" + look.name);
        runs.add(look.run(name, SeededNames.seed(name)));
      }
    }
    return runs;
  }

  /** One of them, by chance. */
  static FaultyRun fresh(long seed) {
    Look look = LOOKS.get(new Draws(seed).below(LOOKS.size(), "look"));
    return look.run("healthy-" + look.name + "-" + seed, seed);
  }

  private static ClusterSettings withSpread(ClusterSettings plain, double spread) {
    return plain.withWork(
        plain
            .work()
            .withDatasets(
                plain.work().datasets().stream()
                    .map(dataset -> dataset.withSpread(spread))
                    .toArray(Dataset[]::new)));
  }

  private static ClusterSettings mixed(long seed) {
    ClusterSettings plain = Bases.tools(seed);
    return plain.withWork(
        plain
            .work()
            .withDatasets(
                Dataset.questions("short").withOutputTokens(150),
                Dataset.questions("proofs").withOutputTokens(900),
                plain.work().datasets().get(0)));
  }

  private static ClusterSettings warm(ClusterSettings plain) {
    return plain.withSpeeds(plain.speeds().withWarmUp(3));
  }

  private static ClusterSettings evaluated(long seed) {
    ClusterSettings plain = Bases.questions(seed);
    return plain
        .withWork(plain.work().withSteps(8))
        .withHabits(plain.habits().withEvaluateEvery(seed % 2 == 0 ? 2 : 3));
  }

  private static ClusterSettings checkpoints(ClusterSettings plain) {
    return plain.withHabits(plain.habits().withCheckpointEvery(2));
  }

  private static ClusterSettings longPromptsOnOneEngine(long seed) {
    ClusterSettings plain = Bases.questions(seed);
    return plain
        .withWork(
            plain
                .work()
                .withDatasets(
                    Dataset.questions("documents").withPromptTokens(12_000).withOutputTokens(700),
                    Dataset.questions("math"),
                    Dataset.questions("logic")))
        .withHabits(plain.habits().withEngineOfDataset(true));
  }

  private static ClusterSettings uneven(long seed) {
    ClusterSettings plain = Bases.questions(seed);
    return plain.withMachines(plain.machines().withSpread(0.05));
  }

  private static ClusterSettings someErrors(long seed) {
    ClusterSettings plain = Bases.tools(seed);
    return plain.withHabits(plain.habits().withJudgeErrors(0.05));
  }

  private static ClusterSettings manyRejects(long seed) {
    ClusterSettings plain = Bases.asynchronous(seed);
    return plain.withHabits(plain.habits().withRejected(0.35));
  }

  private static ClusterSettings few(ClusterSettings plain) {
    return plain.withWork(plain.work().withSteps(3));
  }

  private static ClusterSettings oneEngine(long seed) {
    ClusterSettings plain = Bases.questions(seed);
    return plain.withMachines(plain.machines().withEngines(1).withSlots(96));
  }
}
