package io.rollscope.otlp.record;

import java.util.Comparator;

/**
 * What a span, or its resource, says about where it belongs (contracts.md 2.1). Null means it says
 * nothing; what the trace as a whole knows is found out later. Many spans share one instance.
 *
 * @param run id of the run
 * @param session id of the session
 * @param lane the track it is drawn on, for states
 * @param alone whether it never stands for a session of its own by its trace id
 * @param batch id of the batch, given or made of the steps
 * @param status verdict ({@code rl.status}), as it was written
 * @param sourceStatus the source's own word for the state of the session
 * @param reason why the session ended so
 */
public record Said(
    String run,
    String session,
    String lane,
    boolean alone,
    String batch,
    Long trainStep,
    Long modelStep,
    Long futureStep,
    String task,
    String taskName,
    String stage,
    Long attempt,
    String workerRole,
    Long workerRank,
    String status,
    String sourceStatus,
    String reason) {

  /** Any order in which only equal ones are equal. */
  static final Comparator<Said> ORDER =
      Comparator.comparing(Said::run, nullsFirst())
          .thenComparing(Said::session, nullsFirst())
          .thenComparing(Said::lane, nullsFirst())
          .thenComparing(Said::alone)
          .thenComparing(Said::batch, nullsFirst())
          .thenComparing(Said::trainStep, nullsFirst())
          .thenComparing(Said::modelStep, nullsFirst())
          .thenComparing(Said::futureStep, nullsFirst())
          .thenComparing(Said::task, nullsFirst())
          .thenComparing(Said::taskName, nullsFirst())
          .thenComparing(Said::stage, nullsFirst())
          .thenComparing(Said::attempt, nullsFirst())
          .thenComparing(Said::workerRole, nullsFirst())
          .thenComparing(Said::workerRank, nullsFirst())
          .thenComparing(Said::status, nullsFirst())
          .thenComparing(Said::sourceStatus, nullsFirst())
          .thenComparing(Said::reason, nullsFirst());

  private static <T extends Comparable<T>> Comparator<T> nullsFirst() {
    return Comparator.nullsFirst(Comparator.naturalOrder());
  }

  /** The same with what only the other says. */
  public Said and(Said other) {
    if (equals(other)) {
      return this;
    }
    return new Said(
        either(run, other.run),
        either(session, other.session),
        either(lane, other.lane),
        alone || other.alone,
        either(batch, other.batch),
        either(trainStep, other.trainStep),
        either(modelStep, other.modelStep),
        either(futureStep, other.futureStep),
        either(task, other.task),
        either(taskName, other.taskName),
        either(stage, other.stage),
        either(attempt, other.attempt),
        either(workerRole, other.workerRole),
        either(workerRank, other.workerRank),
        either(status, other.status),
        either(sourceStatus, other.sourceStatus),
        either(reason, other.reason));
  }

  private static <T> T either(T a, T b) {
    return a != null ? a : b;
  }
}
