package io.rollscope.core.steps;

import io.rollscope.core.model.Worker;
import io.rollscope.core.steps.BarrierSpans.BarrierSpan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Training steps as the trainer recorded them: a step's batch is complete when the span that waits
 * for rollouts ends, on each process by itself. The processes' relative clocks are joined to the
 * sessions' wall clock by the tasks that both mention.
 */
public final class TrainingSteps {
  /** The trainer's wait for rollouts. */
  private static final String ROLLOUT = "train.rollout";

  /**
   * Clocks are joined through microseconds and medians: this much later is still the same moment.
   */
  private static final long TOLERANCE_NS = 10_000_000;

  /** On one process: which steps end when, on the wall clock. */
  private record Ends(long[] steps, long[] timesNs) {}

  private final Map<Worker, Ends> ends = new HashMap<>();

  /**
   * @param submitted per process and task, when the first of its sessions was submitted
   */
  public TrainingSteps(BarrierSpans spans, Map<Worker, Map<String, Long>> submitted) {
    for (Worker process : spans.processes()) {
      Long offset = wallOffset(spans.taskStarts(process), submitted.get(process));
      if (offset == null) {
        continue;
      }
      TreeMap<Long, Long> byStep = new TreeMap<>();
      for (BarrierSpan span : spans.of(process)) {
        if (span.name().equals(ROLLOUT)) {
          byStep.merge(span.step(), span.endNs() + offset, Math::max);
        }
      }
      if (!byStep.isEmpty()) {
        ends.put(
            process,
            new Ends(
                byStep.keySet().stream().mapToLong(Long::longValue).toArray(),
                byStep.values().stream().mapToLong(Long::longValue).toArray()));
      }
    }
  }

  private static Long wallOffset(Map<String, Long> started, Map<String, Long> submitted) {
    if (submitted == null) {
      return null;
    }
    long[] differences = new long[started.size()];
    int count = 0;
    for (Map.Entry<String, Long> task : started.entrySet()) {
      Long wall = submitted.get(task.getKey());
      if (wall != null) {
        differences[count++] = wall - task.getValue();
      }
    }
    if (count == 0) {
      return null;
    }
    Arrays.sort(differences, 0, count);
    return differences[count / 2];
  }

  public boolean isEmpty() {
    return ends.isEmpty();
  }

  /** All steps known, ascending. */
  public List<Long> steps() {
    List<Long> all = new ArrayList<>();
    ends.values().forEach(e -> Arrays.stream(e.steps()).forEach(all::add));
    return all.stream().distinct().sorted().toList();
  }

  /** When the last process had its share of this step. */
  public long endNs(long step) {
    long end = Long.MIN_VALUE;
    for (Ends e : ends.values()) {
      int at = Arrays.binarySearch(e.steps(), step);
      end = at >= 0 ? Math.max(end, e.timesNs()[at]) : end;
    }
    return end;
  }

  /** The step that consumed a session of this process finalised then, or null. */
  public Long stepOf(Worker process, long finalisedNs) {
    Ends e = ends.get(process);
    if (e == null) {
      return null;
    }
    for (int i = 0; i < e.timesNs().length; i++) {
      if (finalisedNs <= e.timesNs()[i] + TOLERANCE_NS) {
        return e.steps()[i];
      }
    }
    return null;
  }
}
