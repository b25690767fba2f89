package io.rollscope.core.view;

import io.rollscope.core.stats.Percentiles;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How long each stage usually takes: the 95th percentile of its last 1,000 closed spans, by end
 * time. With fewer than 20 nothing is usual yet.
 */
public final class UsualDurations {
  private static final int KEPT = 1_000;
  private static final int LEAST = 20;

  /** Names with numbers in them are no stages; beyond this many, new ones have no usual time. */
  private static final int MOST_STAGES = 2_000;

  private final Map<String, Stage> stages = new HashMap<>();

  public void add(String stage, long end, long duration) {
    Stage known = stages.get(stage);
    if (known == null && stages.size() < MOST_STAGES) {
      known = new Stage();
      stages.put(stage, known);
    }
    if (known != null) {
      known.add(end, duration);
    }
  }

  void clear() {
    stages.clear();
  }

  /** In seconds, or null. */
  public Double p95(String stage) {
    Stage known = stages.get(stage);
    return known == null ? null : known.p95();
  }

  /** A heap with the oldest end on top, so that a newer span replaces the oldest kept. */
  private static final class Stage {
    private long[] ends = new long[LEAST];
    private long[] durations = new long[LEAST];
    private int count;
    private Double p95;

    void add(long end, long duration) {
      if (count < KEPT) {
        if (count == ends.length) {
          int size = Math.min(KEPT, 2 * count);
          ends = Arrays.copyOf(ends, size);
          durations = Arrays.copyOf(durations, size);
        }
        p95 = null;
        siftUp(count++, end, duration);
      } else if (isBefore(ends[0], durations[0], end, duration)) {
        p95 = null;
        siftDown(end, duration);
      }
    }

    private static boolean isBefore(long endA, long durationA, long endB, long durationB) {
      return endA != endB ? endA < endB : durationA < durationB;
    }

    private void siftUp(int from, long end, long duration) {
      int at = from;
      while (at > 0) {
        int above = (at - 1) / 2;
        if (!isBefore(end, duration, ends[above], durations[above])) {
          break;
        }
        ends[at] = ends[above];
        durations[at] = durations[above];
        at = above;
      }
      ends[at] = end;
      durations[at] = duration;
    }

    private void siftDown(long end, long duration) {
      int at = 0;
      while (2 * at + 1 < count) {
        int child = 2 * at + 1;
        if (child + 1 < count
            && isBefore(ends[child + 1], durations[child + 1], ends[child], durations[child])) {
          child++;
        }
        if (!isBefore(ends[child], durations[child], end, duration)) {
          break;
        }
        ends[at] = ends[child];
        durations[at] = durations[child];
        at = child;
      }
      ends[at] = end;
      durations[at] = duration;
    }

    Double p95() {
      if (count < LEAST) {
        return null;
      }
      if (p95 == null) {
        long[] sorted = Arrays.copyOf(durations, count);
        Arrays.sort(sorted);
        p95 = Percentiles.secondsOfSorted(sorted, count, .95);
      }
      return p95;
    }
  }
}
