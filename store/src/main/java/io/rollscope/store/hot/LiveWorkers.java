package io.rollscope.store.hot;

import io.rollscope.core.model.Worker;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What workers are called, and which processes each of them is. */
final class LiveWorkers {
  /** The processes of one worker; mostly the same one is named again and again. */
  private static final class Instances {
    final Set<String> all = new HashSet<>();
    String last;
  }

  private final Map<Worker, String> labels = new HashMap<>();
  private final Map<String, Instances> instances = new HashMap<>();

  /** Its label, or null. */
  String label(String role, Long rank) {
    return role == null && rank == null
        ? null
        : labels.computeIfAbsent(new Worker(role, rank), Worker::label);
  }

  String label(HotSpan span) {
    return label(span.told.said().workerRole(), span.told.said().workerRank());
  }

  /** A process works as this worker; null is passed over. */
  void runs(String worker, String instance) {
    if (worker == null || instance == null) {
      return;
    }
    Instances of = instances.computeIfAbsent(worker, w -> new Instances());
    if (!instance.equals(of.last)) {
      of.last = instance;
      of.all.add(instance);
    }
  }

  /** As long as one of its processes lives, a worker does; null where nothing tells. */
  String state(String worker, Processes processes, long nowNs) {
    Instances of = instances.get(worker);
    if (of == null) {
      return null;
    }
    return of.all.stream()
        .map(instance -> processes.state(instance, nowNs))
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .map(Processes.State::word)
        .orElse(null);
  }
}
