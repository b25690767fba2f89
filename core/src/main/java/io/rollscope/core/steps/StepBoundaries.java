package io.rollscope.core.steps;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * AReaL's own guess of training steps from session rows, kept so that numbers can be compared: each
 * rank consumes its share of the batch in order of completion, and a step ends when the slowest
 * rank has its share.
 */
public final class StepBoundaries {

  /** A task that a rank accepted, and when its last sample was finalised. */
  private final Map<Long, Map<String, Long>> completions = new TreeMap<>();

  /** An accepted session. */
  public void accepted(long rank, String task, long finalisedNs) {
    completions.computeIfAbsent(rank, r -> new HashMap<>()).merge(task, finalisedNs, Math::max);
  }

  /** When each step ends; empty if the batch is smaller than the number of ranks, or never full. */
  public List<Long> ends(int batchSize) {
    int ranks = completions.size();
    int quota = ranks == 0 ? 0 : batchSize / ranks;
    if (quota < 1) {
      return List.of();
    }
    int steps = Integer.MAX_VALUE;
    List<long[]> sorted = new ArrayList<>();
    for (Map<String, Long> tasks : completions.values()) {
      long[] times = tasks.values().stream().mapToLong(Long::longValue).toArray();
      Arrays.sort(times);
      sorted.add(times);
      steps = Math.min(steps, times.length / quota);
    }
    List<Long> ends = new ArrayList<>();
    for (int k = 0; k < steps; k++) {
      long end = Long.MIN_VALUE;
      for (long[] times : sorted) {
        end = Math.max(end, times[(k + 1) * quota - 1]);
      }
      ends.add(end);
    }
    return ends;
  }

  /** Number of the first step that ends at or after this time, or -1. */
  public static int stepOf(List<Long> ends, long finalisedNs) {
    int at = Collections.binarySearch(ends, finalisedNs);
    if (at < 0) {
      at = -at - 1;
    }
    while (at > 0 && ends.get(at - 1) == finalisedNs) {
      at--;
    }
    return at < ends.size() ? at : -1;
  }
}
