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
  private static final int MAX_LIMIT = 1_000;
  private static final List<String> SORTS = List.of("start", "end", "wall", "session", "status");

  /** Refuses a page of too many sessions, or of none. */
  public static void checkLimit(int limit) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException(
          "limit: " + limit + " (expected: from 1 to " + MAX_LIMIT + ")");
    }
  }

  /** What an order goes by, without the {@code -} in front that turns it round. */
  public static String checkedSort(String sort) {
    String by = sort.startsWith("-") ? sort.substring(1) : sort;
    if (!SORTS.contains(by)) {
      throw new IllegalArgumentException(
          "sort: "
              + sort
              + " (expected: start, end, wall, session or status, with - for descending)");
    }
    return by;
  }

  /**
   * One session.
   *
   * @param reward null where nothing says one; tokens likewise
   */
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
      long errorCount,
      Double reward,
      Long inputTokens,
      Long outputTokens) {}
}
