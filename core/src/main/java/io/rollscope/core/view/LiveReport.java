package io.rollscope.core.view;

import io.rollscope.core.view.ReportContext.SkippedLines;
import java.util.List;
import java.util.Map;

/** What is going on: sessions by status, what is open and since when, overdue work first. */
public record LiveReport(
    double generatedAtS,
    String source,
    String run,
    String scope,
    long eventCount,
    long rawEventCount,
    Map<String, Integer> sessionSummary,
    TaskSummary taskSummary,
    List<OpenSpanSummary> openSpanSummaries,
    List<Row> rows,
    Map<String, Long> dropped,
    List<String> otherRuns,
    SkippedLines skippedLines) {

  /** In the words XTuner's users know: a task is a session, completed is what does not run. */
  public record TaskSummary(
      int totalTasks,
      int runningTasks,
      int completedTasks,
      Map<String, Integer> currentStageCounts) {}

  /**
   * All open spans of one name.
   *
   * @param usualP95S how long the stage usually takes at most, or null when not known yet
   * @param suspect whether the oldest has been open for more than twice that
   */
  public record OpenSpanSummary(
      String span,
      String stage,
      int openCount,
      double oldestAgeS,
      double p50AgeS,
      double p95AgeS,
      Double usualP95S,
      boolean suspect,
      String oldestTraceId,
      String oldestSession,
      String worker) {}

  /**
   * One session.
   *
   * @param stage stage of its newest open span, or null
   * @param openSpan raw name of that span, or null
   */
  public record Row(
      String traceId,
      String session,
      String taskName,
      String status,
      String sourceStatus,
      String stage,
      String latestStage,
      String openSpan,
      Double openAgeS,
      Double usualP95S,
      boolean suspect,
      Double latestTimestampS,
      int eventCount,
      String worker,
      Long trainStep) {

    /** The same session at another moment. */
    Row withAge(Double age, Double usual, boolean nowSuspect) {
      return new Row(
          traceId,
          session,
          taskName,
          status,
          sourceStatus,
          stage,
          latestStage,
          openSpan,
          age,
          usual,
          nowSuspect,
          latestTimestampS,
          eventCount,
          worker,
          trainStep);
    }
  }
}
