package io.rollscope.core.model;

/**
 * Where an event belongs, as far as its source says: batch, task and worker, and what the source
 * called the session's state at that moment. Many events share one instance. Null means unknown.
 *
 * @param batch id of the batch
 * @param trainStep training step that consumes it
 * @param modelStep policy version used
 * @param futureStep step the producer was preparing
 * @param task id of the dataset item whose samples form a group
 * @param taskName name of the dataset or task kind
 * @param worker where it ran
 * @param sourceStatus the source's own word for the state of the session
 */
public record Coordinates(
    String batch,
    Long trainStep,
    Long modelStep,
    Long futureStep,
    String task,
    String taskName,
    Worker worker,
    String sourceStatus) {

  /** Nothing is known. */
  public static final Coordinates NONE =
      new Coordinates(null, null, null, null, null, null, Worker.UNKNOWN, null);

  /** The same; what it is silent about, the other says. */
  public Coordinates or(Coordinates other) {
    if (equals(other)) {
      return this;
    }
    return new Coordinates(
        either(batch, other.batch),
        either(trainStep, other.trainStep),
        either(modelStep, other.modelStep),
        either(futureStep, other.futureStep),
        either(task, other.task),
        told(taskName, other.taskName),
        worker.equals(Worker.UNKNOWN) ? other.worker : worker,
        told(sourceStatus, other.sourceStatus));
  }

  /** The same; where it says nothing of batch and steps, those of another. */
  public Coordinates inBatchOf(Coordinates other) {
    return new Coordinates(
        either(batch, other.batch),
        either(trainStep, other.trainStep),
        either(modelStep, other.modelStep),
        either(futureStep, other.futureStep),
        task,
        taskName,
        worker,
        sourceStatus);
  }

  /** The same as those of a span in a session: its batch and task are the session's. */
  public Coordinates in(Coordinates session) {
    return new Coordinates(
        either(batch, session.batch),
        either(trainStep, session.trainStep),
        either(modelStep, session.modelStep),
        either(futureStep, session.futureStep),
        either(task, session.task),
        either(taskName, session.taskName),
        worker,
        sourceStatus);
  }

  private static <T> T either(T preferred, T other) {
    return preferred != null ? preferred : other;
  }

  private static String told(String preferred, String other) {
    return preferred != null && !preferred.isEmpty() ? preferred : other;
  }
}
