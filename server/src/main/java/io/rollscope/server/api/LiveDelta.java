package io.rollscope.server.api;

import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.OpenSpanSummary;
import io.rollscope.core.view.LiveReport.Row;
import io.rollscope.core.view.LiveReport.TaskSummary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
    Map<String, Long> dropped) {

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
        now.dropped());
  }

  private static boolean sameCounts(LiveReport before, LiveReport now) {
    return before.rawEventCount() == now.rawEventCount()
        && before.sessionSummary().equals(now.sessionSummary())
        && before.taskSummary().equals(now.taskSummary())
        && before.dropped().equals(now.dropped())
        && ageless(before.openSpanSummaries()).equals(ageless(now.openSpanSummaries()));
  }

  private static Row ageless(Row row) {
    return new Row(
        row.traceId(),
        row.session(),
        row.taskName(),
        row.status(),
        row.sourceStatus(),
        row.stage(),
        row.latestStage(),
        row.openSpan(),
        null,
        null,
        row.suspect(),
        row.latestTimestampS(),
        row.eventCount(),
        row.worker(),
        row.trainStep());
  }

  private static List<OpenSpanSummary> ageless(List<OpenSpanSummary> summaries) {
    return summaries.stream()
        .map(
            s ->
                new OpenSpanSummary(
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
                    s.worker()))
        .toList();
  }
}
