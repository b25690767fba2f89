package io.rollscope.core.diagnosis;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.RunSteps.Step;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.model.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.LongStream;

/**
 * Plays the steps of a run again, with some calls as long as they usually are: what would be saved
 * without a cause.
 *
 * <p>A session is dispatched, alone or with its group, when its step begins or, if all slots are
 * taken, when one gets free. It lasts as long as it did, less what its calls are shortened by. A
 * batch is complete with the last session that went into it; then the trainer trains, weights are
 * brought to the engines, and the next step begins. Slots are as many as were ever in use at once.
 * A run whose trainer recorded no steps is replayed batch by batch.
 */
final class Replay {
  /** Where replaying what happened misses it by more, the model does not hold. */
  static final double MAX_ERROR = 0.1;

  /** Siblings that begin within this were dispatched as one: it is many times a dispatch. */
  private static final long TOGETHER_NS = 1_000_000_000;

  /**
   * A dispatch this soon after a slot got free was waiting for it; dispatchers poll each second.
   */
  private static final long RELEASE_NS = 1_000_000_000;

  /** Clocks of hosts that are kept by NTP agree within this. */
  private static final long CLOCKS_NS = 100_000_000;

  /** A trainer sees that its batch is complete within this; clocks of hosts differ by less. */
  private static final long SEEN_NS = 500_000_000;

  /** This part of the slots in use counts as all: a slot may be on its way to the next. */
  private static final double FULL = 0.9;

  private static final long EVER = Long.MIN_VALUE / 4;

  /** Sessions that take one slot together. */
  private static final class Unit {
    final List<Integer> sessions = new ArrayList<>();
    long start = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;

    /** The step with whose start it could begin, and how long after. */
    int gate;

    long offset;
  }

  private final RunWork work;
  private final RunSteps steps;
  private final long[] start;
  private final long[] length;

  /** By session the step whose batch it was needed for, or {@link RunSteps#NONE}. */
  private final int[] neededBy;

  /** In an asynchronous run, by step how many units in all its trainer had taken; else null. */
  private final int[] taken;

  private final List<Unit> units = new ArrayList<>();
  private final int slots;
  private final int sessionSlots;
  private final long[] untouched;

  Replay(RunWork work) {
    this.work = work;
    this.steps = work.steps();
    int sessions = work.sessions().size();
    this.start = new long[sessions];
    this.length = new long[sessions];
    this.neededBy = new int[sessions];
    Arrays.fill(neededBy, RunSteps.NONE);
    List<Integer> taking = new ArrayList<>();
    for (int s = 0; s < sessions; s++) {
      SessionWork one = work.sessions().get(s);
      if (!one.lane() && one.calls() > 0 && steps.count() > 0) {
        taking.add(s);
        start[s] = one.fromNs() + one.queueNs();
        length[s] = Math.max(0, doneNs(one) - start[s]);
        neededBy[s] = neededBy(s);
      }
    }
    taking.sort(Comparator.comparingLong(s -> start[s]));
    makeUnits(taking);
    units.sort(Comparator.comparingLong(u -> u.start));
    slots =
        mostAtOnce(units.stream().mapToLong(u -> u.start), units.stream().mapToLong(u -> u.end));
    sessionSlots =
        mostAtOnce(
            taking.stream().mapToLong(s -> start[s]),
            taking.stream().mapToLong(s -> start[s] + length[s]));
    placeGates();
    taken = steps.areRecorded() && steps.isAsynchronous() ? countTaken() : null;
    units.sort(Comparator.comparingInt((Unit u) -> u.gate).thenComparingLong(u -> u.start));
    untouched = play(null, new long[steps.count()], new boolean[steps.count()]);
  }

  /**
   * When a session was done: the end of the last call that has none inside it. A call that goes on
   * after those inside it only waits for siblings, if the session has any.
   */
  private long doneNs(SessionWork one) {
    if (one.group() == null) {
      return one.workEndNs();
    }
    long done = one.fromNs();
    for (int i = one.firstCall(); i < one.firstCall() + one.calls(); i++) {
      done = work.hasCallInside(i) ? done : Math.max(done, work.end(i));
    }
    return done;
  }

  /** A batch needs no session that ended after it was complete. */
  private int neededBy(int s) {
    int step = steps.ofSession(s);
    boolean needed =
        step != RunSteps.NONE && start[s] + length[s] <= steps.get(step).readyNs() + SEEN_NS;
    return needed ? step : RunSteps.NONE;
  }

  private void makeUnits(List<Integer> taking) {
    Map<Group, List<Integer>> groups = new HashMap<>();
    List<List<Integer>> inOrder = new ArrayList<>();
    for (int s : taking) {
      Group group = work.sessions().get(s).group();
      if (group == null) {
        inOrder.add(List.of(s));
      } else {
        groups
            .computeIfAbsent(
                group,
                g -> {
                  List<Integer> fresh = new ArrayList<>();
                  inOrder.add(fresh);
                  return fresh;
                })
            .add(s);
      }
    }
    for (List<Integer> members : inOrder) {
      long spread = start[members.get(members.size() - 1)] - start[members.get(0)];
      if (spread <= TOGETHER_NS) {
        units.add(unit(members));
      } else {
        members.forEach(s -> units.add(unit(List.of(s))));
      }
    }
  }

  private Unit unit(List<Integer> members) {
    Unit unit = new Unit();
    for (int s : members) {
      unit.sessions.add(s);
      unit.start = Math.min(unit.start, start[s]);
      unit.end = Math.max(unit.end, start[s] + length[s]);
    }
    return unit;
  }

  private static int mostAtOnce(LongStream starts, LongStream ends) {
    long[] from = starts.sorted().toArray();
    long[] to = ends.sorted().toArray();
    int most = 0;
    int ended = 0;
    for (int i = 0; i < from.length; i++) {
      while (ended < to.length && to[ended] <= from[i] + CLOCKS_NS) {
        ended++;
      }
      most = Math.max(most, i + 1 - ended);
    }
    return most;
  }

  /** In order of their starts: who waited for a slot, and who for the start of a step. */
  private void placeGates() {
    int lag = 0;
    for (Unit unit : units) {
      int step = stepOf(unit);
      lag = step == RunSteps.NONE ? lag : Math.max(lag, step - steps.at(unit.start));
    }
    long[] ends = units.stream().mapToLong(u -> u.end).sorted().toArray();
    int ended = 0;
    for (int i = 0; i < units.size(); i++) {
      Unit unit = units.get(i);
      while (ended < ends.length && ends[ended] <= unit.start + CLOCKS_NS) {
        ended++;
      }
      boolean full = i + 1 - ended >= FULL * slots;
      boolean released = ended > 0 && unit.start - ends[ended - 1] <= RELEASE_NS;
      int step = stepOf(unit);
      unit.gate = steps.areRecorded() || step == RunSteps.NONE ? steps.at(unit.start) : step;
      unit.offset = unit.start - steps.get(unit.gate).fromNs();
      if (full && released && i > 0) {
        unit.gate =
            step == RunSteps.NONE ? unit.gate : Math.min(unit.gate, Math.max(0, step - lag));
        unit.offset = Math.min(unit.offset, 0);
      }
    }
  }

  private int stepOf(Unit unit) {
    return steps.intendedFor(unit.sessions.get(0));
  }

  /**
   * A trainer that waits takes what is there then. One that does not wait takes as many as others
   * of its steps did, and leaves the rest for later.
   */
  private int[] countTaken() {
    long[] ends = units.stream().filter(this::canBeTaken).mapToLong(u -> u.end).sorted().toArray();
    int[] counts = new int[steps.count()];
    List<Integer> waiting = new ArrayList<>();
    for (int k = 0; k < counts.length; k++) {
      while (counts[k] < ends.length && ends[counts[k]] <= steps.get(k).readyNs() + CLOCKS_NS) {
        counts[k]++;
      }
      if (steps.get(k).waitedNs() > SEEN_NS) {
        waiting.add(k);
      }
    }
    double each = 0;
    if (!waiting.isEmpty() && waiting.get(0) == 0) {
      each = counts[0];
    } else if (waiting.size() > 1) {
      int first = waiting.get(0);
      int last = waiting.get(waiting.size() - 1);
      each = (double) (counts[last] - counts[first]) / (last - first);
    }
    double needed = 0;
    for (int k = 0; k < counts.length; k++) {
      needed = waiting.contains(k) ? counts[k] : Math.min(counts[k], needed + each);
      counts[k] = (int) needed;
    }
    return counts;
  }

  /** The trainer drops what was rejected or failed. */
  private boolean canBeTaken(Unit unit) {
    long bad =
        unit.sessions.stream()
            .map(s -> work.sessions().get(s).status())
            .filter(status -> status.ordinal() >= Status.REJECTED.ordinal())
            .count();
    return bad * 2 < unit.sessions.size();
  }

  // ---- playing ---------------------------------------------------------------------------------

  /**
   * Returns how long each step takes.
   *
   * @param saved by session, or null for nothing
   * @param savedAfter by step what training and weight sync are shortened by
   * @param atOnce by step whether its batch is there when the trainer asks for it
   */
  private long[] play(long[] saved, long[] savedAfter, boolean[] atOnce) {
    int count = steps.count();
    long[] wall = new long[count];
    long[] complete = new long[count];
    Arrays.fill(complete, EVER);
    PriorityQueue<Long> free = new PriorityQueue<>();
    for (int i = 0; i < slots; i++) {
      free.add(EVER);
    }
    PriorityQueue<Long> takeable = new PriorityQueue<>();
    int gone = 0;
    long now = count == 0 ? 0 : steps.get(0).fromNs();
    int next = 0;
    for (int k = 0; k < count; k++) {
      Step step = steps.get(k);
      now = steps.areRecorded() ? now : step.fromNs();
      for (; next < units.size() && units.get(next).gate == k; next++) {
        Unit unit = units.get(next);
        long end = playUnit(unit, Math.max(now + unit.offset, free.poll()), saved, complete);
        free.add(end);
        if (taken != null && canBeTaken(unit)) {
          takeable.add(end);
        }
      }
      for (; taken != null && gone < taken[k] && !takeable.isEmpty(); gone++) {
        complete[k] = Math.max(complete[k], takeable.poll());
      }
      long waits = now + step.waitNs() - step.fromNs();
      long ready =
          atOnce[k]
              ? waits
              : complete[k] == EVER ? waits + step.waitedNs() : Math.max(waits, complete[k]);
      long end = ready + Math.max(0, after(k) - savedAfter[k]);
      wall[k] = end - now;
      now = end;
    }
    return wall;
  }

  private long playUnit(Unit unit, long begin, long[] saved, long[] complete) {
    long end = begin;
    for (int s : unit.sessions) {
      long lasts = Math.max(0, length[s] - (saved == null ? 0 : saved[s]));
      long done = begin + start[s] - unit.start + lasts;
      end = Math.max(end, done);
      if (taken == null && neededBy[s] != RunSteps.NONE) {
        complete[neededBy[s]] = Math.max(complete[neededBy[s]], done);
      }
    }
    return end;
  }

  /** From the complete batch to the start of the next step. */
  private long after(int k) {
    boolean followed = steps.areRecorded() && k + 1 < steps.count();
    return (followed ? steps.get(k + 1).fromNs() : steps.get(k).toNs()) - steps.get(k).readyNs();
  }

  private long real(int k) {
    return steps.get(k).readyNs() - steps.get(k).fromNs() + after(k);
  }

  // ---- asking ----------------------------------------------------------------------------------

  /** The same run with something shorter. */
  Change change() {
    return new Change();
  }

  /** What is to be shorter, and what that saves. */
  final class Change {
    private final long[] saved = new long[start.length];
    private final long[] savedAfter = new long[steps.count()];
    private final boolean[] atOnce = new boolean[steps.count()];
    private final boolean[] touched = new boolean[steps.count()];
    private long[] played;

    /** A call of a session is what the session waits for this long. */
    Change call(int call, long ownNs) {
      int s = work.sessionNumber(call);
      long less = work.own(call) - ownNs;
      saved[s] += less;
      if (neededBy[s] != RunSteps.NONE && less != 0) {
        touched[neededBy[s]] = true;
      }
      return this;
    }

    /** Of a call and its repeat only one is made, without a pause. */
    Change once(int gone, int first, int repeat) {
      int s = work.sessionNumber(gone);
      SessionWork one = work.sessions().get(s);
      long own = 0;
      for (int i = gone; i < one.firstCall() + one.calls(); i++) { // In order of their starts.
        own += isIn(i, gone) ? work.own(i) : 0;
      }
      // If the session was at something else meanwhile, it did not pause either.
      long pause = own > 0 ? Math.max(0, work.start(repeat) - work.end(first)) : 0;
      return session(s, own + pause);
    }

    private boolean isIn(int call, int around) {
      int up = call;
      while (up != RunWork.NONE && up != around) {
        up = work.parent(up);
      }
      return up == around;
    }

    /** A session needs less time. */
    Change session(int s, long lessNs) {
      saved[s] += lessNs;
      if (neededBy[s] != RunSteps.NONE && lessNs > 0) {
        touched[neededBy[s]] = true;
      }
      return this;
    }

    /** Training or weight sync of a step need less time. */
    Change after(int step, long lessNs) {
      savedAfter[step] += lessNs;
      touched[step] |= lessNs > 0;
      return this;
    }

    /** The batch of a step is there when the trainer asks for it. */
    Change withoutWait(int step) {
      atOnce[step] = true;
      touched[step] = true;
      return this;
    }

    private long[] played() {
      played = played == null ? play(saved, savedAfter, atOnce) : played;
      return played;
    }

    /** What a step gets shorter by. */
    long savedNs(int step) {
      return untouched[step] - played()[step];
    }

    long savedNs() {
      long sum = 0;
      for (int k = 0; k < steps.count(); k++) {
        sum += savedNs(k);
      }
      return sum;
    }

    /** By what part replaying what happened misses the steps that this changes; NaN without any. */
    double error() {
      double missed = 0;
      double all = 0;
      for (int k = 0; k < steps.count(); k++) {
        if (touched[k]) {
          missed += Math.abs(untouched[k] - real(k));
          all += real(k);
        }
      }
      return missed / all;
    }

    /** The cost of what was put right; its time is unknown where the model does not hold. */
    Cost cost() {
      double error = error();
      if (Double.isNaN(error)) {
        return new Cost(0.0, 0.0, null);
      }
      if (error > MAX_ERROR) {
        return new Cost(null, null, error);
      }
      double wall = Math.max(0, savedNs() / 1e9);
      double busy = Arrays.stream(saved).sum() / 1e9;
      return new Cost(wall, Math.max(0, sessionSlots * wall - busy), error);
    }
  }
}
