package io.rollscope.store.query;

/**
 * Which sessions of a scope a report is about. Null lets everything pass.
 *
 * @param status as in {@link io.rollscope.core.model.Status}
 * @param stage a stage of which the session has a span
 * @param task id or name of its task
 * @param worker its worker's label, role or rank
 * @param text occurs, in either case, in the id of session, trace or task, in the task's name or in
 *     the reason
 */
public record Filter(String status, String stage, String task, String worker, String text) {
  public static final Filter NONE = new Filter(null, null, null, null, null);

  boolean isEmpty() {
    return equals(NONE);
  }
}
