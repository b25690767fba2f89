package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.Paces.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether a worker's calls take longer than those of its peers for comparable work in the same
 * step. A call is compared with its peers' median pace; a worker with the median of its calls.
 */
final class SlowWorkers implements Detector {
  /** Below this the run is hardly longer: a step waits for its slowest session, not for a tenth. */
  private static final double LEAST_RATIO = 1.1;

  /** Of two workers one may be fast: the other is called slow only far beyond differences of load. */
  private static final double LEAST_RATIO_OF_TWO = 1.5;

  /** Calls of a worker in a step: with fewer one long call moves the median. */
  private static final int LEAST_CALLS = 4;

  /** Comparable calls of others for each call: a median of fewer is one call's own length. */
  private static final int LEAST_PEER_CALLS = 3;

  /** So many standard deviations of what workers differ by anyway: by chance once in 700. */
  private static final double SPREADS = 3;

  /** By chance once in a thousand runs, for all workers, stages and steps together. */
  private static final double CHANCE = 0.001;

  /** It is the worker only if it is slow in most of the steps in between, too (FINDINGS 3.3). */
  private static final double MOST = 0.8;

  /** With more workers than this one of them does not move the median of all. */
  private static final int MANY_WORKERS = 8;

  /** One worker in one step. */
  private static final class Part {
    final Doubles ratios = new Doubles();
    final Doubles paces = new Doubles();
    final Doubles usual = new Doubles();
    final List<Integer> calls = new ArrayList<>();
    double logRatio;

    boolean isEnough() {
      return ratios.size() >= LEAST_CALLS;
    }
  }

  @Override
  public void detect(RunWork work, Causes causes) {
    boolean judged = false;
    for (Stage stage : work.paces().stages()) {
      // By step, then by worker.
      TreeMap<Integer, Map<Integer, Part>> parts = parts(work, stage, causes);
      int workers = workers(parts);
      judged |= workers > 1;
      for (int w = 0; workers > 1 && w < work.workerCount(); w++) {
        judge(work, causes, stage, parts, w, workers);
      }
    }
    if (!judged) {
      causes.cannotJudge(
          FindingKind.SLOW_WORKER, "no stage has comparable calls of two or more workers in a step");
    }
  }

  private static int workers(TreeMap<Integer, Map<Integer, Part>> parts) {
    TreeSet<Integer> all = new TreeSet<>();
    parts
        .values()
        .forEach(of -> of.forEach((w, part) -> all.addAll(part.isEnough() ? List.of(w) : List.of())));
    return all.size();
  }

  private static TreeMap<Integer, Map<Integer, Part>> parts(
      RunWork work, Stage stage, Causes causes) {
    Map<Long, Map<Integer, Doubles>> strata = new HashMap<>();
    for (int i = 0; i < stage.size(); i++) {
      if (isJudged(work, stage, i, causes)) {
        strata
            .computeIfAbsent(stratum(stage, i), s -> new HashMap<>())
            .computeIfAbsent(stage.worker[i], w -> new Doubles())
            .add(stage.pace[i]);
      }
    }
    Map<Long, Map<Integer, Double>> usual = new HashMap<>();
    strata.forEach((key, byWorker) -> usual.put(key, usualForEach(byWorker)));
    TreeMap<Integer, Map<Integer, Part>> parts = new TreeMap<>();
    for (int i = 0; i < stage.size(); i++) {
      if (isJudged(work, stage, i, causes)) {
        double peers = usual.get(stratum(stage, i)).getOrDefault(stage.worker[i], Double.NaN);
        if (peers > 0) {
          Part part =
              parts
                  .computeIfAbsent(stage.step[i], s -> new HashMap<>())
                  .computeIfAbsent(stage.worker[i], w -> new Part());
          part.ratios.add(stage.pace[i] / peers);
          part.paces.add(stage.pace[i]);
          part.usual.add(peers);
          part.calls.add(stage.calls[i]);
        }
      }
    }
    parts
        .values()
        .forEach(of -> of.values().forEach(p -> p.logRatio = Math.log(p.ratios.median())));
    return parts;
  }

  private static boolean isJudged(RunWork work, Stage stage, int i, Causes causes) {
    return stage.worker[i] >= 0
        && stage.step[i] != RunSteps.NONE
        && !work.steps().isWarmUp(stage.step[i])
        && !causes.isExplained(stage.calls[i]);
  }

  private static long stratum(Stage stage, int i) {
    return (long) stage.step[i] * stage.strata + stage.stratum[i];
  }

  /** By worker the median pace of the others. */
  private static Map<Integer, Double> usualForEach(Map<Integer, Doubles> byWorker) {
    Doubles all = new Doubles();
    byWorker.values().forEach(all::addAll);
    Map<Integer, Double> usual = new HashMap<>();
    double median = all.median();
    byWorker.forEach(
        (worker, own) -> {
          if (all.size() - own.size() < LEAST_PEER_CALLS) {
            return;
          }
          if (byWorker.size() > MANY_WORKERS) {
            usual.put(worker, median);
            return;
          }
          Doubles others = new Doubles();
          byWorker.forEach(
              (w, paces) -> {
                if (!w.equals(worker)) {
                  others.addAll(paces);
                }
              });
          usual.put(worker, others.median());
        });
    return usual;
  }

  private static void judge(
      RunWork work,
      Causes causes,
      Stage stage,
      TreeMap<Integer, Map<Integer, Part>> parts,
      int worker,
      int workers) {
    double least = workers == 2 ? LEAST_RATIO_OF_TWO : LEAST_RATIO;
    double least3 = Math.max(Math.log(least), SPREADS * spread(parts, worker));
    TreeSet<Integer> slow = new TreeSet<>();
    TreeSet<Integer> known = new TreeSet<>();
    Doubles own = new Doubles();
    Doubles others = new Doubles();
    parts.forEach(
        (step, byWorker) -> {
          Part part = byWorker.get(worker);
          if (part == null || !part.isEnough()) {
            return;
          }
          known.add(step);
          if (part.logRatio >= least3) {
            slow.add(step);
            own.addAll(part.ratios);
            byWorker.forEach(
                (w, other) -> {
                  if (w != worker) {
                    others.addAll(other.ratios);
                  }
                });
          }
        });
    if (slow.isEmpty()) {
      return;
    }
    int between = known.subSet(slow.first(), true, slow.last(), true).size();
    double chance = Robust.chanceOfGreater(own.toArray(), others.toArray());
    int tested = work.workerCount() * work.paces().stages().size() * parts.size();
    if (slow.size() >= MOST * between && chance * tested < CHANCE) {
      report(work, causes, stage, parts, worker, workers, slow, known);
    }
  }

  /** By what the other workers differ from each other within a step, as logarithms. */
  private static double spread(TreeMap<Integer, Map<Integer, Part>> parts, int worker) {
    Doubles differences = new Doubles();
    for (Map<Integer, Part> byWorker : parts.values()) {
      double[] others =
          byWorker.entrySet().stream()
              .filter(e -> e.getKey() != worker && e.getValue().isEnough())
              .mapToDouble(e -> e.getValue().logRatio)
              .toArray();
      double middle = Robust.median(others);
      for (double other : others) {
        if (others.length > 1) {
          differences.add(other - middle);
        }
      }
    }
    return Robust.spread(differences.toArray());
  }

  private static void report(
      RunWork work,
      Causes causes,
      Stage stage,
      TreeMap<Integer, Map<Integer, Part>> parts,
      int worker,
      int workers,
      TreeSet<Integer> slow,
      TreeSet<Integer> known) {
    RunSteps steps = work.steps();
    String name = work.workerName(worker);
    boolean open = slow.last().equals(known.last()) && slow.last() >= steps.count() - 2;
    Cause cause =
        new Cause(
            FindingKind.SLOW_WORKER,
            new Subject("worker", name),
            stage.name,
            steps.get(slow.first()).fromNs());
    if (!open) {
      cause.until(steps.get(slow.last()).toNs());
    }
    Replay.Change change = work.replay().change();
    Doubles ratios = new Doubles();
    Doubles paces = new Doubles();
    Doubles usual = new Doubles();
    TreeSet<Integer> sessions = new TreeSet<>();
    for (int step : slow) {
      Part part = parts.get(step).get(worker);
      double ratio = part.ratios.median();
      ratios.add(ratio);
      paces.add(part.paces.median());
      usual.add(part.usual.median());
      cause.steps.add(steps.number(step));
    }
    for (int i = 0; i < work.callCount(); i++) {
      int at = -1;
      if (work.workerNumber(i) == worker && work.stageName(work.stageNumber(i)).equals(stage.name)) {
        at = steps.ofCall(i);
      }
      if (at >= 0 && slow.contains(at)) {
        double ratio = parts.get(at).get(worker).ratios.median();
        change.call(i, Math.round(work.own(i) / ratio));
        cause.explains(i);
        sessions.add(work.sessionNumber(i));
      }
    }
    double ratio = ratios.median();
    String unit = stage.perToken ? " per token" : "";
    String rest = workers == 2 ? "the other " : "the " + (workers - 1) + " other ";
    cause
        .cost(change.cost())
        .confidence(confidence(slow.size(), ratio))
        .sentence(
            "%s %s %s × as long%s in %s as %s%s (%s against %s), in %s.%s"
                .formatted(
                    name,
                    open ? "needs" : "needed",
                    Words.number(ratio),
                    unit,
                    stage.name,
                    rest,
                    workers == 2 ? "worker" : "workers",
                    Words.seconds(paces.median()),
                    Words.seconds(usual.median()),
                    Words.steps(cause.steps),
                    Words.cost(cause.cost, slow.size(), open)))
        .advice(
            "Look at " + name + "'s clock speed, memory and neighbours, or take it out of the pool.")
        .victims(WaitingSessions.of(work, sessions))
        .evidence(
            stage.perToken ? "time per token" : "time per call",
            paces.median(),
            usual.median(),
            stage.unit(),
            stage.name);
    Costs.addIfItMatters(work, causes, cause);
  }

  /** One step may be an accident of the machine; a small difference may be a difference of load. */
  private static double confidence(int steps, double ratio) {
    return Math.min(1, 0.6 + 0.1 * Math.min(3, steps) + 0.2 * Math.min(0.5, ratio - 1));
  }
}
