package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.model.Status;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Are samples dropped because the policy that wrote them is too old? */
final class StaleDataDetector implements Detector {
  /** Two groups of four, the smallest in use: one group that hung is too old by that. */
  private static final int LEAST = 8;

  /** They are generated again: less than a twentieth of a step is within what steps differ by. */
  private static final double LEAST_SHARE = .05;

  /**
   * What takes twice as long until its verdict as samples that are used is overtaken by training
   * although its policy was new: it is part of a tail.
   */
  private static final double LONG = 2;

  /** How those who drop them say why. */
  private static final Pattern TOO_OLD =
      Pattern.compile(
          ".*(stale|too old|policy (lag|version)|off.?policy).*", Pattern.CASE_INSENSITIVE);

  /** The samples of one step that got their verdict. */
  private static final class Judged {
    private final List<SessionWork> old = new ArrayList<>();
    private int all;

    boolean isStale() {
      return old.size() >= LEAST_SHARE * all;
    }
  }

  /** Whether a sample was refused for its age. */
  static boolean isTooOld(SessionWork one) {
    boolean refused = one.status() == Status.REJECTED || one.status() == Status.DROPPED;
    return refused && one.reason() != null && TOO_OLD.matcher(one.reason()).matches();
  }

  @Override
  public void detect(RunWork work, Causes causes) {
    Set<Long> complete = RejectsRisingDetector.complete(work);
    TreeMap<Long, Judged> bySteps = new TreeMap<>();
    double usual = usualNs(work);
    boolean isOld = false;
    for (SessionWork one : work.sessions()) {
      if (!one.lane() && one.step() != null && complete.contains(one.step())) {
        Judged step = bySteps.computeIfAbsent(one.step(), s -> new Judged());
        step.all += RejectsRisingDetector.isJudged(one) ? 1 : 0;
        boolean tooOld = isTooOld(one);
        isOld |= tooOld;
        if (tooOld && lengthNs(one) < LONG * usual) {
          step.old.add(one);
        }
      }
    }
    if (!isOld) {
      causes.cannotJudge(
          FindingKind.STALE_DATA,
          "no sample was dropped for its age, and how old those are that are used is not known");
      return;
    }
    long newest = bySteps.lastKey();
    bySteps.values().removeIf(step -> step.old.isEmpty() || !step.isStale());
    if (bySteps.values().stream().mapToInt(step -> step.old.size()).sum() >= LEAST) {
      add(work, causes, bySteps, newest);
    }
  }

  /** The median time until the verdict of samples that are used; without any, all are compared. */
  private static double usualNs(RunWork work) {
    double[] lengths =
        work.sessions().stream()
            .filter(one -> !one.lane())
            .filter(one -> one.status() == Status.ACCEPTED || one.status() == Status.COMPLETED)
            .mapToDouble(StaleDataDetector::lengthNs)
            .toArray();
    return lengths.length == 0 ? Double.POSITIVE_INFINITY : Robust.median(lengths);
  }

  private static double lengthNs(SessionWork one) {
    return (double) Nanos.length(one.fromNs(), one.toNs());
  }

  private static void add(
      RunWork work, Causes causes, SortedMap<Long, Judged> stale, long newestStep) {
    List<SessionWork> old = new ArrayList<>();
    Map<String, Integer> reasons = new HashMap<>();
    int all = 0;
    long slots = 0;
    for (Judged step : stale.values()) {
      old.addAll(step.old);
      all += step.all;
    }
    for (SessionWork one : old) {
      reasons.merge(one.reason(), 1, Integer::sum);
      slots += Nanos.length(one.fromNs(), one.ownEndNs());
    }
    String reason =
        reasons.entrySet().stream()
            .max(
                Map.Entry.<String, Integer>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey()))
            .orElseThrow()
            .getKey();
    old.sort(Comparator.comparingLong(SessionWork::toNs));
    boolean goesOn = stale.lastKey() == newestStep && !work.open().isOver();
    causes.add(
        new Cause(FindingKind.STALE_DATA, new Subject("run", "run"), null, old.get(0).toNs())
            .until(goesOn ? Nanos.OPEN : old.get(old.size() - 1).toNs())
            .cost(new Cost(null, Words.seconds(slots), null))
            .sentence(
                Words.share((double) old.size() / all)
                    + " of the samples "
                    + (goesOn ? "are" : "were")
                    + " too old to be trained on, in "
                    + Phrases.steps(stale.keySet())
                    + ", mostly for: "
                    + Words.brief(reason)
                    + ".")
            .advice(
                "Compare the policy versions of the engines: does one of them get no new weights?"
                    + " Else let fewer sessions run ahead of training.")
            .steps(stale.keySet())
            .victims(OpenWork.victims(old))
            .evidence(
                "share of samples too old",
                (double) old.size() / all,
                null,
                "share",
                old.get(0).id())
            .evidence("samples too old", old.size(), null, "sessions", null));
    causes.cannotJudge(FindingKind.STALE_DATA, "What old samples cost in time is not known.");
  }
}
