package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.SessionSizes.Size;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;

/**
 * Whether few sessions of a step write far more tokens, or take far more turns, than sessions of
 * the run's other steps do. Each is measured against the usual of its task name.
 */
final class LongTailDetector implements Detector {
  /** Times the usual session: below this many a session ends as late. */
  private static final double LEAST_SIZE = 3;

  /** What more than a fifth of the sessions do is not the tail. */
  private static final double FEW = 0.2;

  @Override
  public void detect(RunWork work, Causes causes) {
    SessionSizes sizes = SessionSizes.written(work);
    NavigableSet<Integer> tailed = sizes.withOutliers(LEAST_SIZE, FEW);
    if (sizes.knownSteps() < 2) {
      causes.cannotJudge(
          FindingKind.LONG_TAIL, "fewer than two steps with enough sessions to compare");
      return;
    }
    if (tailed.isEmpty()) {
      return;
    }
    List<Size> tail = sizes.outliers(tailed);
    // Sessions that are slow per token are another cause's.
    tail.removeIf(one -> isExplained(work, causes, one.session()));
    if (tail.isEmpty()) {
      return;
    }
    report(work, causes, sizes, tailed, tail);
  }

  private static boolean isExplained(RunWork work, Causes causes, int session) {
    RunWork.SessionWork one = work.sessions().get(session);
    for (int i = one.firstCall(); i < one.firstCall() + one.calls(); i++) {
      if (causes.isExplained(i)) {
        return true;
      }
    }
    return false;
  }

  private static void report(
      RunWork work,
      Causes causes,
      SessionSizes sizes,
      NavigableSet<Integer> tailed,
      List<Size> tail) {
    RunSteps steps = work.steps();
    Replay.Change change = work.replay().change();
    List<Integer> sessions = new ArrayList<>();
    Doubles times = new Doubles();
    for (Size one : tail) {
      long own = sizes.ownNs(one.session());
      change.session(one.session(), Math.round(own * (1 - 1 / one.times())));
      sessions.add(one.session());
      times.add(one.times());
    }
    int worst = tailed.stream().max(Comparator.comparingLong(change::savedNs)).orElseThrow();
    boolean open = tailed.last() == sizes.lastKnownStep();
    Cause cause =
        new Cause(
            FindingKind.LONG_TAIL,
            new Subject("step", String.valueOf(steps.number(worst))),
            null,
            steps.get(tailed.first()).fromNs());
    if (!open) {
      cause.until(steps.get(tailed.last()).toNs());
    }
    tailed.forEach(k -> cause.steps.add(steps.number(k)));
    String longest = work.sessions().get(sessions.get(0)).id();
    cause
        .cost(change.cost())
        .confidence(0.85)
        .victims(WaitingSessions.of(work, sessions))
        .sentence(
            "%d of %d sessions %s %s × as %s as usual and none of them is slow at it, in %s.%s"
                .formatted(
                    tail.size(),
                    sizes.count(tailed),
                    sizes.inTokens() ? "write" : "take",
                    Phrases.ratio(times.median()),
                    sizes.inTokens() ? "many tokens" : "many turns",
                    Phrases.steps(cause.steps),
                    Phrases.cost(cause.cost, tailed.size(), open)))
        .advice(
            "Look at what " + longest + " does; limit tokens and turns, or start long tasks first.")
        .evidence(
            sizes.inTokens() ? "tokens of the longest" : "turns of the longest",
            tail.get(0).amount(),
            tail.get(0).amount() / tail.get(0).times(),
            sizes.inTokens() ? "tokens" : "calls",
            longest);
    Costs.addIfItMatters(work, causes, cause);
  }
}
