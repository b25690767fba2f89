package io.rollscope.core.view;

import io.rollscope.core.view.ErrorGroups.ErrorGroup;
import io.rollscope.core.view.ReportContext.SkippedLines;
import java.util.List;

/**
 * Where the time went.
 *
 * @param taskCount sessions with at least one span (XTuner's word)
 * @param clockDisagrees spans whose wall time and monotonic time differ by more than 0.1 s
 */
public record HotspotsReport(
    String source,
    String run,
    String scope,
    int taskCount,
    int sessionCount,
    int spanCount,
    double timelineStartS,
    double timelineEndS,
    double maxTaskDurationS,
    List<StageStats> stageStats,
    Waits waits,
    long clockDisagrees,
    List<ErrorGroup> errors,
    List<String> otherRuns,
    SkippedLines skippedLines) {

  /**
   * One stage.
   *
   * @param kind {@code phase} for work of sessions, {@code op} for other work of processes
   * @param selfS time in which it was what its session (or, for an op, its thread) was doing
   * @param share part of the wall time of all sessions (of all threads, for an op)
   */
  public record StageStats(
      String stage,
      String kind,
      int count,
      int openCount,
      int errorCount,
      double totalS,
      double selfS,
      double avgS,
      double p50S,
      double p95S,
      double p99S,
      double maxS,
      double share) {}

  /** Time of sessions that no span covers, and span time outside its session. */
  public record Waits(
      double queueS, double gapS, double barrierS, double unaccountedS, double outsideS) {}
}
