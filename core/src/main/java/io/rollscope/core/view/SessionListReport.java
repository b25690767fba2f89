package io.rollscope.core.view;

import io.rollscope.core.view.HotspotsReport.Waits;
import java.util.List;

/**
 * A page of sessions.
 *
 * @param total how many sessions there are on all pages
 * @param cursor asks for the next page, or null when this is the last
 */
public record SessionListReport(
    String source, String run, String scope, long total, List<Row> rows, String cursor) {

  /** One session. */
  public record Row(
      String session,
      String traceId,
      String batch,
      Long trainStep,
      String task,
      String taskName,
      String status,
      String sourceStatus,
      String reason,
      String worker,
      double startS,
      double endS,
      boolean finalised,
      boolean relativeClock,
      double wallS,
      Waits waits,
      long spanCount,
      long openCount,
      long errorCount) {}
}
