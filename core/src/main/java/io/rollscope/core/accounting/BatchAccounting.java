package io.rollscope.core.accounting;

import io.rollscope.core.time.NanoSum;
import java.util.Arrays;

/**
 * How well a batch used its time: a few slow sessions at its end leave the slots empty in which the
 * others ran.
 */
public final class BatchAccounting {
  /** The tail begins when this part of the sessions has ended. */
  private static final double DONE = 0.9;

  private long[] starts = new long[16];
  private long[] ends = new long[16];
  private int count;

  /**
   * What came out.
   *
   * @param wallNs from the first start to the last end
   * @param slots the most sessions ever running at once
   * @param tailNs from the moment 90 % of the sessions had ended
   * @param tailCost what the empty slots of the tail add up to
   */
  public record Result(int sessions, long wallNs, int slots, long tailNs, NanoSum tailCost) {}

  /** A session of the batch, from its start to its end. */
  public void add(long from, long to) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
      ends = Arrays.copyOf(ends, count * 2);
    }
    starts[count] = from;
    ends[count++] = Math.max(from, to);
  }

  /** Takes over the sessions of another part of the same batch. */
  public void addAll(BatchAccounting other) {
    for (int i = 0; i < other.count; i++) {
      add(other.starts[i], other.ends[i]);
    }
  }

  public Result result() {
    if (count == 0) {
      return new Result(0, 0, 0, 0, new NanoSum());
    }
    long[] sortedStarts = Arrays.copyOf(starts, count);
    long[] sortedEnds = Arrays.copyOf(ends, count);
    Arrays.sort(sortedStarts);
    Arrays.sort(sortedEnds);
    int slots = mostAtOnce(sortedStarts, sortedEnds);
    long end = sortedEnds[count - 1];
    long tailFrom = sortedEnds[(int) Math.ceil(count * DONE) - 1];
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
    return new Result(count, end - sortedStarts[0], slots, tail, cost);
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
}
