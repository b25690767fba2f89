package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Subject;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Which side of an asynchronous run waits for the other all the time. In a synchronous run both
 * wait in turns; that is how it is made.
 */
final class StarvedSidesDetector implements Detector {
  /**
   * One side always bounds the run, and sides are sized in whole machines: up to a third either way
   * is balance.
   */
  private static final double LEAST_PART = 0.4;

  /** Said of a run only if it is so in nearly all its steps; else something happened in some. */
  private static final double MOST = 0.8;

  private static final int LEAST_STEPS = 3;

  @Override
  public void detect(RunWork work, Causes causes) {
    RunSteps steps = work.steps();
    if (!steps.isAsynchronous()) {
      String why =
          steps.areRecorded()
              ? "steps follow each other: rollouts and training wait for each other in turns"
              : "the trainer does not record when it waits";
      causes.cannotJudge(FindingKind.STARVED_TRAINER, why);
      causes.cannotJudge(FindingKind.STARVED_ROLLOUT, why);
      return;
    }
    NavigableSet<Integer> judged = new TreeSet<>();
    for (int k = 0; k < steps.count(); k++) {
      if (!steps.isWarmUp(k) && steps.get(k).ended() && !isExplained(causes, steps.number(k))) {
        judged.add(k);
      }
    }
    if (judged.size() < LEAST_STEPS) {
      String why = "fewer than three steps in which nothing else is wrong";
      causes.cannotJudge(FindingKind.STARVED_TRAINER, why);
      causes.cannotJudge(FindingKind.STARVED_ROLLOUT, why);
      return;
    }
    judgeTrainer(work, causes, judged);
    judgeRollout(work, causes, judged);
  }

  /** What another cause slows down is no question of how many engines there are. */
  private static boolean isExplained(Causes causes, long step) {
    return causes.found().stream().anyMatch(c -> c.steps.contains(step));
  }

  private static void judgeTrainer(RunWork work, Causes causes, NavigableSet<Integer> judged) {
    RunSteps steps = work.steps();
    NavigableSet<Integer> starved = new TreeSet<>(judged);
    starved.removeIf(k -> steps.get(k).waitedNs() < LEAST_PART * steps.get(k).wallNs());
    if (starved.size() < MOST * judged.size()) {
      return;
    }
    double waited = starved.stream().mapToDouble(k -> steps.get(k).waitedNs() / 1e9).sum();
    double wall = starved.stream().mapToDouble(k -> steps.get(k).wallNs() / 1e9).sum();
    Replay.Change change = work.replay().change();
    // All but the first: nothing was generated before it.
    for (int k = 1; k < steps.count(); k++) {
      change.withoutWait(k);
    }
    Cause cause = cause(work, FindingKind.STARVED_TRAINER, starved, judged);
    causes.add(
        cause
            .cost(change.cost())
            .sentence(
                "The trainer waits for rollouts in %s of its time (%s of %s per step), in %s. Generation bounds the run."
                    .formatted(
                        Phrases.percent(waited / wall),
                        Phrases.seconds(waited / starved.size()),
                        Phrases.seconds(wall / starved.size()),
                        Phrases.steps(cause.steps)))
            .advice("Give engines more of the machines, or let more sessions run at once.")
            .evidence("wait per step", waited / starved.size(), null, "s", null));
  }

  private static void judgeRollout(RunWork work, Causes causes, NavigableSet<Integer> judged) {
    RunSteps steps = work.steps();
    Replay.Change change = work.replay().change();
    judged.forEach(k -> change.after(k, steps.get(k).toNs() - steps.get(k).readyNs()));
    if (change.error() > Replay.MAX_ERROR) {
      causes.cannotJudge(
          FindingKind.STARVED_ROLLOUT,
          "replaying the steps misses their real time by " + Phrases.percent(change.error()));
      return;
    }
    double saved = change.savedNs() / 1e9;
    double wall = judged.stream().mapToDouble(k -> steps.get(k).wallNs() / 1e9).sum();
    if (saved < LEAST_PART * wall) {
      return;
    }
    Cause cause = cause(work, FindingKind.STARVED_ROLLOUT, judged, judged);
    causes.add(
        cause
            .cost(change.cost())
            .sentence(
                "Engines wait for the trainer: rollouts alone would need %s per step, training makes it %s, in %s."
                    .formatted(
                        Phrases.seconds((wall - saved) / judged.size()),
                        Phrases.seconds(wall / judged.size()),
                        Phrases.steps(cause.steps)))
            .advice("Give the trainer more of the machines.")
            .evidence(
                "time per step", wall / judged.size(), (wall - saved) / judged.size(), "s", null));
  }

  private static Cause cause(
      RunWork work, FindingKind kind, NavigableSet<Integer> starved, NavigableSet<Integer> judged) {
    RunSteps steps = work.steps();
    Cause cause =
        new Cause(kind, new Subject("run", "run"), null, steps.get(starved.first()).fromNs());
    starved.forEach(k -> cause.steps.add(steps.number(k)));
    cause.confidence(0.8);
    return starved.last().equals(judged.last())
        ? cause
        : cause.until(steps.get(starved.last()).toNs());
  }
}
