package io.rollscope.core.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Times in which some work was going on and none of it ended, of a set of calls. Work comes in
 * calls that end one after another; the more are open, the shorter such a time usually is.
 */
final class QuietTimes {
  private final List<Quiet> all = new ArrayList<>();
  private int[] openAtEnds = new int[64];
  private int ends;
  private final long warmUntil;

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

  QuietTimes(RunWork work, List<Integer> calls) {
    this.warmUntil = work.open().warmUntil();
    List<Integer> byStart = new ArrayList<>();
    List<Integer> byEnd = new ArrayList<>();
    for (int call : calls) {
      if (work.isOpen(call)) {
        byStart.add(call);
      } else if (work.duration(call) > 0) {
        byStart.add(call);
        byEnd.add(call);
      }
    }
    byStart.sort(Comparator.comparingLong(work::start));
    byEnd.sort(Comparator.comparingLong(work::end));
    TreeMap<Long, Integer> openSince = new TreeMap<>();
    int started = 0;
    int open = 0;
    long last = Long.MIN_VALUE;
    for (int ending : byEnd) {
      long to = work.end(ending);
      while (started < byStart.size() && work.start(byStart.get(started)) < to) {
        openSince.merge(work.start(byStart.get(started++)), 1, Integer::sum);
        open++;
      }
      sawOpen(open--);
      add(openSince, last, to, true);
      if (openSince.merge(work.start(ending), -1, Integer::sum) == 0) {
        openSince.remove(work.start(ending));
      }
      last = to;
    }
    while (started < byStart.size()) {
      openSince.merge(work.start(byStart.get(started++)), 1, Integer::sum);
    }
    add(openSince, last, work.nowNs(), false);
  }

  private void sawOpen(int open) {
    if (ends == openAtEnds.length) {
      openAtEnds = Arrays.copyOf(openAtEnds, 2 * ends);
    }
    openAtEnds[ends++] = open;
  }

  /** How many calls are usually open when one ends. */
  int usuallyOpen() {
    int[] sorted = Arrays.copyOf(openAtEnds, ends);
    Arrays.sort(sorted);
    return ends == 0 ? 0 : sorted[ends / 2];
  }

  /** What began in the second half of it need not have ended yet. */
  private void add(TreeMap<Long, Integer> openSince, long last, long to, boolean ended) {
    if (openSince.isEmpty()) {
      return;
    }
    long from = Math.max(last, openSince.firstKey());
    if (to - from < LEAST_NS) {
      return;
    }
    int open = 0;
    for (int n : openSince.headMap(from + (to - from) / 2, true).values()) {
      open += n;
    }
    all.add(new Quiet(from, to, open, ended));
  }

  /** The longest of the others, warm or not as it is, in which about as many calls were open. */
  long longestBeside(Quiet one) {
    long longest = 0;
    for (Quiet other : all) {
      boolean warmUp = other.from() < warmUntil && one.from() >= warmUntil;
      if (other != one && !warmUp && 2 * other.open() >= one.open()) {
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
