package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Did a process end or go silent while others waited for its work? */
final class DeadProcessDetector implements Detector {
  /** Three beats missed: from then on its work is lost (contracts.md 3.7). */
  static final long SILENT_NS = 30_000_000_000L;

  /** Processes say every 10 s that they are alive (contracts.md 3.5). */
  private static final long BEAT_NS = 10_000_000_000L;

  /** So many calls of a stage have one inside them where it is made to. */
  private static final double NEARLY_ALL = .8;

  /** One run, looked at. */
  private static final class Look {
    private final RunWork work;
    private final OpenWork open;
    private final HostClocks clocks;
    private final Causes causes;
    private final Map<String, Long> lastNs = new HashMap<>();
    private final Map<Worker, List<Integer>> callsOf = new HashMap<>();
    private final BitSet taken = new BitSet();

    Look(RunWork work, Causes causes) {
      this.work = work;
      this.open = work.open();
      this.clocks = work.open().clocks();
      this.causes = causes;
      for (ProcessSign sign : work.processes()) {
        callsOf.put(sign.worker(), new ArrayList<>());
      }
      for (int i = 0; i < work.callCount(); i++) {
        List<Integer> calls = callsOf.get(work.worker(i));
        if (calls != null) {
          calls.add(i);
        }
      }
      for (ProcessSign sign : work.processes()) {
        lastNs.put(sign.instance(), lastNs(sign));
      }
    }

    /** A process works on after its last beat; what is later than the next is of another one. */
    private long lastNs(ProcessSign sign) {
      long last = sign.timeNs();
      for (int call : sign.ended() ? List.<Integer>of() : callsOf.get(sign.worker())) {
        last = Math.max(last, within(sign, work.start(call)));
        if (!isUnended(work, call)) {
          last = Math.max(last, within(sign, work.end(call)));
        }
      }
      return last;
    }

    private static long within(ProcessSign sign, long ns) {
      return ns <= sign.timeNs() + BEAT_NS ? ns : sign.timeNs();
    }

    /** When something was last heard of a process, by its own clock. */
    long lastOf(ProcessSign sign) {
      return lastNs.get(sign.instance());
    }
  }

  @Override
  public void detect(RunWork work, Causes causes) {
    if (work.processes().isEmpty()) {
      causes.cannotJudge(FindingKind.DEAD_PROCESS, "No process tells that it is alive.");
      return;
    }
    Look look = new Look(work, causes);
    List<ProcessSign> signs = new ArrayList<>(work.processes());
    signs.sort(Comparator.comparingLong(look::lastOf).thenComparing(ProcessSign::instance));
    long newest = signs.stream().mapToLong(s -> timeNs(look, s)).max().orElseThrow();
    long silence = work.nowNs() - newest;
    if (silence > SILENT_NS && !look.open.isOver()) {
      causes.cannotJudge(
          FindingKind.DEAD_PROCESS,
          "No process has reported for " + Words.duration(silence) + ": the whole run is silent.");
    }
    for (int i = 0; i < signs.size(); i++) {
      ProcessSign sign = signs.get(i);
      ProcessSign next = null;
      for (int k = signs.size() - 1; k > i; k--) {
        next = signs.get(k).worker().equals(sign.worker()) ? signs.get(k) : next;
      }
      boolean known = !sign.worker().equals(Worker.UNKNOWN);
      boolean replaced = next != null && sign.worker().rank() != null;
      if (known && (next == null || replaced) && isGone(look, sign, newest)) {
        look(look, sign, next);
      }
    }
  }

  private static long timeNs(Look look, ProcessSign sign) {
    return look.lastOf(sign) - look.clocks.ahead(sign.host());
  }

  private static boolean isGone(Look look, ProcessSign sign, long newest) {
    long quiet = newest - timeNs(look, sign);
    return quiet > (sign.ended() ? BEAT_NS : SILENT_NS);
  }

  private static void look(Look look, ProcessSign sign, ProcessSign next) {
    List<Integer> lost = new ArrayList<>();
    Set<SessionWork> sessions = new LinkedHashSet<>();
    long back = next == null ? Nanos.OPEN : Nanos.OPEN - 1;
    for (int call : look.callsOf.get(sign.worker())) {
      if (look.work.start(call) > look.lastOf(sign)) {
        back = Math.min(back, look.work.start(call));
      } else if (isUnended(look.work, call) && !look.taken.get(call)) {
        look.taken.set(call);
        lost.add(call);
        if (!look.work.session(call).lane()) {
          sessions.add(look.work.session(call));
        }
      }
    }
    sessions.addAll(held(look, sign));
    List<Integer> sent = sentAfter(look, sign, back);
    boolean replaced = next != null && !sign.ended(); // It died, even if nothing is known open.
    if (lost.isEmpty() && sessions.isEmpty() && sent.isEmpty() && !replaced) {
      return;
    }
    if (back == Nanos.OPEN - 1) {
      back = look.lastOf(next); // It took over, and has begun nothing yet.
    }
    look.causes.add(cause(look, sign, lost, sessions, sent, back));
  }

  /**
   * Calls of others that nobody took: such a call usually has one of this role inside it, and none
   * has begun.
   */
  private static List<Integer> sentAfter(Look look, ProcessSign sign, long back) {
    RunWork work = look.work;
    Map<String, int[]> answered = new HashMap<>();
    for (int i = 0; i < work.callCount(); i++) {
      int up = work.parent(i);
      boolean inside = up != RunWork.NONE && !work.worker(up).equals(work.worker(i));
      if (inside && Objects.equals(work.worker(i).role(), sign.worker().role())) {
        answered.computeIfAbsent(work.stage(up), s -> new int[2])[0]++;
      }
    }
    for (int i = 0; i < work.callCount() && !answered.isEmpty(); i++) {
      int[] counts = answered.get(work.stage(i));
      if (counts != null) {
        counts[1]++;
      }
    }
    List<Integer> sent = new ArrayList<>();
    for (int i = 0; i < work.callCount(); i++) {
      int[] counts = answered.get(work.stage(i));
      if (counts != null
          && counts[0] >= NEARLY_ALL * counts[1]
          && look.open.isLeaf(i)
          && work.start(i) >= look.lastOf(sign) - BEAT_NS
          && work.start(i) < back
          && (work.outcome(i) == Outcome.ERROR || (work.isOpen(i) && look.open.age(i) > BEAT_NS))) {
        sent.add(i);
      }
    }
    return sent;
  }

  /** Sessions that were its own and of which nothing was heard since. */
  private static List<SessionWork> held(Look look, ProcessSign sign) {
    List<SessionWork> held = new ArrayList<>();
    for (SessionWork one : look.work.sessions()) {
      boolean unfinished = one.status() == Status.LOST || one.status().isUnfinished();
      if (!one.lane() && unfinished && one.worker().equals(sign.worker())) {
        boolean later = one.fromNs() > look.lastOf(sign);
        for (int i = one.firstCall(); i < one.firstCall() + one.calls(); i++) {
          later |= look.work.start(i) > look.lastOf(sign);
        }
        if (!later) {
          held.add(one);
        }
      }
    }
    return held;
  }

  static boolean isUnended(RunWork work, int call) {
    return work.outcome(call) == Outcome.OPEN || work.outcome(call) == Outcome.LOST;
  }

  private static Cause cause(
      Look look,
      ProcessSign sign,
      List<Integer> lost,
      Set<SessionWork> sessions,
      List<Integer> sent,
      long back) {
    RunWork work = look.work;
    Set<SessionWork> waiting = look.open.siblingsWaiting(sessions);
    for (int call : sent) {
      if (!sessions.contains(work.session(call)) && work.isOpen(call)) {
        waiting.add(work.session(call));
        waiting.addAll(look.open.siblingsWaiting(List.of(work.session(call))));
      }
    }
    waiting.removeAll(sessions);
    long until = back == Nanos.OPEN ? over(look, sessions, waiting) : back;
    long end = Math.min(until, work.nowNs());
    long slots = 0;
    for (SessionWork one : sessions) {
      slots += Nanos.length(Math.max(one.fromNs(), look.lastOf(sign)), end);
    }
    Set<SessionWork> late = new LinkedHashSet<>(sessions);
    sent.forEach(call -> late.add(work.session(call)));
    if (back != Nanos.OPEN) {
      late.addAll(begunAgain(look, sign, back));
    }
    long wall = 0;
    for (SessionWork one : late) {
      long waited = look.open.stepWaited(one, late, look.lastOf(sign), work.nowNs());
      wall = Math.max(wall, waited);
    }
    slots += look.open.slotsHeld(waiting, look.lastOf(sign));
    if (wall > 0) {
      waiting.addAll(look.open.batchWaiting(sessions));
    }
    String who = RunWork.workerId(sign.worker());
    Cause cause =
        new Cause(
                FindingKind.DEAD_PROCESS,
                new Subject("process", who),
                stage(work, look.open, lost),
                look.lastOf(sign))
            .until(until)
            .cost(new Cost(Words.seconds(look.open.stepOverdue(wall)), Words.seconds(slots), null))
            .sentence(sentence(look, sign, lost, sessions, waiting, back))
            .advice(
                "Read the last lines of the log of "
                    + who
                    + place(sign)
                    + ", and the kernel log of its host (out of memory, GPU errors)."
                    + (back == Nanos.OPEN ? " Start it again." : ""))
            .steps(OpenWork.steps(late))
            .evidence("open calls lost", lost.size(), 0.0, "calls", null)
            .evidence("sessions lost", sessions.size(), 0.0, "sessions", null);
    if (back != Nanos.OPEN) {
      cause.evidence("back after", Words.seconds(back - look.lastOf(sign)), null, "s", null);
    }
    Set<SessionWork> victims = new LinkedHashSet<>(sessions);
    victims.addAll(waiting);
    cause.victims(OpenWork.victims(victims));
    for (int call : lost) {
      for (int up = call; up != RunWork.NONE; up = work.parent(up)) {
        cause.explains(up);
      }
    }
    sent.forEach(cause::explains);
    for (SessionWork one : victims) {
      explainOpen(work, one, cause);
    }
    return cause;
  }

  /** Sessions that the new process began at once: it does what was lost. */
  private static List<SessionWork> begunAgain(Look look, ProcessSign sign, long back) {
    Set<SessionWork> again = new LinkedHashSet<>();
    for (int call : look.callsOf.get(sign.worker())) {
      SessionWork session = look.work.session(call);
      if (!session.lane()
          && session.fromNs() >= back - BEAT_NS
          && session.fromNs() <= back + BEAT_NS) {
        again.add(session);
      }
    }
    return List.copyOf(again);
  }

  /** What else is open in a session that cannot go on. */
  static void explainOpen(RunWork work, SessionWork one, Cause cause) {
    for (int i = one.firstCall(); i < one.firstCall() + one.calls(); i++) {
      if (isUnended(work, i)) {
        cause.explains(i);
      }
    }
  }

  /** While a session of it, or a sibling, is not given up, it goes on. */
  private static long over(Look look, Set<SessionWork> sessions, Set<SessionWork> waiting) {
    boolean goesOn = !waiting.isEmpty();
    long last = Nanos.UNKNOWN;
    for (SessionWork one : sessions) {
      goesOn |= one.status().isUnfinished();
      last = Math.max(last, one.toNs());
    }
    if (sessions.isEmpty()) {
      goesOn = true; // What a process did for nobody in particular still is not done.
    }
    if (goesOn && !look.open.isOver()) {
      return Nanos.OPEN;
    }
    return last == Nanos.UNKNOWN ? look.work.nowNs() : Math.min(last, look.work.nowNs());
  }

  private static String stage(RunWork work, OpenWork open, List<Integer> lost) {
    Map<String, Integer> stages = new HashMap<>();
    for (int call : lost) {
      if (open.isLeaf(call)) {
        stages.merge(work.stage(call), 1, Integer::sum);
      }
    }
    return stages.entrySet().stream()
        .max(
            Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  private static String place(ProcessSign sign) {
    if (sign.host() == null) {
      return "";
    }
    return " (" + sign.host() + (sign.pid() == null ? "" : ", pid " + sign.pid()) + ")";
  }

  private static String sentence(
      Look look,
      ProcessSign sign,
      List<Integer> lost,
      Set<SessionWork> sessions,
      Set<SessionWork> waiting,
      long back) {
    String what =
        sign.ended()
            ? " ended"
            : " has been silent for " + Words.duration(look.work.nowNs() - look.lastOf(sign));
    StringBuilder text =
        new StringBuilder(RunWork.workerId(sign.worker())).append(place(sign)).append(what);
    text.append(" with ").append(Words.count(lost.size(), "call")).append(" open.");
    if (!sessions.isEmpty()) {
      text.append(' ').append(Words.count(sessions.size(), "session"));
      Set<Long> steps = OpenWork.steps(sessions);
      if (!steps.isEmpty()) {
        text.append(steps.size() == 1 ? " of step " : " of steps ");
        text.append(String.join(", ", steps.stream().map(String::valueOf).toList()));
      }
      text.append(sessions.size() == 1 ? " is lost." : " are lost.");
    }
    if (!waiting.isEmpty()) {
      text.append(' ').append(Words.count(waiting.size(), "other session"));
      text.append(waiting.size() == 1 ? " waits for them." : " wait for them.");
    }
    if (back != Nanos.OPEN) {
      text.append(" A new process took over ").append(Words.duration(back - look.lastOf(sign)));
      text.append(" later.");
    }
    return text.toString();
  }
}
