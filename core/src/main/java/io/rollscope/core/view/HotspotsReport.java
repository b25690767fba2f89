package io.rollscope.core.view;

import io.rollscope.core.view.ErrorGroups.ErrorGroup;
import io.rollscope.core.view.ReportContext.SkippedLines;
import java.util.List;

/**
 * Where the time went.
 *
 * @param taskCount sessions with at least one span (XTuner's word)
 * @param bucketsS upper bounds of the buckets that all distributions count by
 * @param nesting what ran inside what, parents first; null unless asked for
 * @param workers the greatest total first; null unless asked for
 * @param workersLeftOut how many more there are
 * @param outsideWorker whose spans lie outside their sessions for the longest in sum; null if no
 *     named worker's do
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
    List<Double> bucketsS,
    List<StageStats> stageStats,
    Waits waits,
    String outsideWorker,
    long clockDisagrees,
    List<ErrorGroup> errors,
    List<NestingNode> nesting,
    List<WorkerStats> workers,
    Integer workersLeftOut,
    List<String> otherRuns,
    SkippedLines skippedLines) {

  /** The most lines of workers. */
  public static final int MOST_WORKERS = 2_000;

  /**
   * One stage.
   *
   * @param kind “phase” for work of sessions, “op” and “state” for other work of processes
   * @param selfS time in which it was what its session (or, for an op, its thread) was doing
   * @param distribution closed spans by duration, one count per bucket and one for those above all
   * @param share part of the time of all sessions without barrier (of all threads, for their work)
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
      double share,
      List<Integer> distribution) {}

  /**
   * A stage inside other stages; sessions, tasks and batches are looked through.
   *
   * @param parent place of what it is inside, or -1
   * @param selfS time in which it, and nothing in it, was what its session was doing
   */
  public record NestingNode(String stage, int parent, int count, double totalS, double selfS) {}

  /** The spans of one stage on one worker. */
  public record WorkerStats(
      String worker,
      String stage,
      int count,
      int openCount,
      int errorCount,
      double totalS,
      double selfS,
      double p50S,
      double p95S) {}

  /**
   * Time of sessions that was no work, and span time outside its session.
   *
   * @param siblingsS waiting for others of the group, inside a span
   * @param barrierS waiting for the verdict after the last own span; no part of any share
   */
  public record Waits(
      double queueS,
      double gapS,
      double siblingsS,
      double barrierS,
      double unaccountedS,
      double outsideS) {}
}
