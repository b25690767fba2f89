package io.rollscope.simulator.faults;

import static io.rollscope.simulator.faults.HungCall.FOR_EVER_S;

import io.rollscope.simulator.cluster.Cluster;
import io.rollscope.simulator.cluster.ClusterSettings;
import io.rollscope.simulator.cluster.Machines;
import io.rollscope.simulator.cluster.Stages;
import io.rollscope.simulator.cluster.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;

/** The runs that diagnosis is measured with: all kinds of faults, and healthy ones. */
public final class FaultyRuns {
  private static final double TO_THE_END = Double.POSITIVE_INFINITY;

  /** A session of {@link Bases#tools} has so many, those of its task included. */
  private static final double SPANS_PER_SESSION = 10;

  private final List<FaultyRun> runs = new ArrayList<>();
  private final SeededNames names = new SeededNames();

  private FaultyRuns() {}

  /** All of them; their names are unique. */
  public static List<FaultyRun> all() {
    FaultyRuns made = new FaultyRuns();
    made.standstills();
    made.slow();
    made.failing();
    made.inputs();
    made.balance();
    made.data();
    made.two();
    made.runs.addAll(HealthyRuns.all());
    return List.copyOf(made.runs);
  }

  /** Others, drawn by chance. */
  public static List<FaultyRun> fresh(int count, long seed) {
    return FreshRuns.draw(count, seed);
  }

  /** One run of about so many spans, with an engine that is slow from its second half on. */
  public static FaultyRun large(long spans) {
    int steps = 20;
    double sessions = spans / SPANS_PER_SESSION;
    int tasks = (int) Math.max(1, sessions / steps / 8);
    ClusterSettings plain = Bases.tools(1);
    ClusterSettings settings =
        plain
            .withWork(new Work(steps, tasks, 8, 0, plain.work().datasets()))
            .withMachines(new Machines(32, 160, 16, 8, 160, 0.02));
    Fault fault = new SlowEngine(7, 2, Steps.from(steps / 2));
    return new FaultyRun("large", settings, List.of(fault), List.of());
  }

  private void standstills() {
    for (double observedS : new double[] {240, 480}) {
      add("hung-tool", Bases::asynchronous, s -> HungCall.open(s, Stages.TOOL, 3, observedS));
      add("hung-tool", Bases::tools, s -> HungCall.open(s, Stages.TOOL, 3, observedS));
      add("hung-judge", Bases::questions, s -> HungCall.open(s, Stages.JUDGE, 2, observedS));
      add("hung-generate", Bases::tools, s -> HungCall.open(s, Stages.ENGINE, 3, observedS));
      add("hung-engine", Bases::questions, s -> new HungEngine(1, 3, 5, FOR_EVER_S, observedS));
      add("hung-engine", Bases::asynchronous, s -> new HungEngine(2, 3, 5, FOR_EVER_S, observedS));
      add("dead-agent", Bases::questions, s -> dead("agent", 1, FOR_EVER_S, observedS));
      add("dead-engine", Bases::tools, s -> dead("engine", 2, FOR_EVER_S, observedS));
      add("stalled-sync", Bases::questions, s -> new StalledSync(3, FOR_EVER_S, observedS));
      add("stalled-sync", Bases::asynchronous, s -> new StalledSync(3, FOR_EVER_S, observedS));
    }
    add("hung-tool-ended", Bases::tools, s -> HungCall.closed(s, Stages.TOOL, 2, 200));
    add("hung-generate-ended", Bases::questions, s -> HungCall.closed(s, Stages.ENGINE, 2, 240));
    add("hung-engine-ended", Bases::questions, s -> new HungEngine(0, 2, 8, 180, TO_THE_END));
    add("hung-engine-ended", Bases::tools, s -> new HungEngine(1, 3, 6, 120, TO_THE_END));
    add("dead-agent-restarted", Bases::questions, s -> dead("agent", 0, 60, TO_THE_END));
    add("dead-agent-restarted", Bases::asynchronous, s -> dead("agent", 2, 60, TO_THE_END));
    add("dead-engine-restarted", Bases::questions, s -> dead("engine", 0, 90, TO_THE_END));
    add("stalled-sync-ended", Bases::questions, s -> new StalledSync(2, 50, TO_THE_END));
  }

  private static Fault dead(String role, int rank, double restartS, double observedS) {
    return new DeadProcess(role, rank, 3, 7, restartS, observedS);
  }

  private void slow() {
    for (double factor : new double[] {1.5, 2, 3, 4}) {
      int rank = (int) factor % 3;
      add("slow-engine-" + factor, Bases::questions, s -> slowEngine(rank, factor));
    }
    add("slow-engine-1.6", Bases::tools, s -> slowEngine(1, 1.6));
    add("slow-engine-2.5", Bases::tools, s -> slowEngine(0, 2.5));
    add("slow-engine-3", Bases::asynchronous, s -> slowEngine(2, 3));
    add("slow-engine-for-a-while", Bases::questions, s -> new SlowEngine(1, 2.5, new Steps(2, 3)));
    for (double factor : new double[] {8, 20}) {
      add("slow-judge-" + factor, Bases::questions, s -> slow(Stages.JUDGE, factor));
      add("slow-judge-" + factor, Bases::tools, s -> slow(Stages.JUDGE, factor));
    }
    for (double factor : new double[] {4, 10}) {
      add("slow-tool-" + factor, Bases::tools, s -> slow(Stages.TOOL, factor));
    }
    add("slow-tool-12.0", Bases::asynchronous, s -> slow(Stages.TOOL, 12));
    add("slow-sync-4.0", Bases::questions, s -> new SlowSync(4, 0, Steps.from(2)));
    add("slow-sync-9.0", Bases::tools, s -> new SlowSync(9, 0, Steps.from(3)));
    add("slow-sync-growing", Bases::questions, s -> new SlowSync(3, 2.5, Steps.from(2)));
    add("slow-sync-growing", Bases::asynchronous, s -> new SlowSync(3, 2, Steps.from(2)));
  }

  private static Fault slowEngine(int rank, double factor) {
    return new SlowEngine(rank, factor, Steps.from(2));
  }

  private static Fault slow(String stage, double factor) {
    return new SlowService(stage, factor, Steps.from(3));
  }

  private void failing() {
    for (double share : new double[] {0.15, 0.25, 0.4}) {
      add("failing-judge-" + share, Bases::questions, s -> failing(Stages.JUDGE, share, 20));
      add("failing-judge-" + share, Bases::asynchronous, s -> failing(Stages.JUDGE, share, 0));
    }
    add("failing-tool-0.2", Bases::tools, s -> failing(Stages.TOOL, 0.2, 30));
    add("failing-tool-0.3", Bases::tools, s -> failing(Stages.TOOL, 0.3, 0));
    for (double share : new double[] {0.3, 0.5}) {
      Fault fault = new RetryStorm(share, Steps.from(3));
      add("retry-storm-" + share, Bases::questions, s -> fault);
      add("retry-storm-" + share, Bases::tools, s -> fault);
    }
    add("rejects-0.4", Bases::asynchronous, s -> new RisingRejects(0.4, Steps.from(2)));
    add("rejects-0.5", Bases::asynchronous, s -> new RisingRejects(0.5, Steps.from(3)));
    add("rejects-0.6", Bases::asynchronous, s -> new RisingRejects(0.6, Steps.from(3)));
  }

  private static Fault failing(String stage, double share, double timeOutS) {
    return new FailingService(stage, share, timeOutS, Steps.from(2));
  }

  private void inputs() {
    add("long-tail-10", Bases::questions, s -> new LongTail(9, 10, Steps.from(2)));
    add("long-tail-6", Bases::questions, s -> new LongTail(5, 6, Steps.from(3)));
    add("long-tail-10", Bases::tools, s -> new LongTail(7, 10, Steps.from(3)));
    add("long-tail-8", Bases::questions, s -> new LongTail(3, 8, Steps.from(3)));
    add("long-tail-8", Bases::tools, s -> new LongTail(2, 8, Steps.from(2)));
    add("long-tail-of-one-step", Bases::questions, s -> new LongTail(5, 8, new Steps(3, 3)));
    add("long-tail-of-one-step", Bases::tools, s -> new LongTail(5, 8, new Steps(4, 4)));
    for (double factor : new double[] {80, 160}) {
      add("giant-inputs-" + factor, Bases::tools, s -> giant(s, 0, factor));
    }
    add("giant-inputs-120.0", Bases::asynchronous, s -> giant(s, 1, 120));
    add("giant-inputs-late", Bases::tools, s -> giant(s, 1, 100, 1, 4));
    add("few-giant-inputs", Bases::tools, s -> giant(s, 0, 150, 4, 2));
    add("few-giant-inputs", Bases::tools, s -> giant(s, 1, 100, 3, 3));
  }

  private static Fault giant(ClusterSettings settings, int dataset, double factor) {
    return giant(settings, dataset, factor, 1, 2);
  }

  private static Fault giant(
      ClusterSettings settings, int dataset, double factor, int everyTask, int step) {
    String name = settings.work().datasets().get(dataset).name();
    return new GiantInputs(name, everyTask, factor, Steps.from(step));
  }

  private void balance() {
    add("too-few-engines", s -> engines(Bases.asynchronous(s), 1), s -> new TooFewEngines(4));
    add("too-few-engines", s -> engines(Bases.asynchronous(s), 2), s -> new TooFewEngines(6));
    add("too-few-engines", s -> engines(Bases.asynchronous(s), 1), s -> new TooFewEngines(5));
    add("slow-training", s -> training(Bases.asynchronous(s), 90), s -> new SlowTraining(22));
    add("slow-training", s -> training(Bases.asynchronous(s), 140), s -> new SlowTraining(22));
    add("slow-training", s -> training(Bases.asynchronous(s), 70), s -> new SlowTraining(22));
    for (double left : new double[] {0.15, 0.3}) {
      add("saturated-" + left, Bases::questions, s -> saturated(-1, left));
      add("saturated-" + left, Bases::asynchronous, s -> saturated(-1, left));
      add("saturated-engine-" + left, Bases::tools, s -> saturated(1, left));
    }
    for (double share : new double[] {0.6, 0.85}) {
      add("unbalanced-" + share, Bases::questions, s -> unbalanced(0, share));
      add("unbalanced-" + share, Bases::tools, s -> unbalanced(2, share));
    }
  }

  private static ClusterSettings engines(ClusterSettings plain, int engines) {
    return plain.withMachines(plain.machines().withEngines(engines));
  }

  private static ClusterSettings training(ClusterSettings plain, double seconds) {
    return plain.withSpeeds(plain.speeds().withTrainS(seconds));
  }

  private static Fault saturated(int rank, double left) {
    return new SaturatedEngines(rank, left, Steps.from(2));
  }

  private static Fault unbalanced(int rank, double share) {
    return new UnbalancedLoad(rank, share, Steps.from(2), rank);
  }

  private void data() {
    add("stale-weights", Bases::asynchronous, s -> new StaleWeights(1, Steps.from(0)));
    add("stale-weights", Bases::asynchronous, s -> new StaleWeights(2, Steps.from(1)));
    add("stale-weights", Bases::asynchronous, s -> new StaleWeights(0, Steps.from(0)));
    for (double seconds : new double[] {0.5, 4, -20}) {
      add("skewed-engine-by" + seconds, Bases::tools, s -> skewed(s, "engine", seconds));
    }
    add("skewed-engine", Bases::asynchronous, s -> skewed(s, "engine", 2));
    add("skewed-agent", Bases::tools, s -> skewed(s, "agent", 6));
    for (double share : new double[] {0.1, 0.4}) {
      add("lost-spans-" + share, Bases::tools, s -> lost("agent", 1, share));
      add("lost-spans-" + share, Bases::asynchronous, s -> lost("engine", 0, share));
    }
  }

  private static Fault skewed(ClusterSettings settings, String role, double seconds) {
    return new SkewedClock(Cluster.host(settings, role, 2), seconds);
  }

  private static Fault lost(String role, int rank, double share) {
    return new LostSpans(role, rank, share, Steps.from(2));
  }

  private void two() {
    two(
        "sync-and-engine",
        Bases::questions,
        s -> new SlowSync(8, 0, Steps.from(2)),
        s -> slowEngine(0, 1.6));
    two("engine-and-judge", Bases::questions, s -> slowEngine(1, 3), s -> slow(Stages.JUDGE, 12));
    two(
        "hung-call-and-engine",
        Bases::tools,
        s -> HungCall.open(s, Stages.TOOL, 4, 300),
        s -> slowEngine(0, 2.5));
    two(
        "dead-agent-and-judge",
        Bases::questions,
        s -> dead("agent", 1, 60, TO_THE_END),
        s -> slow(Stages.JUDGE, 30));
    two(
        "tail-and-sync",
        Bases::questions,
        s -> new LongTail(5, 8, Steps.from(3)),
        s -> new SlowSync(5, 0, Steps.from(2)));
    two(
        "tool-and-lost-spans",
        Bases::tools,
        s -> slow(Stages.TOOL, 10),
        s -> lost("agent", 0, 0.2));
  }

  private void two(
      String name,
      LongFunction<ClusterSettings> base,
      Function<ClusterSettings, Fault> one,
      Function<ClusterSettings, Fault> other) {
    add("two-" + name, base, List.of(one, other));
  }

  private void add(
      String name, LongFunction<ClusterSettings> base, Function<ClusterSettings, Fault> fault) {
    add(name, base, List.of(fault));
  }

  private void add(
      String name,
      LongFunction<ClusterSettings> base,
      List<Function<ClusterSettings, Fault>> faults) {
    String unique = names.unique(name);
    ClusterSettings settings = base.apply(SeededNames.seed(unique));
    List<Fault> made = faults.stream().map(fault -> fault.apply(settings)).toList();
    runs.add(new FaultyRun(unique, settings, made, List.of()));
  }
}
