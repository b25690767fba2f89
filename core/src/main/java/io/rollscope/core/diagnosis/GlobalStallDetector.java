package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.QuietTimes.Quiet;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Did most open work stop at one instant, and what began then? A weight sync that does not end, a
 * checkpoint that everybody waits for, a disk that all write to.
 */
final class GlobalStallDetector implements Detector {
  /** Two or three long calls at the end of a step are a tail, not everybody. */
  static final int LEAST_OPEN = 4;

  /** What is left when the rest is done is a tail, or hangs for itself. */
  private static final double MOST = .5;

  /** If so many should have ended, the chance that none did is 1 in 150. */
  private static final double EXPECTED = 5;

  /** Weight syncs and pauses between turns make work stop for some seconds in every step. */
  static final double BEYOND_LONGEST = 3;

  /** Nobody is woken for less. */
  static final long FLOOR_NS = 10_000_000_000L;

  /** States are reported by other processes with clocks of their own. */
  static final long SAME_INSTANT_NS = 2_000_000_000L;

  /** Without three earlier ones nothing is usual: the first checkpoint of a run is long. */
  private static final int LEAST_EARLIER = 3;

  /** Writing a checkpoint is work that takes long by design, and seldom. */
  static final Pattern BY_DESIGN =
      Pattern.compile(".*(checkpoint|ckpt|save|eval|valid).*", Pattern.CASE_INSENSITIVE);

  @Override
  public void detect(RunWork work, Causes causes) {
    OpenWork open = work.open();
    List<Integer> calls = new ArrayList<>();
    for (int i = 0; i < work.callCount(); i++) {
      boolean waits = open.isInnermost(i) && open.waitsForSibling(work.session(i));
      if (!work.session(i).lane()
          && (open.isLeaf(i) || open.isInnermost(i))
          && !waits
          && work.outcome(i) != Outcome.LOST
          && !causes.isExplained(i)) {
        calls.add(i);
      }
    }
    QuietTimes quiet = new QuietTimes(work, calls);
    for (Quiet one : quiet.all()) {
      boolean now = !one.ended();
      if (one.open() >= LEAST_OPEN
          && one.open() >= MOST * quiet.usuallyOpen()
          && !(now && open.isOver())
          && one.length() > FLOOR_NS
          && one.length() > BEYOND_LONGEST * quiet.longestBeside(one)) {
        stall(work, calls, open, quiet, one, causes);
      }
    }
  }

  /** Whether it had not ended for far too long when the others stopped. */
  private static boolean hungBefore(RunWork work, int call, Quiet one) {
    UsualCalls.Usual usual = work.open().usual().of(call);
    return usual != null && one.from() - work.start(call) > usual.far();
  }

  /** How many of those that stopped would have ended meanwhile, by how long such calls take. */
  private static double expected(RunWork work, List<Integer> stopped, Quiet one) {
    double sum = 0;
    for (int call : stopped) {
      long age = Nanos.length(work.start(call), one.from());
      long later = Nanos.length(work.start(call), one.to());
      sum += work.open().usual().chanceToEnd(call, age, later);
    }
    return sum;
  }

  private static void stall(
      RunWork work,
      List<Integer> calls,
      OpenWork open,
      QuietTimes quiet,
      Quiet one,
      Causes causes) {
    long longest = quiet.longestBeside(one);
    int began = whatBegan(work, open, one);
    if (began != RunWork.NONE && isUsual(work, began)) {
      return;
    }
    List<Integer> stopped = new ArrayList<>();
    Set<SessionWork> sessions = new LinkedHashSet<>();
    Set<String> workers = new LinkedHashSet<>();
    for (int call : calls) {
      if (work.start(call) < one.to()
          && work.end(call) >= one.to()
          && work.end(call) > one.from()
          && !hungBefore(work, call, one)) {
        stopped.add(call);
        sessions.add(work.session(call));
        workers.add(String.valueOf(RunWork.workerId(work.worker(call))));
      }
    }
    // A warm-up is a time: sessions meant for the next step may run in it, too.
    boolean warmUp = one.from() < open.warmUntil();
    if (warmUp
        || stopped.size() < Math.max(LEAST_OPEN, MOST * quiet.usuallyOpen())
        || expected(work, stopped, one) < EXPECTED) {
      return;
    }
    String stage = began == RunWork.NONE ? null : work.stage(began);
    Subject subject =
        began == RunWork.NONE ? new Subject("run", "run") : new Subject("stage", stage);
    long beyond = one.length() - longest;
    long usual = began == RunWork.NONE ? longest : longestEarlier(work, began);
    String when =
        began == RunWork.NONE
            ? "."
            : ", when "
                + stage
                + " began"
                + at(work, began)
                + " (usually at most "
                + Words.duration(usual)
                + ", now "
                + Words.duration(Math.min(work.end(began), one.to()) - work.start(began))
                + ").";
    Cause cause =
        new Cause(FindingKind.GLOBAL_STALL, subject, stage, one.from())
            .until(one.ended() ? one.to() : Nanos.OPEN)
            .cost(new Cost(Words.seconds(beyond), Words.seconds(beyond) * sessions.size(), null))
            .sentence(
                "All "
                    + stopped.size()
                    + " open calls on "
                    + Words.count(workers.size(), "worker")
                    + (one.ended() ? " stood still for " : " have stood still for ")
                    + Words.duration(one.length())
                    + when)
            .advice(
                began == RunWork.NONE
                    ? "Look at what all of them share: the network, the file system, the scheduler."
                    : "Look at the log of "
                        + RunWork.workerId(work.worker(began))
                        + " from that instant on.")
            .steps(OpenWork.steps(sessions))
            .victims(OpenWork.victims(sessions))
            .evidence(
                "no call ended for", Words.seconds(one.length()), Words.seconds(longest), "s", null)
            .evidence("open calls", stopped.size(), null, "calls", null);
    if (began != RunWork.NONE) {
      cause.evidence(stage, Words.seconds(work.duration(began)), Words.seconds(usual), "s", stage);
      explainLike(work, began, cause);
    }
    stopped.forEach(cause::explains);
    sessions.forEach(s -> DeadProcessDetector.explainOpen(work, s, cause));
    causes.add(cause);
  }

  static String at(RunWork work, int call) {
    String worker = RunWork.workerId(work.worker(call));
    return worker == null ? "" : " on " + worker;
  }

  /** The work of a process that began when everything stopped, and was not over before the end. */
  private static int whatBegan(RunWork work, OpenWork open, Quiet one) {
    int best = RunWork.NONE;
    for (int i = 0; i < work.callCount(); i++) {
      if (work.session(i).lane()
          && !open.isWait(i)
          && Math.abs(work.start(i) - one.from()) <= SAME_INSTANT_NS
          && work.end(i) >= one.to() - SAME_INSTANT_NS) {
        boolean nearer =
            best == RunWork.NONE
                || Math.abs(work.start(i) - one.from()) < Math.abs(work.start(best) - one.from());
        best = nearer ? i : best;
      }
    }
    return best;
  }

  /** Whether it took no longer than it did before, or is one of those that take long by design. */
  private static boolean isUsual(RunWork work, int call) {
    if (BY_DESIGN.matcher(work.stage(call)).matches() && !work.isOpen(call)) {
      return true;
    }
    return earlier(work, call).size() >= LEAST_EARLIER
        && work.duration(call) <= BEYOND_LONGEST * longestEarlier(work, call);
  }

  private static List<Integer> earlier(RunWork work, int call) {
    List<Integer> earlier = new ArrayList<>();
    for (int i = 0; i < work.callCount(); i++) {
      if (work.session(i).lane()
          && work.stage(i).equals(work.stage(call))
          && !work.isOpen(i)
          && work.end(i) <= work.start(call)) {
        earlier.add(i);
      }
    }
    return earlier;
  }

  private static long longestEarlier(RunWork work, int call) {
    return earlier(work, call).stream().mapToLong(work::duration).max().orElse(0);
  }

  /** The same on other processes began then too. */
  static void explainLike(RunWork work, int began, Cause cause) {
    for (int i = 0; i < work.callCount(); i++) {
      if (work.session(i).lane()
          && work.stage(i).equals(work.stage(began))
          && work.start(i) <= work.end(began)
          && work.end(i) >= work.start(began)) {
        cause.explains(i);
      }
    }
  }
}
