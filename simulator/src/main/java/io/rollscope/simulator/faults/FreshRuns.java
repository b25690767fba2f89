package io.rollscope.simulator.faults;

import static io.rollscope.simulator.faults.HungCall.FOR_EVER_S;

import io.rollscope.simulator.cluster.Cluster;
import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Draws;
import io.rollscope.simulator.cluster.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Runs drawn by chance: kind, size, subject and time of their fault, or none. */
final class FreshRuns {
  private static final double HEALTHY = 0.3;

  /** Kinds of which a fault is drawn; each makes one for the settings of a run. */
  private final List<Function<ClusterSettings, Fault>> anywhere =
      List.of(
          this::hungEngine,
          this::deadProcess,
          this::stalledSync,
          this::slowEngine,
          this::slowSync,
          this::failingJudge,
          this::saturated,
          this::skewed,
          this::lost);

  private final List<Function<ClusterSettings, Fault>> withTools =
      List.of(this::hungTool, this::slowTool, this::failingTool, this::giantInputs);

  private final List<Function<ClusterSettings, Fault>> synchronous =
      List.of(this::longTail, this::slowJudge, this::retryStorm, this::unbalanced);

  private final List<Function<ClusterSettings, Fault>> asynchronous =
      List.of(this::staleWeights, this::rejects);

  private final long seed;
  private final Draws draws;

  private FreshRuns(long seed) {
    this.seed = seed;
    draws = new Draws(seed);
  }

  static List<FaultyRun> draw(int count, long seed) {
    List<FaultyRun> runs = new ArrayList<>();
    Draws healthy = new Draws(seed);
    for (int i = 0; i < count; i++) {
      long own = seed * 10_007 + i;
      runs.add(
          healthy.hits(HEALTHY, "healthy", i) ? HealthyRuns.fresh(own) : new FreshRuns(own).run());
    }
    return runs;
  }

  private FaultyRun run() {
    int form = draws.below(3, "form");
    ClusterSettings settings =
        switch (form) {
          case 0 -> Bases.questions(seed);
          case 1 -> Bases.tools(seed);
          default -> Bases.asynchronous(seed);
        };
    List<Function<ClusterSettings, Fault>> kinds = new ArrayList<>(anywhere);
    kinds.addAll(form == 0 ? List.of() : withTools);
    kinds.addAll(form == 2 ? asynchronous : synchronous);
    Fault fault = kinds.get(draws.below(kinds.size(), "kind")).apply(settings);
    String name = fault.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    return new FaultyRun(name + "-" + seed, settings, List.of(fault), List.of());
  }

  private int engine(ClusterSettings settings) {
    return draws.below(settings.machines().engines(), "engine");
  }

  private int step() {
    return 2 + draws.below(2, "step");
  }

  private Steps steps() {
    return Steps.from(step());
  }

  private double between(double from, double to) {
    return draws.between(from, to, "magnitude");
  }

  private double observedS() {
    return draws.between(200, 600, "observed");
  }

  private Fault hungTool(ClusterSettings settings) {
    return HungCall.open(settings, Stages.TOOL, step(), observedS());
  }

  private Fault hungEngine(ClusterSettings settings) {
    return new HungEngine(engine(settings), step(), between(3, 12), FOR_EVER_S, observedS());
  }

  private Fault deadProcess(ClusterSettings settings) {
    String role = draws.hits(0.5, "role") ? "engine" : "agent";
    int rank = role.equals("engine") ? engine(settings) : draws.below(3, "agent");
    return new DeadProcess(role, rank, step(), between(3, 12), FOR_EVER_S, observedS());
  }

  private Fault stalledSync(ClusterSettings settings) {
    return new StalledSync(step(), FOR_EVER_S, observedS());
  }

  private Fault slowEngine(ClusterSettings settings) {
    return new SlowEngine(engine(settings), between(1.5, 4), steps());
  }

  private Fault slowSync(ClusterSettings settings) {
    return new SlowSync(between(4, 12), 0, steps());
  }

  private Fault failingJudge(ClusterSettings settings) {
    return new FailingService(Stages.JUDGE, between(0.12, 0.4), between(0, 20), steps());
  }

  private Fault saturated(ClusterSettings settings) {
    int rank = draws.hits(0.5, "one") ? engine(settings) : -1;
    return new SaturatedEngines(rank, between(0.15, 0.35), steps());
  }

  private Fault skewed(ClusterSettings settings) {
    String host = Cluster.host(settings, "engine", engine(settings));
    double sign = draws.hits(0.5, "sign") ? 1 : -1;
    return new SkewedClock(host, sign * between(0.3, 30));
  }

  private Fault lost(ClusterSettings settings) {
    return new LostSpans("engine", engine(settings), between(0.1, 0.5), steps());
  }

  private Fault slowTool(ClusterSettings settings) {
    return new SlowService(Stages.TOOL, between(4, 12), steps());
  }

  private Fault failingTool(ClusterSettings settings) {
    return new FailingService(Stages.TOOL, between(0.12, 0.4), between(0, 30), steps());
  }

  private Fault giantInputs(ClusterSettings settings) {
    String name = settings.work().datasets().get(draws.below(2, "dataset")).name();
    return new GiantInputs(name, 1 + draws.below(4, "every"), between(80, 160), steps());
  }

  private Fault slowJudge(ClusterSettings settings) {
    return new SlowService(Stages.JUDGE, between(10, 30), steps());
  }

  private Fault retryStorm(ClusterSettings settings) {
    return new RetryStorm(between(0.25, 0.5), steps());
  }

  private Fault longTail(ClusterSettings settings) {
    return new LongTail(2 + draws.below(7, "every"), between(6, 12), steps());
  }

  private Fault unbalanced(ClusterSettings settings) {
    return new UnbalancedLoad(engine(settings), between(0.6, 0.9), steps(), seed);
  }

  private Fault staleWeights(ClusterSettings settings) {
    return new StaleWeights(engine(settings), Steps.from(draws.below(2, "stale")));
  }

  private Fault rejects(ClusterSettings settings) {
    return new RisingRejects(between(0.35, 0.6), steps());
  }
}
