package io.rollscope.core.diagnosis;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.Paces.Stage;
import io.rollscope.core.diagnosis.Peers.Part;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.BinomialTest;

/** Whether one worker of a stage gets far more of the work than the others, step after step. */
final class UnbalancedLoadDetector implements Detector {
  private static final BinomialTest MORE =
      BinomialTest.withDefaults().with(AlternativeHypothesis.GREATER_THAN);

  /** Times the even share: routers that keep a session at one engine differ by less than half. */
  private static final double LEAST_TIMES = 1.5;

  /** With two workers one of them always has more: three are the least that can be few and many. */
  private static final int LEAST_WORKERS = 3;

  /** By chance once in a thousand runs, for all workers and stages together. */
  private static final double CHANCE = 0.001;

  /** Most steps in between, too. */
  private static final double MOST = 0.8;

  /** Its own calls must suffer from it; otherwise the worker is only larger than the others. */
  private static final double LEAST_RATIO = 1.1;

  /** What each worker got in one step. */
  private static final class Load {
    final Map<Integer, Double> work = new HashMap<>();
    final Set<Object> items = new HashSet<>();
    double all;

    double share(int worker) {
      return work.getOrDefault(worker, 0.0) / all;
    }
  }

  @Override
  public void detect(RunWork work, Causes causes) {
    boolean judged = false;
    for (Stage stage : work.paces().stages()) {
      NavigableMap<Integer, Load> loads = loads(work, stage);
      Set<Integer> workers = new HashSet<>();
      loads.values().forEach(load -> workers.addAll(load.work.keySet()));
      if (workers.size() >= LEAST_WORKERS) {
        judged = true;
        workers.forEach(w -> judge(work, causes, stage, loads, w, workers.size()));
      }
    }
    if (!judged) {
      causes.cannotJudge(
          FindingKind.UNBALANCED_LOAD, "no stage has calls of three workers or more");
    }
  }

  private static NavigableMap<Integer, Load> loads(RunWork work, Stage stage) {
    NavigableMap<Integer, Load> loads = new TreeMap<>();
    for (int i = 0; i < stage.size(); i++) {
      int call = stage.calls[i];
      if (stage.worker[i] >= 0 && stage.step[i] != RunSteps.NONE) {
        Load load = loads.computeIfAbsent(stage.step[i], s -> new Load());
        double amount = stage.perToken ? work.outputTokens(call) : 1;
        load.work.merge(stage.worker[i], amount, Double::sum);
        load.all += amount;
        Group group = work.session(call).group();
        load.items.add(group == null ? work.session(call).id() : group);
      }
    }
    loads.keySet().removeIf(work.steps()::isWarmUp);
    return loads;
  }

  private static void judge(
      RunWork work,
      Causes causes,
      Stage stage,
      NavigableMap<Integer, Load> loads,
      int worker,
      int workers) {
    NavigableSet<Integer> heavy = new TreeSet<>();
    int items = 0;
    double got = 0;
    double share = 0;
    for (Map.Entry<Integer, Load> step : loads.entrySet()) {
      Load load = step.getValue();
      if (load.share(worker) * workers >= LEAST_TIMES) {
        heavy.add(step.getKey());
        // A router may keep a whole group together: then it decides once for each.
        items += load.items.size();
        got += load.items.size() * load.share(worker);
        share += load.share(worker);
      }
    }
    if (heavy.isEmpty()
        || heavy.size() < MOST * loads.subMap(heavy.first(), true, heavy.last(), true).size()) {
      return;
    }
    double chance = MORE.test(items, (int) got, 1.0 / workers).getPValue();
    int tested = work.paces().stages().size() * workers * loads.size();
    if (chance * tested < CHANCE) {
      report(work, causes, peers(work, stage, causes), worker, workers, heavy, share, loads);
    }
  }

  /** A busy worker is slow because its calls share it or wait in its queue. */
  private static Peers peers(RunWork work, Stage stage, Causes causes) {
    return new Peers(work, stage, causes, stage.paceWithQueue);
  }

  private static void report(
      RunWork work,
      Causes causes,
      Peers peers,
      int worker,
      int workers,
      NavigableSet<Integer> heavy,
      double shares,
      NavigableMap<Integer, Load> loads) {
    RunSteps steps = work.steps();
    Doubles ratios = new Doubles();
    for (int k : heavy) {
      Part part = peers.of(k, worker);
      if (part != null) {
        ratios.add(part.ratio());
      }
    }
    if (ratios.size() == 0 || ratios.median() < LEAST_RATIO) {
      return;
    }
    Stage stage = peers.stage();
    boolean open = heavy.last().equals(loads.lastKey());
    Cause cause =
        new Cause(
            FindingKind.UNBALANCED_LOAD,
            new Subject("stage", stage.name),
            stage.name,
            steps.get(heavy.first()).fromNs());
    if (!open) {
      cause.until(steps.get(heavy.last()).toNs());
    }
    heavy.forEach(k -> cause.steps.add(steps.number(k)));
    double share = shares / heavy.size();
    cause
        .cost(shared(work, peers, worker, heavy, cause).cost())
        .confidence(0.9)
        .sentence(
            "%s %s %s of the work of %s (an even share of %d workers is %s) and %s %s × as long%s, in %s.%s"
                .formatted(
                    work.workerName(worker),
                    open ? "gets" : "got",
                    Phrases.percent(share),
                    stage.name,
                    workers,
                    Phrases.percent(1.0 / workers),
                    open ? "needs" : "needed",
                    Phrases.ratio(ratios.median()),
                    stage.perToken ? " per token" : "",
                    Phrases.steps(cause.steps),
                    Phrases.cost(cause.cost, heavy.size(), open)))
        .advice("Look at how requests are routed to the workers of " + stage.name + ".")
        .evidence("share of " + work.workerName(worker), share, 1.0 / workers, "share", stage.name);
    Costs.addIfItMatters(work, causes, cause);
  }

  /**
   * The run with the load shared as in its other steps: calls of all workers at the pace of those;
   * without such steps only those of the busy worker, at the pace of its peers.
   */
  private static Replay.Change shared(
      RunWork work, Peers peers, int worker, NavigableSet<Integer> heavy, Cause cause) {
    Replay.Change atPeers = peers.atUsualPace(worker, heavy, cause);
    Stage stage = peers.stage();
    Map<Integer, Doubles> even = new HashMap<>();
    for (int i = 0; i < stage.size(); i++) {
      int step = stage.step[i];
      if (step != RunSteps.NONE && !heavy.contains(step) && !work.steps().isWarmUp(step)) {
        even.computeIfAbsent(stage.stratum[i], s -> new Doubles()).add(stage.paceWithQueue[i]);
      }
    }
    Map<Integer, Double> usual = new HashMap<>();
    even.forEach((stratum, paces) -> usual.put(stratum, paces.median()));
    Map<Long, Doubles> ratios = new HashMap<>();
    for (int i = 0; i < stage.size(); i++) {
      Double pace = usual.get(stage.stratum[i]);
      if (pace != null && heavy.contains(stage.step[i])) {
        ratios
            .computeIfAbsent(place(work, stage.calls[i]), k -> new Doubles())
            .add(stage.paceWithQueue[i] / pace);
      }
    }
    if (ratios.isEmpty()) {
      return atPeers;
    }
    Map<Long, Double> medians = new HashMap<>();
    ratios.forEach((place, all) -> medians.put(place, all.median()));
    Map<Integer, Double> shares = new HashMap<>();
    for (int i = 0; i < stage.size(); i++) {
      Double pace = usual.get(stage.stratum[i]);
      if (pace != null) {
        shares.put(stage.calls[i], pace / stage.paceWithQueue[i]);
      }
    }
    Replay.Change change = work.replay().change();
    for (int i = 0; i < work.callCount(); i++) {
      if (work.stageNumber(i) == stage.number && !work.session(i).lane()) {
        Double ratio = medians.get(place(work, i));
        if (ratio != null) {
          change.call(i, Math.round(work.own(i) * shares.getOrDefault(i, 1 / ratio)));
        }
      }
    }
    return change;
  }

  /** The step and the worker of a call. */
  private static long place(RunWork work, int call) {
    return (long) work.steps().ofCall(call) * (work.workerCount() + 1)
        + work.workerNumber(call)
        + 1;
  }
}
