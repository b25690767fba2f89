package io.rollscope.core.view;

import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Which sessions of a scope a report is about (contracts.md 6.2). Null lets everything pass.
 *
 * @param status as in {@link Status}
 * @param stage a stage of which the session has a span; on a live board the one it is in
 * @param task id or name of its task
 * @param worker label ({@code [agent] rank 3}), role, or {@code role:rank} of its worker
 * @param text occurs, in either case, in the id of session, trace or task, in the task's name, the
 *     worker's label, the reason, or in stage or error of a span
 */
public record SessionFilter(String status, String stage, String task, String worker, String text) {
  public static final SessionFilter NONE = new SessionFilter(null, null, null, null, null);

  /** What of a session a filter looks at; all but the id may be null. */
  public interface Subject {
    String session();

    String traceId();

    String task();

    String taskName();

    Status status();

    Worker worker();

    String reason();

    /** Whether it has a span of this stage, or is in it. */
    boolean isOfStage(String stage);

    /** Whether stage or error of any of its spans is like this. */
    boolean anySpan(Predicate<String> like);
  }

  public boolean isEmpty() {
    return equals(NONE);
  }

  public boolean passes(Subject of) {
    return (status == null || status.equals(of.status().word()))
        && (task == null || task.equals(of.task()) || task.equals(of.taskName()))
        && (worker == null || isCalled(of.worker()))
        && (stage == null || of.isOfStage(stage))
        && (text == null || isIn(of));
  }

  private boolean isCalled(Worker of) {
    return worker.equals(of.label())
        || worker.equals(of.role())
        || worker.equals(of.role() + ":" + of.rank());
  }

  private boolean isIn(Subject of) {
    String part = text.toLowerCase(Locale.ROOT);
    Predicate<String> like = t -> t != null && t.toLowerCase(Locale.ROOT).contains(part);
    return like.test(of.session())
        || like.test(of.traceId())
        || like.test(of.task())
        || like.test(of.taskName())
        || like.test(of.worker().label())
        || like.test(of.reason())
        || of.anySpan(like);
  }
}
