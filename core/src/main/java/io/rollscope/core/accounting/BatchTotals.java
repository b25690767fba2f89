package io.rollscope.core.accounting;

import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.time.NanoSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How well a batch used its time: a few slow sessions at its end leave the slots empty in which the
 * others ran (contracts.md 5.17, 5.19). Parts of a batch can be looked at apart and added.
 */
public final class BatchTotals {
  /** The tail begins when this part of the sessions has ended. */
  private static final double DONE = 0.9;

  private static final int MOST_PARTS = 100;

  private long[] starts = new long[16];
  private long[] ends = new long[16];
  private int count;
  private int unfinished;
  private long lastEnded = Long.MIN_VALUE;
  private long spanFrom = Long.MAX_VALUE;
  private long spanTo = Long.MIN_VALUE;
  private final Map<String, List<long[]>> parts = new HashMap<>();
  private Earned earned = Earned.NOTHING;

  /**
   * What sessions earned and used together.
   *
   * @param rewardSum of those with a reward
   * @param rewarded how many these are
   * @param inputTokens null if nobody knows any; {@code outputTokens} likewise
   */
  public record Earned(double rewardSum, long rewarded, Long inputTokens, Long outputTokens) {
    static final Earned NOTHING = new Earned(0, 0, null, null);

    public static Earned of(RewardAndTokens one) {
      return one.isNone()
          ? NOTHING
          : new Earned(
              one.reward() == null ? 0 : one.reward(),
              one.reward() == null ? 0 : 1,
              one.inputTokens(),
              one.outputTokens());
    }

    Earned plus(Earned other) {
      return new Earned(
          rewardSum + other.rewardSum,
          rewarded + other.rewarded,
          sum(inputTokens, other.inputTokens),
          sum(outputTokens, other.outputTokens));
    }

    private static Long sum(Long a, Long b) {
      if (a == null || b == null) {
        return a == null ? b : a;
      }
      return a + b < 0 ? Long.MAX_VALUE : a + b;
    }

    /** Their mean reward, or null. */
    public Double reward() {
      return rewarded == 0 ? null : (Double) (rewardSum / rewarded);
    }
  }

  /**
   * What came out.
   *
   * @param startNs begin of the batch's own span, else of its first session
   * @param endNs end of the batch's own span, else of its last session's work
   * @param slots the most sessions ever running at once
   * @param tailNs from the moment 90 % of the sessions had ended; as long as more are unfinished,
   *     from the last that did
   * @param tailCost what the empty slots of the tail add up to
   */
  public record Result(
      int sessions, long startNs, long endNs, int slots, long tailNs, NanoSum tailCost) {

    public long wallNs() {
      return endNs - startNs;
    }
  }

  /**
   * A session of the batch.
   *
   * @param workEnd end of its own work; of an unfinished one, as of when the batch is looked at
   */
  public void add(long from, long workEnd, boolean stillUnfinished) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
      ends = Arrays.copyOf(ends, count * 2);
    }
    starts[count] = from;
    ends[count] = Math.max(from, workEnd);
    if (stillUnfinished) {
      unfinished++;
    } else {
      lastEnded = Math.max(lastEnded, ends[count]);
    }
    count++;
  }

  /** What a session of the batch, or several, earned and used. */
  public void earned(Earned more) {
    earned = earned.plus(more);
  }

  public Earned earned() {
    return earned;
  }

  /** The batch's own span, from when to when. */
  public void span(long from, long to) {
    spanFrom = Math.min(spanFrom, from);
    spanTo = Math.max(spanTo, Math.max(from, to));
  }

  /** Work of a process for the batch, such as training or a weight sync. */
  public void part(String stage, long from, long to) {
    if (parts.size() < MOST_PARTS || parts.containsKey(stage)) {
      parts.computeIfAbsent(stage, s -> new ArrayList<>()).add(new long[] {from, to});
    }
  }

  /** Takes over another part of the same batch. */
  public void addAll(BatchTotals other) {
    int total = count + other.count;
    if (total > starts.length) {
      starts = Arrays.copyOf(starts, Math.max(total, count * 2));
      ends = Arrays.copyOf(ends, starts.length);
    }
    System.arraycopy(other.starts, 0, starts, count, other.count);
    System.arraycopy(other.ends, 0, ends, count, other.count);
    count = total;
    unfinished += other.unfinished;
    earned = earned.plus(other.earned);
    lastEnded = Math.max(lastEnded, other.lastEnded);
    spanFrom = Math.min(spanFrom, other.spanFrom);
    spanTo = Math.max(spanTo, other.spanTo);
    other.parts.forEach((stage, times) -> times.forEach(t -> part(stage, t[0], t[1])));
  }

  public Result result() {
    boolean spanned = spanFrom <= spanTo;
    if (count == 0) {
      return new Result(0, spanned ? spanFrom : 0, spanned ? spanTo : 0, 0, 0, new NanoSum());
    }
    long[] sortedStarts = Arrays.copyOf(starts, count);
    long[] sortedEnds = Arrays.copyOf(ends, count);
    Arrays.sort(sortedStarts);
    Arrays.sort(sortedEnds);
    int slots = mostAtOnce(sortedStarts, sortedEnds);
    long end = sortedEnds[count - 1];
    int done = (int) Math.ceil(count * DONE);
    long tailFrom = sortedEnds[done - 1];
    if (count - unfinished < done) {
      tailFrom = unfinished == count ? end : Math.min(tailFrom, lastEnded);
    }
    // Of slots × tail, what sessions still running used is no cost.
    NanoSum cost = new NanoSum();
    long tail = end - tailFrom;
    int used = 0;
    int started = 0;
    int ended = 0;
    long now = tailFrom;
    while (now < end) {
      for (; started < count && sortedStarts[started] <= now; started++) {
        used++;
      }
      for (; sortedEnds[ended] <= now; ended++) {
        used--;
      }
      long next = sortedEnds[ended];
      if (started < count) {
        next = Math.min(next, sortedStarts[started]);
      }
      cost.add(next - now, slots - used);
      now = next;
    }
    return new Result(
        count, spanned ? spanFrom : sortedStarts[0], spanned ? spanTo : end, slots, tail, cost);
  }

  private int mostAtOnce(long[] sortedStarts, long[] sortedEnds) {
    int running = 0;
    int most = 0;
    int ended = 0;
    for (long start : sortedStarts) {
      // A session that ends in the moment another starts leaves its slot to it.
      for (; sortedEnds[ended] <= start && ended < count - 1 && running > 0; ended++) {
        running--;
      }
      running++;
      most = Math.max(most, running);
    }
    return most;
  }

  /** Per stage, how long any process was in it, in nanoseconds; the longest first. */
  public Map<String, Long> parts() {
    Map<String, Long> lengths = new HashMap<>();
    parts.forEach((stage, times) -> lengths.put(stage, covered(times)));
    Map<String, Long> sorted = new LinkedHashMap<>();
    lengths.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(e -> sorted.put(e.getKey(), e.getValue()));
    return sorted;
  }

  private static long covered(List<long[]> times) {
    times.sort(Comparator.comparingLong(t -> t[0]));
    long sum = 0;
    long until = Long.MIN_VALUE;
    for (long[] t : times) {
      long from = Math.max(until, t[0]);
      sum += Math.max(0, t[1] - from);
      until = Math.max(until, t[1]);
    }
    return sum;
  }
}
