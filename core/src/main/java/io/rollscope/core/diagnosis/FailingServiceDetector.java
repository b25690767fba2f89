package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Did the calls of a stage fail more often than before, and are they made again and again? Where
 * most calls are repeats, the repeats are what costs time: a storm of retries.
 */
final class FailingServiceDetector implements Detector {
  /** Fewer errors than that happen to anybody. */
  private static final int LEAST_ERRORS = 5;

  /** With fewer calls no share is known. */
  private static final int LEAST_CALLS = 20;

  /** Below that, retries hide the errors and nobody loses time. */
  private static final double LEAST_RISE = .05;

  /** What only doubles is within what inputs change from step to step. */
  private static final double TIMES = 3;

  /** A service of which every fourth call fails is failing, whatever it did before. */
  private static final double FAR = .25;

  /** From then on more is repeated than done for the first time. */
  private static final double STORM = .5;

  /** What is cancelled when a run ends fails at its last instant. */
  private static final long LAST_INSTANT_NS = 1_000_000_000L;

  /** Errors of one worker are told as such. */
  private static final double OF_ONE_WORKER = .8;

  /** One stage. */
  private static final class Stage {
    private final List<Integer> calls = new ArrayList<>();
    private int errors;
  }

  @Override
  public void detect(RunWork work, Causes causes) {
    OpenWork open = work.open();
    Map<String, Stage> stages = new TreeMap<>();
    Set<Integer> parentsOfErrors = new HashSet<>();
    long lastInstant = open.isOver() ? work.nowNs() - LAST_INSTANT_NS : Nanos.OPEN;
    for (int i = 0; i < work.callCount(); i++) {
      if (work.outcome(i) == Outcome.ERROR && work.parent(i) != RunWork.NONE) {
        parentsOfErrors.add(work.parent(i));
      }
    }
    for (int i = 0; i < work.callCount(); i++) {
      boolean ended = work.outcome(i) == Outcome.OK || work.outcome(i) == Outcome.ERROR;
      // A call fails because one inside it failed: that one is looked at.
      boolean ofAnother = work.outcome(i) == Outcome.ERROR && parentsOfErrors.contains(i);
      if (!work.session(i).lane()
          && ended
          && !ofAnother
          && work.end(i) < lastInstant
          && !causes.isExplained(i)) {
        Stage stage = stages.computeIfAbsent(work.stage(i), s -> new Stage());
        stage.calls.add(i);
        stage.errors += work.outcome(i) == Outcome.ERROR ? 1 : 0;
      }
    }
    Long firstStep = OpenWork.firstStep(work);
    stages.forEach(
        (name, stage) -> {
          if (stage.errors >= LEAST_ERRORS && stage.calls.size() >= LEAST_CALLS) {
            detect(work, open, name, stage, firstStep, causes);
          }
        });
  }

  private static void detect(
      RunWork work, OpenWork open, String name, Stage stage, Long firstStep, Causes causes) {
    List<Integer> calls = stage.calls;
    calls.sort(
        Comparator.comparingLong((Integer c) -> stepOf(work, c)).thenComparingLong(work::end));
    boolean[] failed = new boolean[calls.size()];
    Long[] steps = new Long[calls.size()];
    for (int i = 0; i < failed.length; i++) {
      steps[i] = stepOf(work, calls.get(i));
      failed[i] = work.outcome(calls.get(i)) == Outcome.ERROR;
    }
    ShareRise rise = ShareRise.of(failed, steps);
    double overall = (double) stage.errors / calls.size();
    boolean rose =
        rise != null
            && rise.hits() >= LEAST_ERRORS
            && rise.count() >= LEAST_ERRORS
            && rise.isSurprising()
            && rise.share() >= rise.before() + LEAST_RISE
            && rise.share() >= TIMES * rise.before();
    if (!rose && overall < FAR) {
      return;
    }
    int from = rose ? rise.from() : 0;
    int to = rose ? rise.to() : calls.size();
    List<Integer> errors = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (failed[i]) {
        errors.add(calls.get(i));
      }
    }
    boolean warmUp =
        firstStep != null
            && errors.stream().allMatch(e -> firstStep.equals(work.session(e).step()));
    if (!warmUp) {
      double share = rose ? rise.share() : overall;
      boolean goesOn = (!rose || rise.lasts(calls.size())) && !open.isOver();
      add(
          work,
          name,
          calls.subList(from, to),
          errors,
          share,
          rose ? rise.before() : null,
          goesOn,
          causes);
    }
  }

  /** The step of its session; before all others if it has none. */
  static long stepOf(RunWork work, int call) {
    Long step = work.session(call).step();
    return step == null ? Long.MIN_VALUE : step;
  }

  private static void add(
      RunWork work,
      String name,
      List<Integer> calls,
      List<Integer> errors,
      double share,
      Double before,
      boolean goesOn,
      Causes causes) {
    Set<SessionWork> sessions = new LinkedHashSet<>();
    Map<String, Integer> texts = new HashMap<>();
    Map<String, Integer> workers = new HashMap<>();
    long spent = 0;
    for (int error : errors) {
      sessions.add(work.session(error));
      texts.merge(String.valueOf(work.error(error)), 1, Integer::sum);
      workers.merge(String.valueOf(RunWork.workerId(work.worker(error))), 1, Integer::sum);
      spent += work.duration(error);
    }
    Map<Integer, Integer> repeatOf = repeats(work, calls);
    int repeats = repeatOf.size();
    boolean storm = repeats >= STORM * calls.size();
    String text = mostOften(texts);
    String worker = mostOften(workers);
    boolean one = workers.get(worker) >= OF_ONE_WORKER * errors.size();
    Cause cause =
        new Cause(
                storm ? FindingKind.RETRY_STORM : FindingKind.FAILING_SERVICE,
                new Subject("stage", name),
                name,
                work.end(errors.get(0)))
            .until(goesOn ? Nanos.OPEN : work.end(errors.get(errors.size() - 1)))
            .cost(Costs.ofCalls(without(work, calls, errors, repeatOf), spent))
            .sentence(
                (storm
                        ? Words.share((double) repeats / calls.size())
                            + " of the calls of "
                            + name
                            + " repeat one that failed; "
                        : "")
                    + Words.share(share)
                    + " of "
                    + (storm ? "all" : "the calls of " + name)
                    + (goesOn ? " fail" : " failed")
                    + (before == null ? "" : " (" + Words.share(before) + " before)")
                    + (text.equals("null") ? "." : ": " + Words.brief(text) + "."))
            .advice(
                storm
                    ? "Lower the number of attempts of "
                        + name
                        + ", wait longer between two, and look why they fail."
                    : "Look at the service behind "
                        + name
                        + (one ? ", as " + worker + " calls it" : "")
                        + "; its most frequent error is above.")
            .steps(OpenWork.steps(sessions))
            .victims(OpenWork.victims(sessions))
            .evidence("share of calls that failed", share, before, "share", name)
            .evidence("calls that failed", errors.size(), null, "calls", name)
            .evidence("with the most frequent error", texts.get(text), null, "calls", name)
            .evidence("calls that repeat a failed one", repeats, null, "calls", name);
    errors.forEach(cause::explains);
    Costs.add(causes, cause);
  }

  /** What failed and was repeated is not made; what was not repeated takes the usual time. */
  private static Replay.Change without(
      RunWork work, List<Integer> calls, List<Integer> errors, Map<Integer, Integer> repeatOf) {
    Doubles good = new Doubles();
    for (int call : calls) {
      if (work.outcome(call) == Outcome.OK) {
        good.add((double) work.duration(call));
      }
    }
    Replay.Change change = work.replay().change();
    for (int error : errors) {
      Integer repeat = repeatOf.get(error);
      if (repeat != null) {
        change.once(error, error, repeat);
      } else if (good.size() > 0 && work.duration(error) > 0) {
        double times = good.median() / work.duration(error);
        change.call(error, Math.round(work.own(error) * times));
      }
    }
    return change;
  }

  /** By failed call: the next one of the same stage inside the same call. */
  private static Map<Integer, Integer> repeats(RunWork work, List<Integer> calls) {
    record Place(int session, int parent) {}
    Map<Place, Integer> before = new HashMap<>();
    List<Integer> byStart = new ArrayList<>(calls);
    byStart.sort(Comparator.comparingLong(work::start));
    Map<Integer, Integer> repeats = new HashMap<>();
    for (int call : byStart) {
      Place place = new Place(work.session(call).number(), work.parent(call));
      Integer last = before.put(place, call);
      if (last != null && work.outcome(last) == Outcome.ERROR) {
        repeats.put(last, call);
      }
    }
    return repeats;
  }

  private static String mostOften(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .max(
            Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .orElseThrow()
        .getKey();
  }
}
