package io.rollscope.core.metric;

import java.util.List;

/**
 * What happened in a run, for charts to show: batches, and when weights were brought to engines.
 */
public record AnnotationsReport(
    String source,
    String run,
    List<BatchSpan> batches,
    List<WeightSync> weightSyncs,
    boolean truncated) {
  /** The newest so many of each are told. */
  public static final int MOST = 1_000;

  /** How frameworks call it: sync_weights, update_weight, weight_sync, load_params, broadcast … */
  public static final String WEIGHTS =
      "(weight|param).*(sync|updat|load|broadcast|transfer|push|pull)"
          + "|(sync|updat|load|broadcast|transfer|push|pull).*(weight|param)";

  /**
   * A batch.
   *
   * @param endS of its last session so far
   * @param open whether a session of it is queued or running
   */
  public record BatchSpan(String batch, Long trainStep, double startS, double endS, boolean open) {}

  /**
   * Weights on their way.
   *
   * @param endS null while it goes on
   * @param count how many lanes did it at the same time
   */
  public record WeightSync(String stage, double startS, Double endS, long count) {}
}
