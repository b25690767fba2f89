package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Did one state or operation of the processes, such as a weight sync, not end for far longer than
 * it ever took? Where sessions wait for the next weights, nothing of theirs is open then.
 */
final class StalledStateDetector implements Detector {
  /** Without two others nothing is usual: the first one of a run compiles and connects. */
  private static final int LEAST_OTHERS = 2;

  /** One such out of many, not the last of some that got longer: that one is slow. */
  private static final double BEYOND_LONGEST = 3;

  /** Nobody is woken for less. */
  private static final long FLOOR_NS = 10_000_000_000L;

  /** The same work of several processes at one instant. */
  private static final class Turn {
    private final List<Integer> calls = new ArrayList<>();
    private long from = Long.MAX_VALUE;
    private long to = Long.MIN_VALUE;
    private int open = RunWork.NONE;
    private int longest = RunWork.NONE;

    void add(RunWork work, int call) {
      calls.add(call);
      from = Math.min(from, work.start(call));
      to = Math.max(to, work.end(call));
      if (longest == RunWork.NONE || work.duration(call) > work.duration(longest)) {
        longest = call;
      }
      open = work.isOpen(call) ? call : open;
    }

    long length(RunWork work) {
      return work.duration(longest);
    }
  }

  @Override
  public void detect(RunWork work, Causes causes) {
    OpenWork open = work.open();
    Map<String, List<Integer>> stages = new LinkedHashMap<>();
    for (int i = 0; i < work.callCount(); i++) {
      if (work.session(i).lane() && !open.isWait(i) && !open.hasOpenChild(i)) {
        stages.computeIfAbsent(work.stage(i), s -> new ArrayList<>()).add(i);
      }
    }
    stages.forEach((stage, calls) -> detect(work, open, stage, turns(work, calls), causes));
  }

  private static List<Turn> turns(RunWork work, List<Integer> calls) {
    calls.sort(Comparator.comparingLong(work::start));
    List<Turn> turns = new ArrayList<>();
    for (int call : calls) {
      Turn last = turns.isEmpty() ? null : turns.get(turns.size() - 1);
      boolean same =
          last != null && work.start(call) <= last.from + GlobalStallDetector.SAME_INSTANT_NS;
      if (!same) {
        last = new Turn();
        turns.add(last);
      }
      last.add(work, call);
    }
    return turns;
  }

  private static void detect(
      RunWork work, OpenWork open, String stage, List<Turn> turns, Causes causes) {
    for (int i = 1; i < turns.size(); i++) {
      Turn one = turns.get(i);
      boolean goesOn = one.open != RunWork.NONE;
      boolean byDesign = GlobalStallDetector.BY_DESIGN.matcher(stage).matches();
      if (turns.size() <= LEAST_OTHERS
          || (goesOn ? open.isOver() : byDesign)
          || one.calls.stream().allMatch(causes::isExplained)) {
        continue;
      }
      long[] others = new long[turns.size() - 1];
      for (int k = 0, n = 0; k < turns.size(); k++) {
        if (k != i) {
          others[n++] = turns.get(k).length(work);
        }
      }
      Arrays.sort(others);
      long longest = others[others.length - 1];
      long length = one.length(work);
      if (length > BEYOND_LONGEST * longest && length > longest + FLOOR_NS) {
        Cause cause = cause(work, open, stage, one, others[others.length / 2], longest);
        Cause first = standstill(causes, one);
        if (first == null) {
          causes.add(cause);
        } else {
          absorb(first, cause, causes);
        }
      }
    }
  }

  /** A worker that hangs or is gone keeps the state from ending: that is the cause. */
  private static Cause standstill(Causes causes, Turn one) {
    for (Cause cause : causes.found()) {
      boolean stopped =
          cause.kind == FindingKind.HUNG_WORKER || cause.kind == FindingKind.DEAD_PROCESS;
      boolean before = cause.sinceNs <= one.from + GlobalStallDetector.SAME_INSTANT_NS;
      if (stopped && before && cause.untilNs > one.from) {
        return cause;
      }
    }
    return null;
  }

  private static void absorb(Cause first, Cause cause, Causes causes) {
    double wall = first.cost.wallS() == null ? 0 : first.cost.wallS();
    first.cost(new Cost(Math.max(wall, cause.cost.wallS()), first.cost.slotS(), null));
    first.absorbed.add(cause);
    first.explains.or(cause.explains);
    causes.explain(cause);
  }

  private static Cause cause(
      RunWork work, OpenWork open, String stage, Turn one, long usual, long longest) {
    boolean goesOn = one.open != RunWork.NONE;
    int call = goesOn ? one.open : one.longest;
    long length = one.length(work);
    Set<SessionWork> waiting = waiting(work, open, one, goesOn);
    Cause cause =
        new Cause(FindingKind.GLOBAL_STALL, new Subject("stage", stage), stage, one.from)
            .until(goesOn ? Nanos.OPEN : one.to)
            .cost(
                new Cost(
                    Words.seconds(length - usual),
                    Words.seconds(length - usual) * waiting.size(),
                    null))
            .sentence(
                stage
                    + (goesOn ? " has been open for " : " took ")
                    + Words.duration(length)
                    + GlobalStallDetector.at(work, call)
                    + "; all other times it took at most "
                    + Words.duration(longest)
                    + (goesOn ? ". The run waits for it." : ". The run waited for it."))
            .advice(
                "Look at the log of "
                    + RunWork.workerId(work.worker(call))
                    + " from the beginning of "
                    + stage
                    + " on.")
            .victims(OpenWork.victims(waiting))
            .evidence(stage, Words.seconds(length), Words.seconds(usual), "s", stage)
            .evidence("processes in it", one.calls.size(), null, "processes", null);
    for (int each : one.calls) {
      Long step = work.at(each).trainStep();
      if (step != null) {
        cause.steps(List.of(step));
      }
    }
    GlobalStallDetector.explainLike(work, call, cause);
    waiting.forEach(session -> DeadProcessDetector.explainOpen(work, session, cause));
    return cause;
  }

  /** Sessions that are done or in which nothing has ended since. */
  private static Set<SessionWork> waiting(RunWork work, OpenWork open, Turn one, boolean goesOn) {
    Set<SessionWork> waiting = new LinkedHashSet<>();
    boolean moves = false;
    for (int i = 0; i < work.callCount(); i++) {
      moves |=
          !work.session(i).lane()
              && !work.isOpen(i)
              && work.end(i) > one.from + GlobalStallDetector.SAME_INSTANT_NS;
    }
    for (SessionWork session : work.sessions()) {
      OpenWork.Doing doing = open.doing(session);
      boolean stands = doing == OpenWork.Doing.AT_WORK && !moves;
      if (goesOn && !session.lane() && (doing == OpenWork.Doing.PAUSED || stands)) {
        waiting.add(session);
      }
    }
    return waiting;
  }
}
