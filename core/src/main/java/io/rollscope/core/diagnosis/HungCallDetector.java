package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.diagnosis.UsualCalls.Usual;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which single calls have not ended for far longer than such calls take, so that others wait? */
final class HungCallDetector implements Detector {
  /** So many workers at once: it is the service behind the stage, not each of them. */
  private static final int SERVICE_WORKERS = 3;

  /** Without groups and trainer it is not known who waits, only that it is far too long. */
  private static final double NOBODY_KNOWN = .6;

  /** An open call this old would be worth a word, if it were known what is usual. */
  private static final long OLD_NS = 60_000_000_000L;

  private record Hung(int call, Usual usual) {}

  @Override
  public void detect(RunWork work, Causes causes) {
    OpenWork open = work.open();
    UsualCalls usual = work.open().usual();
    List<Hung> hung = new ArrayList<>();
    Set<String> unknown = new HashSet<>();
    Long warmUp = OpenWork.firstStep(work);
    for (int i = 0; i < work.callCount(); i++) {
      if (work.session(i).lane() || causes.isExplained(i) || !isOwn(work, open, i)) {
        continue;
      }
      Usual of = usual.of(i);
      boolean excused =
          !work.isOpen(i)
              && (usual.isByTokens(i) || (warmUp != null && warmUp.equals(work.session(i).step())));
      if (of != null && open.age(i) > of.far() && !excused) {
        hung.add(new Hung(i, of));
      } else if (of == null && work.isOpen(i) && open.age(i) > OLD_NS) {
        unknown.add(work.stage(i));
      }
    }
    for (String stage : unknown) {
      causes.cannotJudge(
          FindingKind.HUNG_CALL,
          "Fewer than " + UsualCalls.LEAST + " calls of " + stage + " have ended.");
    }
    if (!open.hasGroups() && !open.hasTrainerWaits()) {
      causes.cannotJudge(
          FindingKind.HUNG_CALL,
          "Neither groups nor a trainer are known: who waits cannot be told.");
    }
    hung.removeAll(ofServices(work, hung, causes));
    Set<SessionWork> late = new LinkedHashSet<>();
    hung.forEach(h -> late.add(work.session(h.call())));
    Map<SessionWork, Hung> first = new LinkedHashMap<>();
    for (Hung one : hung) {
      first.merge(
          work.session(one.call()),
          one,
          (a, b) -> work.isOpen(b.call()) && !work.isOpen(a.call()) ? b : a);
    }
    first.values().forEach(one -> add(work, open, one, late, causes));
  }

  /** Open or ended, but work of its own: what only waits for a sibling is a victim. */
  private static boolean isOwn(RunWork work, OpenWork open, int call) {
    if (work.isOpen(call)) {
      return !open.isOver() && open.isInnermost(call) && !open.waitsForSibling(work.session(call));
    }
    return open.isLeaf(call) && work.outcome(call) != Outcome.LOST;
  }

  /** Calls of a stage of which none that began later has ended, on any worker. */
  private static List<Hung> ofServices(RunWork work, List<Hung> hung, Causes causes) {
    Map<String, List<Hung>> stages = new HashMap<>();
    for (Hung one : hung) {
      if (work.isOpen(one.call())) {
        stages.computeIfAbsent(work.stage(one.call()), s -> new ArrayList<>()).add(one);
      }
    }
    List<Hung> taken = new ArrayList<>();
    stages.forEach(
        (stage, calls) -> {
          Set<String> workers = new HashSet<>();
          long since = Long.MAX_VALUE;
          for (Hung one : calls) {
            workers.add(String.valueOf(RunWork.workerId(work.worker(one.call()))));
            since = Math.min(since, work.start(one.call()));
          }
          if (workers.size() >= SERVICE_WORKERS && !hasEndedSince(work, stage, since)) {
            taken.addAll(calls);
            causes.add(service(work, stage, calls, workers.size(), since));
          }
        });
    return taken;
  }

  private static boolean hasEndedSince(RunWork work, String stage, long since) {
    for (int i = 0; i < work.callCount(); i++) {
      if (work.start(i) > since && work.outcome(i) == Outcome.OK && work.stage(i).equals(stage)) {
        return true;
      }
    }
    return false;
  }

  private static Cause service(
      RunWork work, String stage, List<Hung> calls, int workers, long since) {
    OpenWork open = work.open();
    Set<SessionWork> sessions = new LinkedHashSet<>();
    calls.forEach(one -> sessions.add(work.session(one.call())));
    Set<SessionWork> waiting = open.siblingsWaiting(sessions);
    long wall = 0;
    long slots = open.slotsHeld(waiting, since);
    for (Hung one : calls) {
      long from = work.start(one.call()) + one.usual().p95();
      wall =
          Math.max(wall, open.stepWaited(work.session(one.call()), sessions, from, work.nowNs()));
      slots += Nanos.length(from, work.nowNs());
    }
    waiting.addAll(sessions);
    Cause cause =
        new Cause(FindingKind.GLOBAL_STALL, new Subject("stage", stage), stage, since)
            .cost(new Cost(Words.seconds(open.stepOverdue(wall)), Words.seconds(slots), null))
            .sentence(
                "No call of "
                    + stage
                    + " that began in the last "
                    + Words.duration(work.nowNs() - since)
                    + " has ended, on any of "
                    + Words.count(workers, "worker")
                    + "; usually they take "
                    + Words.duration(calls.get(0).usual().p50())
                    + ".")
            .advice("Look at the service behind " + stage + ": does it answer at all?")
            .steps(OpenWork.steps(sessions))
            .victims(OpenWork.victims(waiting))
            .evidence("open calls", calls.size(), null, "calls", stage);
    waiting.forEach(one -> DeadProcessDetector.explainOpen(work, one, cause));
    return cause;
  }

  private static void add(
      RunWork work, OpenWork open, Hung one, Set<SessionWork> late, Causes causes) {
    int call = one.call();
    SessionWork session = work.session(call);
    boolean isOpen = work.isOpen(call);
    long since = work.start(call) + one.usual().p95();
    Set<SessionWork> siblings = open.siblingsWaiting(List.of(session));
    siblings.removeAll(late);
    long wall = open.stepWaited(session, late, since, work.end(call));
    boolean known = session.group() != null || open.hasTrainerWaits();
    if (isOpen && siblings.isEmpty() && wall == 0 && open.hasSiblingAtWork(session, late)) {
      return; // Nobody waits yet.
    }
    Set<SessionWork> waiting = new LinkedHashSet<>(siblings);
    if (wall > 0) {
      waiting.addAll(open.batchWaiting(List.of(session)));
      waiting.removeAll(late);
    }
    long slots = work.end(call) - since + (isOpen ? open.slotsHeld(siblings, since) : 0);
    Cause cause =
        new Cause(
                FindingKind.HUNG_CALL,
                new Subject("session", session.id()),
                work.stage(call),
                work.start(call))
            .until(isOpen ? Nanos.OPEN : work.end(call))
            .cost(new Cost(Words.seconds(open.stepOverdue(wall)), Words.seconds(slots), null))
            .confidence(known ? 1 : NOBODY_KNOWN)
            .sentence(sentence(work, one, siblings.size(), wall > 0))
            .advice(
                (isOpen ? "End this call, or set a time-out for " : "Set a time-out for ")
                    + work.stage(call)
                    + " of "
                    + Words.duration(one.usual().far())
                    + ".")
            .steps(OpenWork.steps(List.of(session)))
            .victims(OpenWork.victims(waiting))
            .evidence(
                isOpen ? "open for" : "it took",
                Words.seconds(work.duration(call)),
                Words.seconds(one.usual().p50()),
                "s",
                session.id())
            .evidence(
                "longest of the others",
                Words.seconds(one.usual().longest()),
                null,
                "s",
                work.stage(call));
    for (int up = call; up != RunWork.NONE; up = work.parent(up)) {
      cause.explains(up);
    }
    for (SessionWork sibling : siblings) {
      DeadProcessDetector.explainOpen(work, sibling, cause);
    }
    causes.add(cause);
  }

  private static String sentence(RunWork work, Hung one, int siblings, boolean step) {
    int call = one.call();
    String worker = RunWork.workerId(work.worker(call));
    StringBuilder text = new StringBuilder(work.stage(call));
    text.append(" of ").append(work.session(call).id());
    text.append(work.isOpen(call) ? " has been open for " : " took ");
    text.append(Words.duration(work.duration(call)));
    if (worker != null) {
      text.append(" on ").append(worker);
    }
    text.append("; ").append(one.usual().count()).append(" others took ");
    text.append(Words.duration(one.usual().p50())).append(", at most ");
    text.append(Words.duration(one.usual().longest())).append('.');
    if (work.isOpen(call) && (siblings > 0 || step)) {
      text.append(' ').append(siblings > 0 ? Words.count(siblings, "sibling") : "The step");
      text.append(siblings > 0 && step ? " and the step" : "");
      text.append(siblings > 1 || (siblings > 0 && step) ? " wait for it." : " waits for it.");
    }
    return text.toString();
  }
}
