package io.rollscope.store.hot;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.session.SessionSummary;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A run in numbers, for others to scrape.
 *
 * @param sessions by status
 * @param durations of closed spans, by stage
 * @param open spans, by stage
 * @param batch the newest batch all of whose sessions have ended, or null
 * @param dropped what its processes or we had to drop
 */
public record RunFigures(
    String run,
    Map<Status, Long> sessions,
    Map<String, Durations> durations,
    Map<String, Open> open,
    ClosedBatch batch,
    Map<String, Long> dropped) {

  /**
   * Durations in the buckets of {@link StageTimes#BOUNDS_S} and one for what is longer.
   *
   * @param counts not cumulative
   */
  public record Durations(long[] counts, double sumS) {}

  /** Open spans and when the oldest began. */
  public record Open(long count, double oldestS) {}

  /** A batch and how long it took. */
  public record ClosedBatch(String batch, double durationS) {}

  private static final class Extent {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    boolean open;

    void add(long from, long to) {
      first = Math.min(first, from);
      last = Math.max(last, to);
    }
  }

  /** As things are now. */
  public static RunFigures of(HotRun run, Processes processes, long nowNs) {
    Map<Status, Long> sessions = new TreeMap<>();
    Map<String, Open> open = new TreeMap<>();
    Map<String, Extent> batches = new HashMap<>();
    run.gone.forEach(
        (batch, gone) -> {
          for (Status status : Status.values()) {
            sessions.merge(status, (long) gone.byStatus[status.ordinal()], Long::sum);
          }
          if (gone.total() > 0) {
            batches.computeIfAbsent(batch, b -> new Extent()).add(gone.firstNs, gone.lastNs);
          }
        });
    for (HotSession session : run.sessions) {
      countOpen(session, processes, nowNs, open);
      if (!session.key.lane()) {
        SessionSummary<HotSpan> facts = session.facts();
        Status status = session.status(processes, nowNs);
        sessions.merge(status, 1L, Long::sum);
        String batch = facts.batch() == null ? "" : facts.batch();
        Extent extent = batches.computeIfAbsent(batch, b -> new Extent());
        extent.add(facts.firstNs(), facts.lastNs());
        extent.open |= status.isUnfinished();
      }
    }
    batches.remove("");
    Map<String, Durations> durations = new LinkedHashMap<>();
    run.stageTimes.forEach(durations::put);
    return new RunFigures(run.name, sessions, durations, open, newestClosed(batches), dropped(run));
  }

  private static Map<String, Long> dropped(HotRun run) {
    Map<String, Long> dropped = run.drops().totals();
    dropped.put("verdicts", run.droppedVerdicts);
    return dropped;
  }

  private static void countOpen(
      HotSession session, Processes processes, long nowNs, Map<String, Open> open) {
    for (HotSpan span : session.spans) {
      if (span.isOpen() && span.outcome(processes, nowNs) == Outcome.OPEN) {
        double age = Math.max(0, (session.run.now(nowNs) - span.told.startNs()) / 1e9);
        Open one = new Open(1, age);
        open.merge(
            span.stage(),
            one,
            (a, b) -> new Open(a.count() + b.count(), Math.max(a.oldestS(), b.oldestS())));
      }
    }
  }

  private static ClosedBatch newestClosed(Map<String, Extent> batches) {
    return batches.entrySet().stream()
        .filter(e -> !e.getValue().open)
        .max(java.util.Comparator.comparingLong(e -> e.getValue().last))
        .map(e -> new ClosedBatch(e.getKey(), (e.getValue().last - e.getValue().first) / 1e9))
        .orElse(null);
  }
}
