package io.rollscope.core.view;

import io.rollscope.core.model.Status;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.LiveReport.BatchLine;
import io.rollscope.core.view.LiveReport.WorkerLine;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Adds up, for a live report, what goes on per worker and in the newest batch. */
public final class LiveTally {
  /** What counts as just now. */
  public static final long MINUTE_NS = 60_000_000_000L;

  private static final int MOST_WORKERS = 1_000;

  private static final class Work {
    int open;
    long oldestNs = -1;
    long lastNs = Nanos.UNKNOWN;
    int finished;
    int failed;

    void addAll(Work other) {
      open += other.open;
      oldestNs = Math.max(oldestNs, other.oldestNs);
      lastNs = Math.max(lastNs, other.lastNs);
      finished += other.finished;
      failed += other.failed;
    }
  }

  private static final class Members {
    Long trainStep;
    long firstNs = Long.MAX_VALUE;
    long lastNs = Nanos.UNKNOWN;
    long sessions;
    long ended;
  }

  private final Map<String, Work> workers = new HashMap<>();
  private final Map<String, Members> batches = new HashMap<>();
  private int finishedLastMinute;

  private Work work(String worker) {
    return workers.computeIfAbsent(worker, w -> new Work());
  }

  /** A worker is there, whether or not it does anything. */
  public void worker(String worker) {
    if (worker != null) {
      work(worker);
    }
  }

  /** Something is open on a worker, and has been for so long. */
  public void open(String worker, long ageNs) {
    if (worker != null) {
      Work work = work(worker);
      work.open++;
      work.oldestNs = Math.max(work.oldestNs, Math.max(0, ageNs));
    }
  }

  /** Something happened on a worker. */
  public void happened(String worker, long whenNs) {
    if (worker != null) {
      Work work = work(worker);
      work.lastNs = Math.max(work.lastNs, whenNs);
    }
  }

  /** A worker's session came to its end; others are passed over. */
  public void ended(String worker, Status status) {
    if (worker != null && !status.isUnfinished()) {
      Work work = work(worker);
      work.finished++;
      work.failed += status == Status.FAILED || status == Status.LOST ? 1 : 0;
    }
  }

  /**
   * Sessions of a batch.
   *
   * @param batch null is passed over
   */
  public void sessions(
      String batch, Long trainStep, long firstNs, long lastNs, long sessions, long ended) {
    if (batch == null || sessions == 0) {
      return;
    }
    Members of = batches.computeIfAbsent(batch, b -> new Members());
    of.trainStep = trainStep == null ? of.trainStep : trainStep;
    of.firstNs = Math.min(of.firstNs, firstNs);
    of.lastNs = Math.max(of.lastNs, lastNs);
    of.sessions += sessions;
    of.ended += ended;
  }

  /** A session that has ended was last heard of so long ago. */
  public void endedAgo(long ageNs) {
    finishedLastMinute += ageNs >= 0 && ageNs < MINUTE_NS ? 1 : 0;
  }

  /** Adds what another counted. */
  void addAll(LiveTally other) {
    other.workers.forEach((worker, work) -> work(worker).addAll(work));
    other.batches.forEach(
        (id, m) -> sessions(id, m.trainStep, m.firstNs, m.lastNs, m.sessions, m.ended));
    finishedLastMinute += other.finishedLastMinute;
  }

  // ---- the answer ------------------------------------------------------------------------------

  /**
   * Workers with most open first.
   *
   * @param state whether a worker lives, or null where nothing tells
   */
  public List<WorkerLine> workers(Function<String, String> state) {
    return workers.entrySet().stream()
        .sorted(
            Comparator.comparingInt((Map.Entry<String, Work> e) -> -e.getValue().open)
                .thenComparing(e -> e.getKey().length())
                .thenComparing(Map.Entry::getKey))
        .limit(MOST_WORKERS)
        .map(e -> line(e.getKey(), e.getValue(), state.apply(e.getKey())))
        .toList();
  }

  private static WorkerLine line(String worker, Work work, String state) {
    return new WorkerLine(
        worker,
        work.open,
        work.oldestNs < 0 ? null : Nanos.toSeconds(work.oldestNs),
        work.lastNs == Nanos.UNKNOWN ? null : Nanos.toSeconds(work.lastNs),
        state,
        work.finished,
        work.failed);
  }

  /** The batch that something last happened in, or null. */
  public BatchLine batch() {
    return batches.entrySet().stream()
        .max(
            Comparator.comparingLong((Map.Entry<String, Members> e) -> e.getValue().lastNs)
                .thenComparing(Map.Entry::getKey))
        .map(
            e ->
                new BatchLine(
                    e.getKey(),
                    e.getValue().trainStep,
                    Nanos.toSeconds(e.getValue().firstNs),
                    e.getValue().sessions,
                    e.getValue().ended))
        .orElse(null);
  }

  public int finishedLastMinute() {
    return finishedLastMinute;
  }
}
