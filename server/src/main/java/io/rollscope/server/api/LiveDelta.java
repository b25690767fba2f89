package io.rollscope.server.api;

import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.BatchLine;
import io.rollscope.core.view.LiveReport.DroppedBy;
import io.rollscope.core.view.LiveReport.OpenSpanSummary;
import io.rollscope.core.view.LiveReport.ProcessLine;
import io.rollscope.core.view.LiveReport.Row;
import io.rollscope.core.view.LiveReport.TaskSummary;
import io.rollscope.core.view.LiveReport.WorkerLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What changed on a live board. Ages are left out of the comparison, because they grow all the
 * time: a reader adds what {@code generated_at_s} grew by. What is usual for a stage is in the
 * summaries.
 *
 * @param rows new or changed ones, whole
 * @param removed sessions that are no longer on the board
 */
record LiveDelta(
    double generatedAtS,
    long eventCount,
    long rawEventCount,
    Map<String, Integer> sessionSummary,
    TaskSummary taskSummary,
    List<OpenSpanSummary> openSpanSummaries,
    List<Row> rows,
    List<String> removed,
    List<WorkerLine> workers,
    List<ProcessLine> processes,
    BatchLine batch,
    int finishedLastMinute,
    int overdue,
    Map<String, Long> dropped,
    List<DroppedBy> droppedBy) {

  /** Null when nothing but ages changed. */
  static LiveDelta between(LiveReport before, LiveReport now) {
    Map<String, Row> known = new HashMap<>();
    before.rows().forEach(row -> known.put(row.session(), row));
    List<Row> changed = new ArrayList<>();
    Set<String> gone = new HashSet<>(known.keySet());
    for (Row row : now.rows()) {
      gone.remove(row.session());
      Row old = known.get(row.session());
      if (old == null || !ageless(old).equals(ageless(row))) {
        changed.add(row);
      }
    }
    if (changed.isEmpty() && gone.isEmpty() && sameCounts(before, now)) {
      return null;
    }
    return new LiveDelta(
        now.generatedAtS(),
        now.eventCount(),
        now.rawEventCount(),
        now.sessionSummary(),
        now.taskSummary(),
        now.openSpanSummaries(),
        changed,
        gone.stream().sorted().toList(),
        now.workers(),
        now.processes(),
        now.batch(),
        now.finishedLastMinute(),
        now.overdue(),
        now.dropped(),
        now.droppedBy());
  }

  private static boolean sameCounts(LiveReport before, LiveReport now) {
    return before.rawEventCount() == now.rawEventCount()
        && before.sessionSummary().equals(now.sessionSummary())
        && before.taskSummary().equals(now.taskSummary())
        && before.dropped().equals(now.dropped())
        && before.droppedBy().equals(now.droppedBy())
        && before.processes().equals(now.processes())
        && Objects.equals(before.batch(), now.batch())
        && before.finishedLastMinute() == now.finishedLastMinute()
        && before.overdue() == now.overdue()
        && ageless(before.workers(), LiveDelta::ageless)
            .equals(ageless(now.workers(), LiveDelta::ageless))
        && ageless(before.openSpanSummaries(), LiveDelta::ageless)
            .equals(ageless(now.openSpanSummaries(), LiveDelta::ageless));
  }

  private static Row ageless(Row row) {
    return row.withAge(null, null, row.suspect());
  }

  private static <T> List<T> ageless(List<T> all, UnaryOperator<T> each) {
    return all.stream().map(each).toList();
  }

  private static WorkerLine ageless(WorkerLine w) {
    return new WorkerLine(
        w.worker(), w.open(), null, w.lastEventS(), w.state(), w.finished(), w.failed());
  }

  private static OpenSpanSummary ageless(OpenSpanSummary s) {
    return new OpenSpanSummary(
        s.span(),
        s.stage(),
        s.openCount(),
        0,
        0,
        0,
        s.usualP95S(),
        s.suspect(),
        s.oldestTraceId(),
        s.oldestSession(),
        s.worker());
  }
}
