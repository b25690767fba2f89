package io.rollscope.core.metric;

/**
 * Which points of a metric are looked at.
 *
 * @param fromNs null for the beginning; likewise the others
 * @param toNs the first moment that is not in it any more
 * @param stepped whether only points count that belong to a step
 * @param toStep the first step that is not in it any more
 */
public record PointWindow(Long fromNs, Long toNs, boolean stepped, Long fromStep, Long toStep) {

  /**
   * Whether a point is in it.
   *
   * @param step null if it belongs to none
   */
  boolean holds(long timeNs, Long step) {
    if ((fromNs != null && timeNs < fromNs) || (toNs != null && timeNs >= toNs)) {
      return false;
    }
    if (step == null) {
      return !stepped && fromStep == null && toStep == null;
    }
    return (fromStep == null || step >= fromStep) && (toStep == null || step < toStep);
  }
}
