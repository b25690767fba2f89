package io.rollscope.core.view;

/**
 * Which sessions of a scope a report is about. Null lets everything pass.
 *
 * @param status as in {@link io.rollscope.core.model.Status}
 * @param stage a stage of which the session has a span
 * @param task id or name of its task
 * @param worker label ({@code [agent] rank 3}), role, or {@code role:rank} of its worker
 * @param text occurs, in either case, in the id of session, trace or task, in the task's name, the
 *     worker's label, the reason, or in stage or error of a span
 */
public record SessionFilter(String status, String stage, String task, String worker, String text) {
  public static final SessionFilter NONE = new SessionFilter(null, null, null, null, null);

  public boolean isEmpty() {
    return equals(NONE);
  }
}
