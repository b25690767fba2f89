package io.rollscope.core.view;

import io.rollscope.core.view.HotspotsReport.Waits;
import io.rollscope.core.view.ReportContext.SkippedLines;
import java.util.List;
import java.util.Map;

/**
 * All about one session.
 *
 * @param relativeClock whether its times count from an unknown zero
 * @param inferredGroup where no task is named: the sessions begun at once with it, by the first
 * @param wallS its wall time; equals all self times plus all waits
 * @param workS from its start to the end of its last own work; {@code wallS} may go on to a verdict
 * @param reward null where nothing says one; tokens likewise
 * @param stages where the wall time went, longest first
 * @param segments what it was doing: from, to, and the stage or wait; at most 10,000
 * @param siblings other sessions of the same task and batch
 * @param attributes what the source's last line on it says, as text; 128-bit ids stay exact
 * @param events the source's own lines, in order of time; null where they could not be read again
 */
public record SessionReport(
    String source,
    String run,
    String session,
    String traceId,
    String task,
    String taskName,
    String inferredGroup,
    String batch,
    Long trainStep,
    Long modelStep,
    Long futureStep,
    String worker,
    String status,
    String sourceStatus,
    String reason,
    boolean relativeClock,
    double startS,
    double endS,
    boolean finalised,
    double wallS,
    double workS,
    Double reward,
    Long inputTokens,
    Long outputTokens,
    List<StageTime> stages,
    Waits waits,
    List<SpanLine> spans,
    List<List<Object>> segments,
    List<Sibling> siblings,
    Map<String, String> attributes,
    List<String> events,
    List<String> otherRuns,
    SkippedLines skippedLines) {

  /** Time of one stage as blocking leaf. */
  public record StageTime(String stage, int count, double selfS, double share) {}

  /**
   * One span, in drawing order.
   *
   * @param spanId 16 hex digits, or null where the source gives none; {@code parentId} likewise
   * @param critical whether it, or something in it, was at some time what the session was doing
   * @param attributes what it says of itself, as text, as far as the store keeps it
   * @param attributesCut whether it says more
   * @param stack where its work stood when its process was asked, or null
   */
  public record SpanLine(
      String span,
      String stage,
      String outcome,
      int depth,
      double startS,
      Double endS,
      double durationS,
      double selfS,
      String worker,
      Long trainStep,
      String status,
      String error,
      boolean clockDisagrees,
      String spanId,
      String parentId,
      String kind,
      boolean critical,
      Map<String, String> attributes,
      boolean attributesCut,
      SpanStack stack) {}

  /** Another session of the same group. */
  public record Sibling(String session, String status, double wallS, Double reward) {}
}
