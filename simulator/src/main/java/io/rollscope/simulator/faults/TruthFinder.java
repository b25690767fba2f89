package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.Cluster;
import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.RunResult;
import io.rollscope.simulator.faults.Truth.Cost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Simulates a run, and again without each of its faults. */
public final class TruthFinder {
  private static final Set<String> STANDSTILLS =
      Set.of("hung_call", "hung_worker", "dead_process", "global_stall");

  /** Two runs that differ by nothing but chance differ by so much. */
  private static final double SLIGHT = 0.03;

  private TruthFinder() {}

  /**
   * Measures what its faults cost.
   *
   * @param folder where the run is written, or null
   */
  public static Truth find(FaultyRun run, Path folder) throws IOException {
    RunResult with = Cluster.run(run.settings(), run.faults(), folder);
    List<Cost> costs = new ArrayList<>();
    for (Fault fault : run.faults()) {
      costs.add(cost(run, fault, with));
    }
    // A standstill that is over counts by what it cost.
    costs.sort(
        Comparator.comparing(
                (Cost cost) -> with.isFinished() || !STANDSTILLS.contains(cost.finding().kind()))
            .thenComparing(cost -> -cost.wallS()));
    return new Truth(
        run.name(),
        run.settings().seed(),
        costs,
        run.allAcceptable(),
        with.isFinished(),
        round(with.wallS()),
        steps(with).stream().map(TruthFinder::round).toList(),
        with.sessions(),
        with.spans());
  }

  private static Cost cost(FaultyRun run, Fault fault, RunResult with) throws IOException {
    ClusterSettings settings = fault.without(run.settings());
    List<Fault> others = run.faults().stream().filter(other -> other != fault).toList();
    RunResult without = Cluster.run(settings, others, null);
    List<Double> differences = differences(with, without);
    double wallS = round(differences.stream().mapToDouble(Double::doubleValue).sum());
    Expected finding = fault.expected(run.settings());
    List<Integer> steps =
        fault.isAlways()
            ? IntStream.range(0, steps(with).size()).boxed().toList()
            : List.copyOf(with.steps().get(fault));
    boolean isSlight = fault.isAboutTime() && wallS < SLIGHT * with.wallS();
    return new Cost(finding, steps, wallS, differences, isSlight, fault.hasCost());
  }

  /** Of an unfinished step, what it is overdue. */
  private static List<Double> differences(RunResult with, RunResult without) {
    List<Double> differences = new ArrayList<>();
    List<Double> mine = steps(with);
    List<Double> theirs = steps(without);
    for (int i = 0; i < mine.size(); i++) {
      double usual = i < theirs.size() ? theirs.get(i) : 0;
      double difference = mine.get(i) - usual;
      boolean isOpen = i == with.stepS().size();
      differences.add(round(isOpen ? Math.max(0, difference) : difference));
    }
    return differences;
  }

  private static List<Double> steps(RunResult run) {
    List<Double> steps = new ArrayList<>(run.stepS());
    if (!run.isFinished()) {
      steps.add(run.unfinishedS());
    }
    return steps;
  }

  private static double round(double seconds) {
    return Math.round(seconds * 1000) / 1000.0;
  }
}
