package io.rollscope.core.view;

import io.rollscope.core.view.HotspotsReport.Waits;
import java.util.List;
import java.util.Map;

/**
 * How each batch of a run went, the newest steps first.
 *
 * @param leftOut older batches that are not here
 */
public record BatchesReport(String source, String run, List<Batch> batches, long leftOut) {

  /**
   * One batch.
   *
   * @param statuses sessions by status
   * @param wallS of its own span, with all that happened in it, else from its first session's start
   *     to the end of its last session's work
   * @param slots the most sessions ever running at once
   * @param tailS from the moment 90 % of its sessions had ended
   * @param tailCostS what the empty slots of the tail add up to, in session-seconds
   * @param sessionS wall time of all its sessions: all of {@code stages} and the waits
   * @param reward mean of its sessions, or null where none has one
   * @param inputTokens of all its sessions, or null; {@code outputTokens} likewise
   * @param parts how long any process was training, syncing weights and the like for the batch
   * @param stages self time by stage, in seconds, longest first
   * @param stragglers the sessions it waited for, at most one of a group
   */
  public record Batch(
      String batch,
      Long trainStep,
      Long modelStep,
      Long futureStep,
      int sessions,
      Map<String, Integer> statuses,
      double startS,
      double endS,
      double wallS,
      int slots,
      double tailS,
      double tailCostS,
      double sessionS,
      Double reward,
      Long inputTokens,
      Long outputTokens,
      Map<String, Double> parts,
      Map<String, Double> stages,
      Waits waits,
      List<Straggler> stragglers) {}

  /**
   * A slow session.
   *
   * @param ownS its wall time without queue, siblings and barrier
   * @param longestIn the stage it spent most of that in, or null
   * @param longestS how long
   */
  public record Straggler(
      String session,
      String status,
      String worker,
      double wallS,
      double ownS,
      String longestIn,
      double longestS) {}
}
