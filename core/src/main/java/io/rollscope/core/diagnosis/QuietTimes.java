package io.rollscope.core.diagnosis;

import io.rollscope.core.stats.IndexSort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Times in which some work was going on and none of it ended, of a set of calls. Work comes in
 * calls that end one after another; the more are open, the shorter such a time usually is.
 */
final class QuietTimes {
  private final List<Quiet> all = new ArrayList<>();
  private final RunWork work;
  private final long warmUntil;
  private final int[] byStart;
  private final int[] openAtEnds;

  /** Calls that have ended so far. */
  private final BitSet over = new BitSet();

  /** How many have begun so far, and the first of them that has not ended. */
  private int started;

  private int oldest;

  /**
   * One of them.
   *
   * @param from when a call last ended, or the first of those that are open began
   * @param to when the next one ended, or now
   * @param open how many calls were open for half of it at least
   * @param ended whether one ended then
   */
  record Quiet(long from, long to, int open, boolean ended) {
    long length() {
      return to - from;
    }

    Quiet until(long end) {
      return new Quiet(from, Math.max(from, end), open, ended);
    }
  }

  /** A shorter time is none that anybody would notice; there are very many of them. */
  private static final long LEAST_NS = 500_000_000L;

  /** Only calls that are open or took some time count. */
  QuietTimes(RunWork work, List<Integer> calls) {
    this.work = work;
    this.warmUntil = work.open().warmUntil();
    this.byStart = new int[calls.size()];
    int[] byEnd = new int[calls.size()];
    int count = 0;
    int ending = 0;
    for (int call : calls) {
      if (work.isOpen(call)) {
        byStart[count++] = call;
      } else if (work.duration(call) > 0) {
        byStart[count++] = call;
        byEnd[ending++] = call;
      }
    }
    IndexSort.sort(byStart, count, (x, y) -> work.start(x) < work.start(y));
    IndexSort.sort(byEnd, ending, (x, y) -> work.end(x) < work.end(y));
    this.openAtEnds = new int[ending];
    long last = Long.MIN_VALUE;
    for (int k = 0; k < ending; k++) {
      long to = work.end(byEnd[k]);
      while (started < count && work.start(byStart[started]) < to) {
        started++;
      }
      openAtEnds[k] = started - k;
      add(last, to, true);
      over.set(byEnd[k]);
      last = to;
    }
    started = count;
    add(last, work.nowNs(), false);
    Arrays.sort(openAtEnds);
  }

  /** How many calls are usually open when one ends. */
  int usuallyOpen() {
    return openAtEnds.length == 0 ? 0 : openAtEnds[openAtEnds.length / 2];
  }

  /** What began in the second half of it need not have ended yet. */
  private void add(long last, long to, boolean ended) {
    while (oldest < started && over.get(byStart[oldest])) {
      oldest++;
    }
    if (oldest == started) {
      return;
    }
    long from = Math.max(last, work.start(byStart[oldest]));
    if (to - from < LEAST_NS) {
      return;
    }
    int open = 0;
    for (int k = oldest; k < started; k++) {
      boolean early = work.start(byStart[k]) <= from + (to - from) / 2;
      open += early && !over.get(byStart[k]) ? 1 : 0;
    }
    all.add(new Quiet(from, to, open, ended));
  }

  /** The longest of the others, warm or not as it is, in which about as many calls were open. */
  long longestBeside(Quiet one) {
    long longest = 0;
    for (Quiet other : all) {
      boolean warmUp = other.from() < warmUntil && one.from() >= warmUntil;
      if (!other.equals(one) && !warmUp && 2 * other.open() >= one.open()) {
        longest = Math.max(longest, other.length());
      }
    }
    return longest;
  }

  /** In order of time; the last one may go on. */
  List<Quiet> all() {
    return all;
  }
}
