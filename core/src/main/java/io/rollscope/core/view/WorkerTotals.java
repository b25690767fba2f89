package io.rollscope.core.view;

import io.rollscope.core.stats.Durations;
import io.rollscope.core.time.NanoSum;
import io.rollscope.core.view.HotspotsReport.WorkerStats;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Per worker and stage: how many spans, and how long they took. */
final class WorkerTotals {
  private static final Comparator<WorkerStats> ORDER =
      Comparator.comparingDouble((WorkerStats w) -> -w.totalS())
          .thenComparing(WorkerStats::worker)
          .thenComparing(WorkerStats::stage);

  private record Key(String worker, String stage) {}

  private static final class Work {
    final Durations durations = new Durations();
    final NanoSum self = new NanoSum();
    int open;
    int errors;
  }

  private final Map<Key, Work> all = new HashMap<>();

  /** Adds a span; nothing is known of a worker without a name. */
  void add(String worker, String stage, long duration, long self, boolean open, boolean error) {
    if (worker == null) {
      return;
    }
    Work work = all.computeIfAbsent(new Key(worker, stage), k -> new Work());
    work.durations.add(duration);
    work.self.add(self);
    work.open += open ? 1 : 0;
    work.errors += error ? 1 : 0;
  }

  /** The sum of self times that a span of this worker and stage went into. */
  Optional<NanoSum> self(String worker, String stage) {
    return Optional.ofNullable(all.get(new Key(worker, stage))).map(work -> work.self);
  }

  void addAll(WorkerTotals other) {
    other.all.forEach(
        (key, from) -> {
          Work work = all.computeIfAbsent(key, k -> new Work());
          work.durations.addAll(from.durations);
          work.self.add(from.self);
          work.open += from.open;
          work.errors += from.errors;
        });
  }

  int leftOut() {
    return Math.max(0, all.size() - HotspotsReport.MOST_WORKERS);
  }

  /** The greatest total first. */
  List<WorkerStats> list() {
    return all.entrySet().stream()
        .map(e -> stats(e.getKey(), e.getValue()))
        .sorted(ORDER)
        .limit(HotspotsReport.MOST_WORKERS)
        .toList();
  }

  private static WorkerStats stats(Key key, Work work) {
    Durations d = work.durations;
    return new WorkerStats(
        key.worker(),
        key.stage(),
        d.count(),
        work.open,
        work.errors,
        d.totalSeconds(),
        work.self.seconds(),
        d.seconds(.5),
        d.seconds(.95));
  }
}
