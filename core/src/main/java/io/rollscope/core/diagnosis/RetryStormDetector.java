package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Are calls made again more often than before, though they did not fail? An answer in the wrong
 * form is asked for once more. A loop of turns is not that: other calls stand between two.
 */
final class RetryStormDetector implements Detector {
  /** Fewer calls say nothing of a share. */
  private static final int LEAST_CALLS = 20;

  private static final int LEAST_REPEATS = 5;

  /** One call in ten more: a step does as much more work. */
  private static final double LEAST_RISE = .1;

  /** What only grows by half is within what inputs change from step to step. */
  private static final double TIMES = 2;

  /** If most repeats follow an error, the errors are the cause. */
  private static final double OF_ERRORS = .5;

  @Override
  public void detect(RunWork work, Causes causes) {
    int[] before = before(work);
    Map<String, List<Integer>> stages = new TreeMap<>();
    for (int i = 0; i < work.callCount(); i++) {
      boolean ended = work.outcome(i) == Outcome.OK || work.outcome(i) == Outcome.ERROR;
      if (!work.session(i).lane() && ended && !causes.isExplained(i)) {
        stages.computeIfAbsent(work.stage(i), s -> new ArrayList<>()).add(i);
      }
    }
    Long firstStep = OpenWork.firstStep(work);
    stages.forEach(
        (stage, calls) -> {
          if (calls.size() >= LEAST_CALLS) {
            detect(work, stage, calls, before, firstStep, causes);
          }
        });
  }

  /** By call: the one just before it in the same call or session, if it is of the same stage. */
  private static int[] before(RunWork work) {
    int[] before = new int[work.callCount()];
    int[] lastInside = new int[work.callCount()];
    Arrays.fill(before, RunWork.NONE);
    Arrays.fill(lastInside, RunWork.NONE);
    for (SessionWork session : work.sessions()) {
      int lastOutside = RunWork.NONE;
      int end = session.lane() ? session.firstCall() : session.firstCall() + session.calls();
      for (int i = session.firstCall(); i < end; i++) { // In order of their starts.
        int up = work.parent(i);
        int other = up == RunWork.NONE ? lastOutside : lastInside[up];
        if (up == RunWork.NONE) {
          lastOutside = i;
        } else {
          lastInside[up] = i;
        }
        if (other != RunWork.NONE
            && work.name(other) == work.name(i)
            && work.end(other) <= work.start(i)) {
          before[i] = other;
        }
      }
    }
    return before;
  }

  private static void detect(
      RunWork work,
      String stage,
      List<Integer> calls,
      int[] before,
      Long firstStep,
      Causes causes) {
    calls.sort(
        Comparator.comparingLong((Integer c) -> FailingServiceDetector.stepOf(work, c))
            .thenComparingLong(work::start));
    boolean[] again = new boolean[calls.size()];
    Long[] steps = new Long[calls.size()];
    for (int i = 0; i < again.length; i++) {
      steps[i] = FailingServiceDetector.stepOf(work, calls.get(i));
      again[i] = before[calls.get(i)] != RunWork.NONE;
    }
    ShareRise rise = ShareRise.of(again, steps);
    if (rise == null
        || rise.hits() < LEAST_REPEATS
        || !rise.isSurprising()
        || rise.share() < rise.before() + LEAST_RISE
        || rise.share() < TIMES * rise.before()) {
      return;
    }
    List<Integer> repeats = new ArrayList<>();
    int afterErrors = 0;
    for (int i = rise.from(); i < rise.to(); i++) {
      if (again[i]) {
        repeats.add(calls.get(i));
        afterErrors += work.outcome(before[calls.get(i)]) == Outcome.ERROR ? 1 : 0;
      }
    }
    boolean warmUp =
        firstStep != null
            && repeats.stream().allMatch(c -> firstStep.equals(work.session(c).step()));
    if (!warmUp && afterErrors < OF_ERRORS * repeats.size()) {
      boolean goesOn = rise.lasts(calls.size()) && !work.open().isOver();
      Costs.add(causes, cause(work, stage, repeats, before, rise, goesOn));
    }
  }

  private static Cause cause(
      RunWork work,
      String stage,
      List<Integer> repeats,
      int[] before,
      ShareRise rise,
      boolean goesOn) {
    Set<SessionWork> sessions = new LinkedHashSet<>();
    Replay.Change change = work.replay().change();
    long spent = 0;
    for (int call : repeats) {
      change.once(call, before[call], call);
      sessions.add(work.session(call));
      spent += work.duration(call);
    }
    Cause cause =
        new Cause(
                FindingKind.RETRY_STORM,
                new Subject("stage", stage),
                stage,
                work.start(repeats.get(0)))
            .until(goesOn ? Nanos.OPEN : work.end(repeats.get(repeats.size() - 1)))
            .cost(Costs.ofCalls(change, spent))
            .sentence(
                Words.share(rise.share())
                    + " of the calls of "
                    + stage
                    + (goesOn ? " are" : " were")
                    + " made again right after one that had not failed ("
                    + Words.share(rise.before())
                    + " before).")
            .advice("Look at the answers of " + stage + ": why is one not accepted?")
            .steps(OpenWork.steps(sessions))
            .victims(OpenWork.victims(sessions))
            .evidence("share of calls made again", rise.share(), rise.before(), "share", stage)
            .evidence("calls made again", repeats.size(), null, "calls", stage)
            .evidence("time in them", Words.seconds(spent), null, "s", stage);
    repeats.forEach(cause::explains);
    return cause;
  }
}
