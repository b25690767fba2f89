package io.rollscope.core.accounting;

/**
 * The sessions of one batch that are samples of one item (contracts.md 2.11, 2.12).
 *
 * @param batch id of the batch, or null
 * @param task id of the task, or of the inferred group
 * @param inferred whether the source names no task
 */
public record Group(String batch, String task, boolean inferred) {

  /** The group of a session, or null when it is not known to have siblings. */
  public static Group of(String batch, String task, String inferredGroup) {
    if (task != null) {
      return new Group(batch, task, false);
    }
    return inferredGroup == null ? null : new Group(batch, inferredGroup, true);
  }
}
