package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.Paces.Stage;
import io.rollscope.core.diagnosis.Peers.Part;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Whether a worker's calls take longer than those of its peers for comparable work in the same
 * step. A call is compared with its peers' median pace; a worker with the median of its calls.
 */
final class SlowWorkerDetector implements Detector {
  /** Below this the run is hardly longer: a step waits for its slowest session, not for a tenth. */
  private static final double LEAST_RATIO = 1.1;

  /**
   * Of two workers one may be fast: the other is called slow only far beyond differences of load.
   */
  private static final double LEAST_RATIO_OF_TWO = 1.5;

  /** So many standard deviations of what workers differ by anyway: by chance once in 700. */
  private static final double SPREADS = 3;

  /** By chance once in a thousand runs, for all workers, stages and steps together. */
  private static final double CHANCE = 0.001;

  /** It is the worker only if it is slow in most of the steps in between, too. */
  private static final double MOST = 0.8;

  @Override
  public void detect(RunWork work, Causes causes) {
    boolean judged = false;
    for (Stage stage : work.paces().stages()) {
      Peers peers = new Peers(work, stage, causes);
      int workers = peers.workers();
      judged |= workers > 1;
      for (int w = 0; workers > 1 && w < work.workerCount(); w++) {
        judge(work, causes, peers, w);
      }
    }
    if (!judged) {
      causes.cannotJudge(
          FindingKind.SLOW_WORKER,
          "no stage has comparable calls of two or more workers in a step");
    }
  }

  private static void judge(RunWork work, Causes causes, Peers peers, int worker) {
    double least = peers.workers() == 2 ? LEAST_RATIO_OF_TWO : LEAST_RATIO;
    if (!isEver(peers, worker, Math.log(least))) {
      return;
    }
    double leastLog = Math.max(Math.log(least), SPREADS * spread(peers, worker));
    NavigableSet<Integer> slow = new TreeSet<>();
    NavigableSet<Integer> known = new TreeSet<>();
    Doubles own = new Doubles();
    Doubles others = new Doubles();
    peers
        .bySteps()
        .forEach(
            (step, byWorker) -> {
              Part part = byWorker.get(worker);
              if (part == null || !part.isEnough()) {
                return;
              }
              known.add(step);
              if (part.logRatio() >= leastLog) {
                slow.add(step);
                own.addAll(part.ratiosOfTasks());
                byWorker.forEach(
                    (w, other) -> {
                      if (w != worker) {
                        others.addAll(other.ratiosOfTasks());
                      }
                    });
              }
            });
    if (slow.isEmpty()) {
      return;
    }
    int between = known.subSet(slow.first(), true, slow.last(), true).size();
    double chance = Robust.chanceOfGreater(own.toArray(), others.toArray());
    int tested = work.workerCount() * work.paces().stages().size() * peers.bySteps().size();
    if (slow.size() >= MOST * between && chance * tested < CHANCE) {
      report(work, causes, peers, worker, slow, known);
    }
  }

  private static boolean isEver(Peers peers, int worker, double leastLog) {
    for (Map<Integer, Part> byWorker : peers.bySteps().values()) {
      Part part = byWorker.get(worker);
      if (part != null && part.isEnough() && part.logRatio() >= leastLog) {
        return true;
      }
    }
    return false;
  }

  /** By what the other workers differ from each other within a step, as logarithms. */
  private static double spread(Peers peers, int worker) {
    Doubles differences = new Doubles();
    for (Map<Integer, Part> byWorker : peers.bySteps().values()) {
      double[] others =
          byWorker.entrySet().stream()
              .filter(e -> e.getKey() != worker && e.getValue().isEnough())
              .mapToDouble(e -> e.getValue().logRatio())
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
      Peers peers,
      int worker,
      NavigableSet<Integer> slow,
      NavigableSet<Integer> known) {
    Stage stage = peers.stage();
    int workers = peers.workers();
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
    Doubles ratios = new Doubles();
    Doubles paces = new Doubles();
    Doubles usual = new Doubles();
    for (int step : slow) {
      Part part = peers.of(step, worker);
      ratios.add(part.ratio());
      paces.add(part.paces.median());
      usual.add(part.usual.median());
      cause.steps.add(steps.number(step));
    }
    Replay.Change change = peers.atUsualPace(worker, slow, cause);
    NavigableSet<Integer> sessions = new TreeSet<>();
    cause.explains.stream().forEach(call -> sessions.add(work.sessionNumber(call)));
    double ratio = ratios.median();
    if (isMostlyQueue(work, cause, ratio)) {
      return;
    }
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
                    Phrases.ratio(ratio),
                    unit,
                    stage.name,
                    rest,
                    workers == 2 ? "worker" : "workers",
                    Phrases.seconds(paces.median()),
                    Phrases.seconds(usual.median()),
                    Phrases.steps(cause.steps),
                    Phrases.cost(cause.cost, slow.size(), open)))
        .advice(
            "Look at "
                + name
                + "'s clock speed, memory and neighbours, or take it out of the pool.")
        .victims(WaitingSessions.of(work, sessions))
        .evidence(
            stage.perToken ? "time per token" : "time per call",
            paces.median(),
            usual.median(),
            stage.unit(),
            stage.name);
    Costs.addIfItMatters(work, causes, cause);
  }

  /** Whether its calls lose more in a queue than by being slow: that is another cause's. */
  private static boolean isMostlyQueue(RunWork work, Cause cause, double ratio) {
    double queued = 0;
    double lost = 0;
    for (int i = cause.explains.nextSetBit(0); i >= 0; i = cause.explains.nextSetBit(i + 1)) {
      double queue = Math.max(0, work.queuedNs(i));
      queued += queue;
      lost += (work.duration(i) - queue) * (1 - 1 / ratio);
    }
    return queued > lost;
  }

  /** One step may be an accident of the machine; a small difference may be a difference of load. */
  private static double confidence(int steps, double ratio) {
    return Math.min(1, 0.6 + 0.1 * Math.min(3, steps) + 0.2 * Math.min(0.5, ratio - 1));
  }
}
