package io.rollscope.core.diagnosis;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.diagnosis.FindingsReport.Victims;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What has not ended in a run, and who waits for whom. A session whose innermost open call has only
 * ended children waits for its siblings, as long as one of them is at work of its own.
 */
final class OpenWork {
  /** So many victims are named; all are counted. */
  private static final int EXAMPLES = 5;

  /** A session that hangs in the first step does not make everything a warm-up. */
  private static final double MOST_OF_STEP = .9;

  /** A trainer that finds its batch ready still asks for it. */
  private static final long LEAST_WAIT_NS = 1_000_000_000L;

  /** What trainers call the time in which they wait for sessions. */
  private static final Pattern WAIT_FOR_ROLLOUTS =
      Pattern.compile(
          "(.*[._/ ])?(wait(ing)?[_. ]?(for[_. ])?(rollouts?|batch|samples?|data)"
              + "|rollouts?[_. ]wait|prepare_batch)|train\\.rollout",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern WAIT =
      Pattern.compile("(.*[._/ ])?(wait|idle)([._/ ].*)?", Pattern.CASE_INSENSITIVE);

  private final RunWork work;
  private final BitSet withChildren = new BitSet();
  private final BitSet withOpenChildren = new BitSet();
  private final BitSet innermost = new BitSet();
  private final Map<Group, List<SessionWork>> groups = new HashMap<>();
  private final Map<String, List<SessionWork>> batches = new HashMap<>();
  private final Map<Integer, Doing> doing = new HashMap<>();
  private final Set<Group> working = new LinkedHashSet<>();
  private final BitSet isTrainerWait = new BitSet();
  private final Map<String, Boolean> waitNames = new HashMap<>();
  private final List<Integer> trainerWaits = new ArrayList<>();
  private final boolean over;
  private HostClocks clocks;
  private UsualCalls usual;
  private long betweenWaits = -1;

  /** What a session does now. */
  enum Doing {
    /** Nothing any more. */
    ENDED,
    /** It has not begun. */
    QUEUED,
    /** A call of its own is open. */
    AT_WORK,
    /** All its own calls have ended: it is between two, or waits for others. */
    PAUSED
  }

  OpenWork(RunWork work) {
    this.work = work;
    this.over = isOver(work);
    for (int i = 0; i < work.callCount(); i++) {
      int up = work.parent(i);
      if (up != RunWork.NONE) {
        withChildren.set(up);
        if (isUnended(i)) {
          withOpenChildren.set(up);
        }
      }
    }
    for (SessionWork one : work.sessions()) {
      if (one.lane()) {
        findWaits(one);
      } else {
        look(one);
      }
    }
  }

  /** Whether every process said goodbye: what is open then will never end. */
  private static boolean isOver(RunWork work) {
    return !work.processes().isEmpty() && work.processes().stream().allMatch(ProcessSign::ended);
  }

  private boolean isUnended(int call) {
    return work.outcome(call) == Outcome.OPEN || work.outcome(call) == Outcome.LOST;
  }

  private void findWaits(SessionWork lane) {
    for (int i = lane.firstCall(); i < lane.firstCall() + lane.calls(); i++) {
      if (WAIT_FOR_ROLLOUTS.matcher(work.stage(i)).matches()) {
        trainerWaits.add(i);
        isTrainerWait.set(i);
      }
    }
  }

  private void look(SessionWork one) {
    if (one.group() != null) {
      groups.computeIfAbsent(one.group(), g -> new ArrayList<>()).add(one);
    }
    if (one.batch() != null) {
      batches.computeIfAbsent(one.batch(), b -> new ArrayList<>()).add(one);
    }
    boolean own = false;
    for (int i = one.firstCall(); i < one.firstCall() + one.calls(); i++) {
      if (isUnended(i) && !withOpenChildren.get(i)) {
        innermost.set(i);
        own |= !withChildren.get(i);
      }
    }
    Doing what =
        !one.status().isUnfinished()
            ? Doing.ENDED
            : own ? Doing.AT_WORK : one.calls() == 0 ? Doing.QUEUED : Doing.PAUSED;
    doing.put(one.number(), what);
    if (own && one.group() != null) {
      working.add(one.group());
    }
  }

  /** The clocks of its hosts. */
  HostClocks clocks() {
    if (clocks == null) {
      clocks = new HostClocks(work);
    }
    return clocks;
  }

  /** How long its calls usually take. */
  UsualCalls usual() {
    if (usual == null) {
      usual = new UsualCalls(work);
    }
    return usual;
  }

  /**
   * How long a call has been open, by the clock of its host; of one that ended, how long it took.
   */
  long age(int call) {
    if (!work.isOpen(call)) {
      return work.duration(call);
    }
    long behind = Math.max(0, -clocks().ahead(work.worker(call)));
    return Math.max(0, work.duration(call) - behind);
  }

  /** Whether the run is over by what its processes say. */
  boolean isOver() {
    return over;
  }

  Doing doing(SessionWork one) {
    return doing.getOrDefault(one.number(), Doing.ENDED);
  }

  /** Whether a session is done by itself, and a sibling is not. */
  boolean waitsForSibling(SessionWork one) {
    return doing(one) == Doing.PAUSED && one.group() != null && working.contains(one.group());
  }

  /** Whether nothing inside this call is recorded. */
  boolean isLeaf(int call) {
    return !withChildren.get(call);
  }

  /** Whether it is open, of a session, and no call inside it is. */
  boolean isInnermost(int call) {
    return innermost.get(call);
  }

  /** Whether a call inside it is open. */
  boolean hasOpenChild(int call) {
    return withOpenChildren.get(call);
  }

  /** Innermost open calls that do not just wait for a sibling. */
  List<Integer> ownOpenCalls() {
    List<Integer> own = new ArrayList<>();
    for (int i = innermost.nextSetBit(0); i >= 0; i = innermost.nextSetBit(i + 1)) {
      if (work.isOpen(i) && !waitsForSibling(work.session(i))) {
        own.add(i);
      }
    }
    return own;
  }

  /** Whether a call of a process only waits: it is the consequence of something. */
  boolean isWait(int call) {
    return waitNames.computeIfAbsent(work.stage(call), stage -> WAIT.matcher(stage).matches())
        || isTrainerWait.get(call);
  }

  /** Whether groups are known. */
  boolean hasGroups() {
    return !groups.isEmpty();
  }

  /** Whether a trainer tells when it waits for sessions. */
  boolean hasTrainerWaits() {
    return !trainerWaits.isEmpty();
  }

  /** Unfinished sessions that are done by themselves, in a group with one of these. */
  Set<SessionWork> siblingsWaiting(Collection<SessionWork> causes) {
    Set<SessionWork> waiting = new LinkedHashSet<>();
    for (SessionWork cause : causes) {
      for (SessionWork one : groups.getOrDefault(keyOf(cause), List.of())) {
        if (doing(one) == Doing.PAUSED && !causes.contains(one)) {
          waiting.add(one);
        }
      }
    }
    return waiting;
  }

  /** Whether a sibling that is not late itself is still at work: then nobody waits yet. */
  boolean hasSiblingAtWork(SessionWork one, Collection<SessionWork> late) {
    for (SessionWork other : groups.getOrDefault(keyOf(one), List.of())) {
      boolean busy = doing(other) == Doing.AT_WORK || doing(other) == Doing.QUEUED;
      if (busy && !late.contains(other)) {
        return true;
      }
    }
    return false;
  }

  private static Group keyOf(SessionWork one) {
    return one.group() == null ? new Group(null, "", true) : one.group();
  }

  /** Unfinished sessions that are done by themselves, in a batch with one of these. */
  Set<SessionWork> batchWaiting(Collection<SessionWork> causes) {
    Set<SessionWork> waiting = new LinkedHashSet<>();
    for (SessionWork cause : causes) {
      if (cause.batch() != null) {
        for (SessionWork one : batches.get(cause.batch())) {
          if (doing(one) == Doing.PAUSED && !causes.contains(one)) {
            waiting.add(one);
          }
        }
      }
    }
    return waiting;
  }

  /**
   * How long the trainer has waited for a session between two instants, while all others that it
   * could wait for were done. Where no trainer tells, how long nothing else in the run was at work.
   *
   * @param excepted sessions that are as late as this one
   */
  long stepWaited(SessionWork late, Collection<SessionWork> excepted, long since, long until) {
    if (late.lane() || since >= until) {
      return 0;
    }
    if (trainerWaits.isEmpty()) {
      long alone = since;
      for (SessionWork one : work.sessions()) {
        if (!one.lane() && !excepted.contains(one) && one.fromNs() < until) {
          alone = Math.max(alone, busyUntil(one));
        }
      }
      return Nanos.length(alone, until);
    }
    long done = since;
    for (SessionWork one : batches.getOrDefault(String.valueOf(late.batch()), List.of())) {
      if (!excepted.contains(one)) {
        done = Math.max(done, busyUntil(one));
      }
    }
    long most = 0; // Trainers wait side by side, and each for a moment in any case.
    for (int wait : trainerWaits) {
      Long step = work.at(wait).trainStep();
      if (step == null || late.step() == null || Objects.equals(step, late.step())) {
        most =
            Math.max(
                most,
                Nanos.length(Math.max(done, work.start(wait)), Math.min(until, work.end(wait))));
      }
    }
    return most < LEAST_WAIT_NS ? 0 : most;
  }

  /**
   * What of a wait that goes on the step is overdue: by now it would still be training.
   *
   * @param waited as {@link #stepWaited} says
   */
  long stepOverdue(long waited) {
    return trainerWaits.stream().anyMatch(work::isOpen)
        ? Math.max(0, waited - usuallyBetweenWaits())
        : waited;
  }

  private long usuallyBetweenWaits() {
    if (betweenWaits < 0) {
      List<Long> times = new ArrayList<>();
      for (int k = 1; k < trainerWaits.size(); k++) {
        int before = trainerWaits.get(k - 1);
        int after = trainerWaits.get(k);
        if (work.session(before).number() == work.session(after).number() && !work.isOpen(before)) {
          times.add(Math.max(0, work.start(after) - work.end(before)));
        }
      }
      times.sort(null);
      betweenWaits = times.isEmpty() ? 0 : times.get(times.size() / 2);
    }
    return betweenWaits;
  }

  private long busyUntil(SessionWork one) {
    return doing(one) == Doing.AT_WORK || doing(one) == Doing.QUEUED
        ? work.nowNs()
        : one.ownEndNs();
  }

  /** Time in which these sessions held slots after they were done, up to now. */
  long slotsHeld(Collection<SessionWork> waiting, long since) {
    long sum = 0;
    for (SessionWork one : waiting) {
      sum += Nanos.length(Math.max(since, one.ownEndNs()), work.nowNs());
    }
    return sum;
  }

  /** Who suffers; the examples do not depend on the order in which data was read. */
  static Victims victims(Collection<SessionWork> who) {
    Set<Object> tasks = new HashSet<>();
    for (SessionWork one : who) {
      Object task = one.task() == null ? one.group() : one.task();
      if (task != null) {
        tasks.add(task);
      }
    }
    List<String> examples = who.stream().map(SessionWork::id).sorted().limit(EXAMPLES).toList();
    return new Victims(who.size(), tasks.size(), examples);
  }

  /** The first step, if there are others: it warms up, and what it does is not usual; or null. */
  static Long firstStep(RunWork work) {
    Long first = null;
    Long last = null;
    for (SessionWork one : work.sessions()) {
      if (!one.lane() && one.step() != null) {
        first = first == null ? one.step() : Long.valueOf(Math.min(first, one.step()));
        last = last == null ? one.step() : Long.valueOf(Math.max(last, one.step()));
      }
    }
    return first == null || first.equals(last) ? null : first;
  }

  /** Until when most of the first step was done; before all other times if there is but one. */
  long warmUntil() {
    Long first = firstStep(work);
    List<Long> ends = new ArrayList<>();
    for (SessionWork one : work.sessions()) {
      if (!one.lane() && first != null && first.equals(one.step())) {
        ends.add(one.ownEndNs());
      }
    }
    ends.sort(null);
    return ends.isEmpty() ? Nanos.UNKNOWN : ends.get((int) ((ends.size() - 1) * MOST_OF_STEP));
  }

  /** Training steps of these sessions. */
  static Set<Long> steps(Collection<SessionWork> who) {
    Set<Long> steps = new TreeSet<>();
    who.forEach(
        one -> {
          if (one.step() != null) {
            steps.add(one.step());
          }
        });
    return steps;
  }
}
