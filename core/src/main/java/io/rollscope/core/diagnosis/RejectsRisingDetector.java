package io.rollscope.core.diagnosis;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.model.Status;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Is a growing share of the samples rejected or dropped, and why? */
final class RejectsRisingDetector implements Detector {
  /** Verdicts are given to whole groups: with fewer groups in it no share is known. */
  private static final int LEAST = 8;

  /** One sample in seven more: a step has to generate as many again. */
  private static final double LEAST_RISE = .15;

  /** What only grows by half is within what the mix of tasks changes from step to step. */
  private static final double TIMES = 1.5;

  /** Samples that got one verdict. */
  private static final class Judged {
    private final List<SessionWork> sessions = new ArrayList<>();
    private int refused;
    private int old;
    private long atNs = Nanos.UNKNOWN;
    private long step = Long.MIN_VALUE;

    void add(SessionWork one) {
      sessions.add(one);
      boolean no = one.status() == Status.REJECTED || one.status() == Status.DROPPED;
      refused += no ? 1 : 0;
      old += StaleDataDetector.isTooOld(one) ? 1 : 0;
      atNs = Math.max(atNs, one.toNs());
      step = one.step() == null ? step : Math.max(step, one.step());
    }

    boolean isRefused() {
      return 2 * refused > sessions.size();
    }
  }

  /** Rejected samples are known at once, accepted ones when the step ends: that would deceive. */
  private static final double COMPLETE = .8;

  /** Steps of which nearly all sessions have their verdict. */
  static Set<Long> complete(RunWork work) {
    Map<Long, int[]> counts = new TreeMap<>();
    for (SessionWork one : work.sessions()) {
      if (!one.lane() && one.step() != null) {
        int[] count = counts.computeIfAbsent(one.step(), s -> new int[2]);
        count[0]++;
        count[1] += isJudged(one) ? 1 : 0;
      }
    }
    counts.values().removeIf(count -> count[1] < COMPLETE * count[0]);
    return counts.keySet();
  }

  /** Whether it got its verdict. */
  static boolean isJudged(SessionWork one) {
    return one.status() == Status.REJECTED
        || one.status() == Status.DROPPED
        || one.status() == Status.ACCEPTED
        || one.status() == Status.COMPLETED
        || one.status() == Status.FAILED
        || one.status() == Status.LOST;
  }

  @Override
  public void detect(RunWork work, Causes causes) {
    OpenWork open = work.open();
    Set<Long> complete = complete(work);
    Map<Object, Judged> units = new LinkedHashMap<>();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (SessionWork one : work.sessions()) {
      boolean judged =
          one.status() == Status.REJECTED
              || one.status() == Status.DROPPED
              || one.status() == Status.ACCEPTED
              || one.status() == Status.COMPLETED;
      if (!one.lane() && judged && (one.step() == null || complete.contains(one.step()))) {
        Group group = one.group();
        units.computeIfAbsent(group == null ? one.id() : group, g -> new Judged()).add(one);
        if (one.step() != null) {
          first = Math.min(first, one.step());
          last = Math.max(last, one.step());
        }
      }
    }
    List<Judged> inOrder = new ArrayList<>();
    for (Judged unit : units.values()) {
      boolean warmUp = first < last && unit.step == first;
      if (!warmUp && unit.old == 0) {
        inOrder.add(unit);
      }
    }
    inOrder.sort(Comparator.comparingLong((Judged u) -> u.step).thenComparingLong(u -> u.atNs));
    boolean[] refused = new boolean[inOrder.size()];
    Long[] steps = new Long[inOrder.size()];
    for (int i = 0; i < refused.length; i++) {
      steps[i] = inOrder.get(i).step;
      refused[i] = inOrder.get(i).isRefused();
    }
    ShareRise rise = ShareRise.of(refused, steps);
    if (rise != null
        && rise.count() >= LEAST
        && refused.length - rise.count() >= LEAST
        && rise.from() > 0
        && rise.isSurprising()
        && rise.share() >= rise.before() + LEAST_RISE
        && rise.share() >= TIMES * rise.before()) {
      add(open, inOrder, rise, causes);
    }
  }

  private static void add(OpenWork open, List<Judged> units, ShareRise rise, Causes causes) {
    List<SessionWork> refused = new ArrayList<>();
    Map<String, Integer> reasons = new HashMap<>();
    long since = Long.MAX_VALUE;
    long until = Long.MIN_VALUE;
    TreeMap<Long, Integer> steps = new TreeMap<>();
    for (Judged unit : units.subList(rise.from(), rise.to())) {
      since = Math.min(since, unit.atNs);
      until = Math.max(until, unit.atNs);
      for (SessionWork one : unit.sessions) {
        if (unit.isRefused()) {
          refused.add(one);
          reasons.merge(String.valueOf(one.reason()), 1, Integer::sum);
          if (one.step() != null) {
            steps.merge(one.step(), 1, Integer::sum);
          }
        }
      }
    }
    String reason =
        reasons.entrySet().stream()
            .max(
                Map.Entry.<String, Integer>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey()))
            .orElseThrow()
            .getKey();
    boolean goesOn = rise.lasts(units.size()) && !open.isOver();
    long slots = 0;
    for (SessionWork one : refused) {
      slots += Nanos.length(one.fromNs(), one.ownEndNs());
    }
    causes.add(
        new Cause(FindingKind.REJECTS_RISING, new Subject("run", "run"), null, since)
            .until(goesOn ? Nanos.OPEN : until)
            .cost(new Cost(null, Words.seconds(slots), null))
            .sentence(
                Words.share(rise.share())
                    + " of the samples "
                    + (goesOn ? "are" : "were")
                    + " rejected or dropped ("
                    + Words.share(rise.before())
                    + " before)"
                    + (reason.equals("null") ? "." : ", mostly for: " + Words.brief(reason) + "."))
            .advice(
                "Look at rewards by step and task: are the tasks too easy or too hard now, or is the"
                    + " judge wrong?")
            .steps(steps.keySet())
            .victims(OpenWork.victims(refused))
            .evidence("share of groups rejected", rise.share(), rise.before(), "share", null)
            .evidence("samples rejected", refused.size(), null, "sessions", null)
            .evidence("for the most frequent reason", reasons.get(reason), null, "sessions", null));
    causes.cannotJudge(
        FindingKind.REJECTS_RISING, "What rejected samples cost in time is not known.");
  }
}
