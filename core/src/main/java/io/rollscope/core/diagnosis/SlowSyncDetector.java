package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** Whether the weight sync takes longer than in other steps, or most of each. */
final class SlowSyncDetector implements Detector {
  /** What weights of one size take differs by far less than half from step to step. */
  private static final double LEAST_RATIO = 1.5;

  /** Steps of a healthy run differ by as much by themselves. */
  private static final double LEAST_PART = 0.02;

  /** A sync that takes a third of every step is worth more than any other change. */
  private static final double DOMINATES = 1.0 / 3;

  /** Of nearly all steps: one slow step is not how the run is. */
  private static final double MOST = 0.8;

  private static final int LEAST_STEPS = 3;

  @Override
  public void detect(RunWork work, Causes causes) {
    RunSteps steps = work.steps();
    NavigableSet<Integer> known = new TreeSet<>();
    for (int k = 0; k < steps.count(); k++) {
      if (steps.get(k).syncNs() > 0) {
        known.add(k);
      }
    }
    known.removeAll(explained(work, causes));
    if (known.size() < 2) {
      causes.cannotJudge(
          FindingKind.SLOW_SYNC, "the trainer's weight sync is not recorded in two steps or more");
      return;
    }
    NavigableSet<Integer> slow =
        Past.outOfLine(
            steps,
            new Past.Comparison() {
              @Override
              public boolean isKnown(int step) {
                return known.contains(step);
              }

              @Override
              public boolean isOut(int step, NavigableSet<Integer> usual) {
                double before = usualNs(steps, usual);
                double more = steps.get(step).syncNs() - before;
                return steps.get(step).syncNs() >= LEAST_RATIO * before
                    && more >= LEAST_PART * steps.get(step).wallNs();
              }
            });
    if (slow.isEmpty()) {
      reportDominating(work, causes, known);
    } else {
      report(work, causes, known, slow);
    }
  }

  /** Steps whose sync stood still, or waited for a worker that did: that is told already. */
  private static Set<Integer> explained(RunWork work, Causes causes) {
    Set<Long> numbers = new HashSet<>();
    for (int i = 0; i < work.callCount(); i++) {
      boolean sync = work.session(i).lane() && RunSteps.isSync(work.stage(i));
      if (sync && causes.isExplained(i)) {
        numbers.add(work.at(i).trainStep());
      }
    }
    RunSteps steps = work.steps();
    Set<Integer> explained = new HashSet<>();
    for (int k = 0; k < steps.count(); k++) {
      if (numbers.contains(steps.number(k))) {
        explained.add(k);
      }
    }
    return explained;
  }

  private static double usualNs(RunSteps steps, NavigableSet<Integer> some) {
    return Robust.median(some.stream().mapToDouble(k -> steps.get(k).syncNs()).toArray());
  }

  private static void report(
      RunWork work, Causes causes, NavigableSet<Integer> known, NavigableSet<Integer> slow) {
    RunSteps steps = work.steps();
    NavigableSet<Integer> others = new TreeSet<>(known);
    others.removeAll(slow);
    double usual = usualNs(steps, others);
    double now = usualNs(steps, slow);
    boolean open = slow.last().equals(known.last());
    Cause cause = cause(work, slow, open);
    Replay.Change change = work.replay().change();
    slow.forEach(k -> change.after(k, Math.round(steps.get(k).syncNs() - usual)));
    cause
        .cost(change.cost())
        .sentence(
            "The weight sync %s %s × as long as in other steps (%s against %s), in %s.%s"
                .formatted(
                    open ? "takes" : "took",
                    Phrases.ratio(now / usual),
                    Phrases.seconds(now / 1e9),
                    Phrases.seconds(usual / 1e9),
                    Phrases.steps(cause.steps),
                    Phrases.cost(cause.cost, slow.size(), open)))
        .advice("Look at the network between trainer and engines, and at how weights are sent.")
        .evidence("time per sync", now / 1e9, usual / 1e9, "s", cause.stage);
    Costs.addIfItMatters(work, causes, cause);
  }

  private static Cause cause(RunWork work, NavigableSet<Integer> slow, boolean open) {
    RunSteps steps = work.steps();
    String stage = stage(work);
    Cause cause =
        new Cause(
            FindingKind.SLOW_SYNC,
            new Subject("stage", stage),
            stage,
            steps.get(slow.first()).fromNs());
    slow.forEach(k -> cause.steps.add(steps.number(k)));
    return open ? cause : cause.until(steps.get(slow.last()).toNs());
  }

  private static String stage(RunWork work) {
    for (int i = 0; i < work.callCount(); i++) {
      if (work.session(i).lane() && RunSteps.isSync(work.stage(i))) {
        return work.stage(i);
      }
    }
    throw new IllegalStateException("a step has a sync but the run has none");
  }

  private static void reportDominating(RunWork work, Causes causes, NavigableSet<Integer> known) {
    RunSteps steps = work.steps();
    NavigableSet<Integer> judged = new TreeSet<>(known);
    judged.removeIf(steps::isWarmUp);
    NavigableSet<Integer> most = new TreeSet<>(judged);
    most.removeIf(k -> steps.get(k).syncNs() < DOMINATES * steps.get(k).wallNs());
    if (judged.size() < LEAST_STEPS || most.size() < MOST * judged.size()) {
      return;
    }
    double now = usualNs(steps, most);
    double wall = Robust.median(most.stream().mapToDouble(k -> steps.get(k).wallNs()).toArray());
    causes.add(
        cause(work, most, true)
            .cost(Cost.UNKNOWN)
            .confidence(0.7)
            .sentence(
                "The weight sync takes %s of each step (%s of %s)."
                    .formatted(
                        Phrases.percent(now / wall),
                        Phrases.seconds(now / 1e9),
                        Phrases.seconds(wall / 1e9)))
            .advice("Send weights in larger parts, or while the engines still generate.")
            .evidence("time per sync", now / 1e9, null, "s", stage(work)));
  }
}
