package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.QuietTimes.Quiet;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Did all calls of one worker stop at one instant, while those of its peers went on? */
final class HungWorkerDetector implements Detector {
  /** One or two calls that hang are hung calls. */
  private static final int LEAST_OPEN = 3;

  /** If its peers ended that many each, the chance that it ended none is 1 in 20,000. */
  private static final double EXPECTED = 10;

  /**
   * A worker that is only slow, be it ten times slower, would have ended five of so many. Where
   * fewer are expected, it would end a short one in the time the longest usually takes.
   */
  private static final double EXPECTED_OF_SLOW = 50;

  /** Its peers go on if they ended so many; one or two may end when everything stops. */
  private static final double GO_ON = 3;

  /** If so many of its calls have hung each by themselves, it is the worker. */
  private static final double NEARLY_ALL = .8;

  /** A worker that serves in bursts has pauses; it is not hung for one somewhat longer. */
  private static final double BEYOND_LONGEST = 3;

  /** Nobody is woken for less. */
  private static final long FLOOR_NS = 10_000_000_000L;

  @Override
  public void detect(RunWork work, Causes causes) {
    OpenWork open = work.open();
    Map<Worker, List<Integer>> byWorker = new LinkedHashMap<>();
    for (int i = 0; i < work.callCount(); i++) {
      if (!work.session(i).lane()
          && open.isLeaf(i)
          && work.outcome(i) != Outcome.LOST
          && !causes.isExplained(i)
          && !work.worker(i).equals(Worker.UNKNOWN)) {
        byWorker.computeIfAbsent(work.worker(i), w -> new ArrayList<>()).add(i);
      }
    }
    boolean judged = false;
    for (Worker worker : byWorker.keySet()) {
      List<List<Integer>> peers = new ArrayList<>();
      byWorker.forEach(
          (other, calls) -> {
            if (!other.equals(worker) && Objects.equals(other.role(), worker.role())) {
              peers.add(calls);
            }
          });
      judged |= !peers.isEmpty();
      if (!peers.isEmpty()) {
        long slow = Math.max(0, -open.clocks().ahead(worker));
        detect(work, open, worker, slow, byWorker.get(worker), peers, causes);
      }
    }
    if (!judged) {
      causes.cannotJudge(
          FindingKind.HUNG_WORKER,
          "No two workers of one role are known: nothing to compare with.");
    }
  }

  private static void detect(
      RunWork work,
      OpenWork open,
      Worker worker,
      long slowNs,
      List<Integer> calls,
      List<List<Integer>> peers,
      Causes causes) {
    QuietTimes quiet = new QuietTimes(work, calls);
    for (Quiet found : quiet.all()) {
      // By a clock that is behind, what happens now has not happened yet.
      Quiet one = found.ended() ? found : found.until(work.nowNs() - slowNs);
      if (one.open() < LEAST_OPEN
          || (!one.ended() && open.isOver())
          || one.length() <= FLOOR_NS
          || one.length() <= BEYOND_LONGEST * quiet.longestBeside(found)) {
        continue;
      }
      List<Integer> stopped = new ArrayList<>();
      long longest = 0;
      int far = 0;
      Map<String, UsualCalls.Usual> ofPeers = new HashMap<>();
      for (int call : calls) {
        boolean in = work.start(call) < one.to() && work.end(call) >= one.to();
        if (in && (work.isOpen(call) || work.duration(call) > 0)) {
          stopped.add(call);
          UsualCalls.Usual of =
              ofPeers.computeIfAbsent(work.stage(call), s -> UsualCalls.of(work, s, peers));
          far += of != null && one.to() - work.start(call) > of.far() ? 1 : 0;
          longest = of == null ? Long.MAX_VALUE : Math.max(longest, of.longest());
        }
      }
      double expected = expected(work, calls, peers, one);
      boolean notSlow = expected >= EXPECTED_OF_SLOW || one.length() > longest;
      boolean allHang = far >= NEARLY_ALL * stopped.size() && expected >= GO_ON;
      if ((expected >= EXPECTED && notSlow) || (far >= LEAST_OPEN && allHang)) {
        add(work, open, worker, one, stopped, expected, causes);
      }
    }
  }

  /** How many calls it would have ended, by what its peers ended, for its share of earlier work. */
  private static double expected(
      RunWork work, List<Integer> calls, List<List<Integer>> peers, Quiet one) {
    double before = 0;
    double meanwhile = 0;
    for (List<Integer> peer : peers) {
      before += ended(work, peer, Nanos.UNKNOWN, one.from());
      meanwhile += ended(work, peer, one.from(), one.to());
    }
    before /= peers.size();
    meanwhile /= peers.size();
    double own = ended(work, calls, Nanos.UNKNOWN, one.from());
    return before == 0 ? meanwhile : meanwhile * Math.min(1, own / before);
  }

  private static int ended(RunWork work, List<Integer> calls, long after, long before) {
    int ended = 0;
    for (int call : calls) {
      ended += !work.isOpen(call) && work.end(call) > after && work.end(call) <= before ? 1 : 0;
    }
    return ended;
  }

  private static void add(
      RunWork work,
      OpenWork open,
      Worker worker,
      Quiet one,
      List<Integer> stopped,
      double expected,
      Causes causes) {
    Set<SessionWork> sessions = new LinkedHashSet<>();
    Set<String> stages = new LinkedHashSet<>();
    for (int call : stopped) {
      sessions.add(work.session(call));
      stages.add(work.stage(call));
    }
    Set<SessionWork> waiting = open.siblingsWaiting(sessions);
    long wall = 0;
    for (SessionWork session : sessions) {
      wall = Math.max(wall, open.stepWaited(session, sessions, one.from(), one.to()));
    }
    if (wall > 0) {
      waiting.addAll(open.batchWaiting(sessions));
    }
    long slots = one.length() * sessions.size() + open.slotsHeld(waiting, one.from());
    Set<SessionWork> victims = new LinkedHashSet<>(sessions);
    victims.addAll(waiting);
    String who = RunWork.workerId(worker);
    Cause cause =
        new Cause(
                FindingKind.HUNG_WORKER,
                new Subject("worker", who),
                stages.size() == 1 ? stages.iterator().next() : null,
                one.from())
            .until(one.ended() ? one.to() : Nanos.OPEN)
            .cost(new Cost(Words.seconds(open.stepOverdue(wall)), Words.seconds(slots), null))
            .sentence(
                who
                    + (one.ended() ? " ended nothing for " : " has ended nothing for ")
                    + Words.duration(one.length())
                    + " with "
                    + Words.count(stopped.size(), "call")
                    + " open; its peers ended "
                    + Math.round(expected)
                    + " each."
                    + (waiting.isEmpty()
                        ? ""
                        : " "
                            + Words.count(waiting.size(), "other session")
                            + (waiting.size() == 1 ? " waits." : " wait.")))
            .advice("Take a stack dump of " + who + ", then read its log from that instant on.")
            .steps(OpenWork.steps(sessions))
            .victims(OpenWork.victims(victims))
            .evidence("open calls", stopped.size(), null, "calls", null)
            .evidence("calls ended since", 0, (double) Math.round(expected), "calls", null)
            .evidence("time since one ended", Words.seconds(one.length()), null, "s", null);
    for (int call : stopped) {
      for (int up = call; up != RunWork.NONE; up = work.parent(up)) {
        cause.explains(up);
      }
    }
    for (SessionWork session : victims) {
      DeadProcessDetector.explainOpen(work, session, cause);
    }
    causes.add(cause);
  }
}
