package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.Paces.Stage;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The workers of one stage beside each other: in each step each call against the median pace of the
 * comparable calls of the other workers. Warm-up and calls that are explained are left out.
 */
final class Peers {
  /** Calls of a worker in a step: with fewer one long call moves the median. */
  private static final int LEAST_CALLS = 4;

  /** Comparable calls of others for each call: a median of fewer is one call's own length. */
  private static final int LEAST_PEER_CALLS = 3;

  /** With more workers than this one of them does not move the median of all. */
  private static final int MANY_WORKERS = 8;

  /** One worker in one step. */
  static final class Part {
    final Doubles ratios = new Doubles();
    final Doubles paces = new Doubles();
    final Doubles usual = new Doubles();
    private final Map<Object, Doubles> ofTasks = new HashMap<>();
    private double ratio;

    /** One for each task: calls for one task are alike, so they are no proof of each other. */
    Doubles ratiosOfTasks() {
      Doubles each = new Doubles();
      ofTasks.values().forEach(ratios -> each.add(ratios.median()));
      return each;
    }

    boolean isEnough() {
      return ratios.size() >= LEAST_CALLS;
    }

    /** How many times as long its calls take as those of the others. */
    double ratio() {
      return ratio;
    }

    double logRatio() {
      return Math.log(ratio);
    }
  }

  private final RunWork work;
  private final Stage stage;
  private final Causes causes;
  private final TreeMap<Integer, Map<Integer, Part>> parts = new TreeMap<>();
  private final int workers;

  /** By what calls take while they are worked on. */
  Peers(RunWork work, Stage stage, Causes causes) {
    this(work, stage, causes, stage.pace);
  }

  /**
   * By another pace of the calls.
   *
   * @param pace by position in the stage
   */
  Peers(RunWork work, Stage stage, Causes causes, double[] pace) {
    this.work = work;
    this.stage = stage;
    this.causes = causes;
    Map<Long, Map<Integer, Doubles>> strata = new HashMap<>();
    for (int i = 0; i < stage.size(); i++) {
      if (isJudged(i)) {
        strata
            .computeIfAbsent(stratum(i), s -> new HashMap<>())
            .computeIfAbsent(stage.worker[i], w -> new Doubles())
            .add(pace[i]);
      }
    }
    Map<Long, Map<Integer, Double>> usual = new HashMap<>();
    strata.forEach((key, byWorker) -> usual.put(key, usualForEach(byWorker)));
    TreeSet<Integer> known = new TreeSet<>();
    for (int i = 0; i < stage.size(); i++) {
      double peers =
          isJudged(i) ? usual.get(stratum(i)).getOrDefault(stage.worker[i], Double.NaN) : 0;
      if (peers > 0) {
        Part part =
            parts
                .computeIfAbsent(stage.step[i], s -> new HashMap<>())
                .computeIfAbsent(stage.worker[i], w -> new Part());
        part.ratios.add(pace[i] / peers);
        SessionWork session = work.session(stage.calls[i]);
        part.ofTasks
            .computeIfAbsent(
                session.group() == null ? session.id() : session.group(), t -> new Doubles())
            .add(pace[i] / peers);
        part.paces.add(pace[i]);
        part.usual.add(peers);
      }
    }
    for (Map<Integer, Part> byWorker : parts.values()) {
      byWorker.forEach(
          (worker, part) -> {
            part.ratio = part.ratios.median();
            if (part.isEnough()) {
              known.add(worker);
            }
          });
    }
    workers = known.size();
  }

  private boolean isJudged(int i) {
    return stage.worker[i] >= 0
        && stage.step[i] != RunSteps.NONE
        && !work.steps().isWarmUp(stage.step[i])
        && !causes.isExplained(stage.calls[i]);
  }

  private long stratum(int i) {
    return (long) stage.step[i] * stage.strata + stage.stratum[i];
  }

  /** By worker the median pace of the others. */
  private static Map<Integer, Double> usualForEach(Map<Integer, Doubles> byWorker) {
    Doubles all = new Doubles();
    byWorker.values().forEach(all::addAll);
    double median = byWorker.size() > MANY_WORKERS ? all.median() : Double.NaN;
    Map<Integer, Double> usual = new HashMap<>();
    byWorker.forEach(
        (worker, own) -> {
          if (all.size() - own.size() >= LEAST_PEER_CALLS) {
            boolean many = byWorker.size() > MANY_WORKERS;
            usual.put(worker, many ? median : withoutOne(byWorker, worker).median());
          }
        });
    return usual;
  }

  private static Doubles withoutOne(Map<Integer, Doubles> byWorker, int worker) {
    Doubles others = new Doubles();
    byWorker.forEach(
        (w, paces) -> {
          if (w != worker) {
            others.addAll(paces);
          }
        });
    return others;
  }

  // ---- asking ----------------------------------------------------------------------------------

  Stage stage() {
    return stage;
  }

  /** How many have enough comparable calls in some step. */
  int workers() {
    return workers;
  }

  /** By step, then by worker. */
  Map<Integer, Map<Integer, Part>> bySteps() {
    return parts;
  }

  /** Null if it has no comparable calls. */
  Part of(int step, int worker) {
    return parts.getOrDefault(step, Map.of()).get(worker);
  }

  /**
   * The run with a worker's calls of these steps at the pace of its peers; a cause explains them.
   */
  Replay.Change atUsualPace(int worker, Set<Integer> steps, Cause cause) {
    Replay.Change change = work.replay().change();
    for (int i = 0; i < work.callCount(); i++) {
      if (work.workerNumber(i) == worker && work.stageNumber(i) == stage.number) {
        int step = work.session(i).lane() ? RunSteps.NONE : work.steps().ofCall(i);
        Part part = steps.contains(step) ? of(step, worker) : null;
        if (part != null) {
          change.call(i, Math.round(work.own(i) / Math.max(1, part.ratio())));
          cause.explains(i);
        }
      }
    }
    return change;
  }
}
