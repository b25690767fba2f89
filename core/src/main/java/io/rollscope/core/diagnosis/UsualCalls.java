package io.rollscope.core.diagnosis;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.stats.Amounts;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long calls of a stage take that ended, of a kind of task where enough of them have. By this a
 * call is judged that has not ended.
 */
final class UsualCalls {
  /** With fewer, the rule for overdue work says nothing either (contracts.md 4.10). */
  static final int LEAST = 20;

  /** The longest of so many is a good guess at the longest there can be; of fewer it is not. */
  private static final int MANY = 200;

  /** So many times as long as the one before it: that call had hung itself, and is not usual. */
  private static final double APART = 3;

  /** A new longest call is often somewhat longer than the last one; twice as long it rarely is. */
  private static final double BEYOND_LONGEST = 2;

  /** Three times the longest of many is beyond what a bounded length or a time-out allows. */
  private static final double BEYOND_LONGEST_OF_MANY = 3;

  /**
   * The logarithm of durations is roughly normal. Its p95 lies 1.64 deviations above the median;
   * 2.5 times as far are 4.1 deviations: 1 call of 50,000, however heavy the tail.
   */
  private static final double TAIL = 2.5;

  /** Nobody is woken for less. */
  private static final long FLOOR_NS = 10_000_000_000L;

  private final RunWork work;

  /** So that it can be added to a time: 73 years. */
  private static final double MOST_NS = 0x1p61;

  private final int[] stageOfName;
  private final Map<String, Integer> stages = new HashMap<>();
  private final Map<String, Integer> tasks = new HashMap<>();
  private final Map<Long, Usual> known = new HashMap<>();
  private final Map<Long, long[]> sorted = new HashMap<>();
  private final Map<String, Double> nsPerToken = new HashMap<>();

  /**
   * Of the calls that ended.
   *
   * @param longest of those that did not hang
   */
  record Usual(int count, long p50, long p95, long longest) {

    /** Beyond this, a call that is open has hung. */
    long far() {
      double tail = p50 <= 0 ? p95 : p50 * Math.pow((double) p95 / p50, TAIL);
      if (count >= MANY) {
        tail = Math.min(tail, BEYOND_LONGEST_OF_MANY * longest);
      }
      double seen = Math.max(BEYOND_LONGEST * longest, (double) (p95 + FLOOR_NS));
      return (long) Math.min(Math.max(tail, seen), MOST_NS);
    }
  }

  UsualCalls(RunWork work) {
    this.work = work;
    this.stageOfName = new int[work.table().nameCount()];
    learn(OpenWork.firstStep(work));
    learn(null); // Only what too few calls after the warm-up tell of.
    perToken();
  }

  /** What is known already stays. */
  private void learn(Long warmUp) {
    Map<Long, long[]> durations = new HashMap<>();
    Map<Long, Integer> counts = new HashMap<>();
    for (int i = 0; i < work.callCount(); i++) {
      boolean ended = work.outcome(i) == Outcome.OK || work.outcome(i) == Outcome.ERROR;
      if (ended && (warmUp == null || !warmUp.equals(work.session(i).step()))) {
        add(durations, counts, key(i, false), work.duration(i));
        if (work.session(i).taskName() != null) {
          add(durations, counts, key(i, true), work.duration(i));
        }
      }
    }
    durations.forEach(
        (key, all) -> {
          int n = counts.get(key);
          if (n >= LEAST && !known.containsKey(key)) {
            known.put(key, usual(all, n));
            sorted.put(key, Arrays.copyOf(all, n));
          }
        });
  }

  private void perToken() {
    Map<String, Amounts> rates = new HashMap<>();
    for (int i = 0; i < work.callCount(); i++) {
      if (work.outcome(i) == Outcome.OK && work.outputTokens(i) > 0) {
        rates
            .computeIfAbsent(work.stage(i), s -> new Amounts())
            .add((double) work.duration(i) / work.outputTokens(i));
      }
    }
    rates.forEach((stage, all) -> nsPerToken.put(stage, all.summary().p95()));
  }

  /** Whether a call took long because it wrote much: it did not hang. */
  boolean isByTokens(int call) {
    Double rate = nsPerToken.get(work.stage(call));
    return rate != null
        && work.outputTokens(call) > 0
        && work.duration(call) <= APART * rate * work.outputTokens(call);
  }

  private static void add(
      Map<Long, long[]> durations, Map<Long, Integer> counts, long key, long ns) {
    int n = counts.merge(key, 1, Integer::sum);
    long[] all = durations.computeIfAbsent(key, k -> new long[LEAST]);
    if (n > all.length) {
      all = Arrays.copyOf(all, 2 * all.length);
      durations.put(key, all);
    }
    all[n - 1] = ns;
  }

  private static Usual usual(long[] all, int n) {
    Arrays.sort(all, 0, n);
    int p95 = (int) ((n - 1) * .95);
    int longest = p95;
    while (longest + 1 < n
        && (all[longest + 1] < APART * all[longest]
            || all[longest + 1] < all[longest] + FLOOR_NS)) {
      longest++;
    }
    return new Usual(n, all[(n - 1) / 2], all[p95], all[longest]);
  }

  /**
   * How likely a call that has been open for so long ends before it has been for longer, by those
   * that ended; 0 if too few have.
   */
  double chanceToEnd(int call, long age, long laterAge) {
    long byTask = key(call, true);
    long[] all = sorted.get(sorted.containsKey(byTask) ? byTask : key(call, false));
    if (all == null) {
      return 0;
    }
    int left = all.length - notLongerThan(all, age);
    return left == 0 ? 0 : (double) (notLongerThan(all, laterAge) - all.length + left) / left;
  }

  private static int notLongerThan(long[] all, long age) {
    int at = Arrays.binarySearch(all, age + 1);
    return at < 0 ? -at - 1 : at;
  }

  /** Of calls of a stage of some workers, or null if too few have ended. */
  static Usual of(RunWork work, String stage, List<List<Integer>> peers) {
    long[] durations = new long[LEAST];
    int n = 0;
    for (List<Integer> calls : peers) {
      for (int call : calls) {
        if (work.outcome(call) == Outcome.OK && work.stage(call).equals(stage)) {
          if (n == durations.length) {
            durations = Arrays.copyOf(durations, 2 * n);
          }
          durations[n++] = work.duration(call);
        }
      }
    }
    return n < LEAST ? null : usual(durations, n);
  }

  /** Number of its stage, and of its kind of task if that counts; lanes are apart. */
  private long key(int call, boolean byTask) {
    int name = work.name(call);
    if (stageOfName[name] == 0) {
      String stage = work.stage(call);
      stageOfName[name] = stages.computeIfAbsent(stage, s -> stages.size() + 1);
    }
    String taskName = byTask ? work.session(call).taskName() : null;
    long task = taskName == null ? 0 : tasks.computeIfAbsent(taskName, t -> tasks.size() + 1);
    return (task << Integer.SIZE) + 2L * stageOfName[name] + (work.session(call).lane() ? 1 : 0);
  }

  /** Of calls like this one, or null if too few have ended. */
  Usual of(int call) {
    Usual ofTask = work.session(call).taskName() == null ? null : known.get(key(call, true));
    return ofTask != null ? ofTask : known.get(key(call, false));
  }
}
