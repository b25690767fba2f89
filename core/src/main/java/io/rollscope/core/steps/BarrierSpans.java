package io.rollscope.core.steps;

import io.rollscope.core.model.Worker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Spans that every process of a run records for the same training step. Each process has its own
 * clock; barriers make the same span start at the same moment on all of them.
 */
public final class BarrierSpans {
  /** Beyond this a broken source is taken as far as it goes; a run of a year has fewer steps. */
  private static final int MAX_SPANS = 1 << 20;

  private static final int MAX_TASKS = 1 << 20;

  /** One of them. */
  public record BarrierSpan(String name, long step, long startNs, long endNs) {}

  private final Map<Worker, List<BarrierSpan>> spans = new LinkedHashMap<>();
  private final Map<Worker, Map<String, Long>> taskStarts = new HashMap<>();
  private int count;
  private int tasks;

  /** A span that names its training step. */
  public void add(Worker process, BarrierSpan span) {
    if (count < MAX_SPANS) {
      count++;
      spans.computeIfAbsent(process, p -> new ArrayList<>()).add(span);
    }
  }

  /** Work on a task began in this process; only the first time counts. */
  public void taskStarted(Worker process, String task, long startNs) {
    Map<String, Long> starts = taskStarts.computeIfAbsent(process, p -> new HashMap<>());
    if (tasks < MAX_TASKS || starts.containsKey(task)) {
      int before = starts.size();
      starts.merge(task, startNs, Math::min);
      tasks += starts.size() - before;
    }
  }

  public boolean isEmpty() {
    return spans.isEmpty();
  }

  /** The processes, in the order first seen. */
  public List<Worker> processes() {
    return List.copyOf(spans.keySet());
  }

  public List<BarrierSpan> of(Worker process) {
    return spans.getOrDefault(process, List.of());
  }

  /** When this process first worked on each task. */
  public Map<String, Long> taskStarts(Worker process) {
    return taskStarts.getOrDefault(process, Map.of());
  }
}
