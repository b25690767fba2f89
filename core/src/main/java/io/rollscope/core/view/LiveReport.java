package io.rollscope.core.view;

import io.rollscope.core.view.ReportContext.SkippedLines;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What is going on: sessions by status, what is open and since when, overdue work first.
 *
 * @param generatedAtS up to when open work counts
 * @param past whether that is the run's last event: it is long over
 * @param processes those that ended with open work or are silent
 * @param overdue sessions, whatever is filtered
 */
public record LiveReport(
    double generatedAtS,
    boolean past,
    String source,
    String run,
    String scope,
    long eventCount,
    long rawEventCount,
    Map<String, Integer> sessionSummary,
    TaskSummary taskSummary,
    List<OpenSpanSummary> openSpanSummaries,
    List<Row> rows,
    List<WorkerLine> workers,
    List<ProcessLine> processes,
    BatchLine batch,
    int finishedLastMinute,
    int overdue,
    Map<String, Long> dropped,
    List<DroppedBy> droppedBy,
    List<String> otherRuns,
    SkippedLines skippedLines) {

  /** The same with other sessions. */
  public LiveReport withRows(List<Row> others) {
    return copy(past, source, others);
  }

  /** The same, of a run that is over or not. */
  LiveReport past(boolean over) {
    return copy(over, source, rows);
  }

  /** The same, told by somebody else. */
  public LiveReport from(String teller) {
    return copy(past, teller, rows);
  }

  private LiveReport copy(boolean over, String teller, List<Row> others) {
    return new LiveReport(
        generatedAtS,
        over,
        teller,
        run,
        scope,
        eventCount,
        rawEventCount,
        sessionSummary,
        taskSummary,
        openSpanSummaries,
        others,
        workers,
        processes,
        batch,
        finishedLastMinute,
        overdue,
        dropped,
        droppedBy,
        otherRuns,
        skippedLines);
  }

  /**
   * What a worker is doing.
   *
   * @param open open spans of its, in sessions
   * @param oldestAgeS how long the oldest has been open, or null
   * @param lastEventS when something last happened on it, or null
   * @param state {@code alive}, {@code silent} or {@code lost}; null where no beats tell
   * @param finished sessions of its that ended
   * @param failed those of them that failed or were lost
   */
  public record WorkerLine(
      String worker,
      int open,
      Double oldestAgeS,
      Double lastEventS,
      String state,
      int finished,
      int failed) {}

  /**
   * A process in trouble.
   *
   * @param state “lost” with what it had open, or “silent”, which decides nothing
   * @param sinceS when it was last heard of
   * @param sessions that it took with it, or that wait for it
   * @param batches theirs, in no order
   * @param replaced whether another process works in its place since
   */
  public record ProcessLine(
      String worker,
      String role,
      Long rank,
      String host,
      Long pid,
      String state,
      double sinceS,
      int sessions,
      List<String> batches,
      boolean replaced) {
    /** The one that was heard of last comes first. */
    public static final Comparator<ProcessLine> NEWEST_FIRST =
        Comparator.comparingDouble(ProcessLine::sinceS)
            .reversed()
            .thenComparing(l -> String.valueOf(l.worker()));
  }

  /**
   * What a process had to drop.
   *
   * @param worker what it works as, or null
   * @param host where it runs, or null
   * @param pid its number there, or null
   * @param attributes that it shortened or left out
   * @param deleted spans of pieces that were deleted to keep a folder below its limit
   */
  public record DroppedBy(
      String worker,
      String host,
      Long pid,
      long spans,
      long starts,
      long metrics,
      long attributes,
      long deleted) {

    long sum() {
      return spans + starts + metrics + attributes + deleted;
    }
  }

  /** The newest batch: how many sessions it has, and how many of them ended. */
  public record BatchLine(String batch, Long trainStep, double startS, long sessions, long ended) {}

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
   * @param suspect whether any of them is overdue
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
   * @param startS when it was submitted, else first heard of, or null
   * @param waitsFor {@value #SIBLINGS} when its own work is done and that of its group is not,
   *     {@value #VERDICT} when nothing is missing but that; else null
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
      Long trainStep,
      String task,
      String batch,
      Double startS,
      String waitsFor) {
    public static final String SIBLINGS = "siblings";
    public static final String VERDICT = "verdict";

    /** The same session at another moment. */
    public Row withAge(Double age, Double usual, boolean nowSuspect) {
      return copy(age, usual, nowSuspect, waitsFor);
    }

    /** The same with what depends on other sessions. */
    Row as(boolean nowSuspect, String waits) {
      return copy(openAgeS, usualP95S, nowSuspect, waits);
    }

    private Row copy(Double age, Double usual, boolean nowSuspect, String waits) {
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
          trainStep,
          task,
          batch,
          startS,
          waits);
    }
  }
}
