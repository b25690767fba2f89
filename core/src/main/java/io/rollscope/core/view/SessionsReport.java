package io.rollscope.core.view;

import io.rollscope.core.stats.Durations.Summary;
import io.rollscope.core.view.ErrorGroups.ErrorGroup;
import io.rollscope.core.view.ReportContext.SkippedLines;
import java.util.List;
import java.util.Map;

/**
 * How the sessions fared.
 *
 * @param records sessions in scope
 * @param statusCounts by the source's own words
 * @param statuses by ours
 * @param metrics distributions over sessions: of times in seconds, of rewards and of tokens
 * @param batches how well each batch used its time, where the source names batches
 * @param stepRule how steps were told: {@code areal-batch-size}, {@code training-steps} or {@code
 *     none}
 */
public record SessionsReport(
    String source,
    String run,
    String scope,
    int records,
    Map<String, Integer> statusCounts,
    Map<String, Integer> statuses,
    Map<String, Integer> reasonCounts,
    Map<String, Integer> rankCounts,
    Map<String, Integer> roleCounts,
    Map<String, Summary> metrics,
    Map<String, Integer> spanCounts,
    Map<String, Long> counters,
    int nullEndSpans,
    String stepRule,
    String stepNote,
    List<Step> steps,
    int unassignedSessions,
    List<Batch> batches,
    List<ErrorGroup> errors,
    List<String> otherRuns,
    SkippedLines skippedLines) {

  /**
   * One batch.
   *
   * @param slots the most sessions ever running at once
   * @param tailS from the moment 90 % of its sessions had ended
   * @param tailCostS what the empty slots of the tail add up to, in session-seconds
   * @param reward mean of its sessions, or null where none has one
   * @param inputTokens of all its sessions, or null; {@code outputTokens} likewise
   */
  public record Batch(
      String batch,
      int sessions,
      double wallS,
      int slots,
      double tailS,
      double tailCostS,
      Double reward,
      Long inputTokens,
      Long outputTokens) {}

  /**
   * One training step.
   *
   * @param endOffsetS when it had all it consumes, in seconds after the first submission
   * @param accepted how many of its sessions were accepted
   */
  public record Step(long step, double endOffsetS, int sessions, int accepted) {}
}
