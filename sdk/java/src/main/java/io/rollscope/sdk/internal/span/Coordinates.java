package io.rollscope.sdk.internal.span;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;

/**
 * Where in the run something happens; null where nothing is known.
 *
 * @param session id of the session, given or made of its trace id
 */
public record Coordinates(
    Long trainStep,
    Long modelStep,
    Long futureStep,
    String batch,
    String task,
    String taskName,
    String session) {

  public static final Coordinates NONE = new Coordinates(null, null, null, null, null, null, null);
  public static final String TRAIN_STEP = "rl.train_step";
  public static final String MODEL_STEP = "rl.model_step";
  public static final String FUTURE_STEP = "rl.future_step";
  public static final String BATCH = "rl.batch.id";
  public static final String TASK = "rl.task.id";
  public static final String TASK_NAME = "rl.task.name";
  public static final String SESSION = "rl.session.id";

  private static final ContextKey<Coordinates> KEY = ContextKey.named("rollscope-coordinates");

  /** Those of this process, else what another one said in its baggage. */
  public static Coordinates in(Context context) {
    Coordinates own = context.get(KEY);
    return own != null ? own : in(Baggage.fromContext(context));
  }

  private static Coordinates in(Baggage baggage) {
    if (baggage.isEmpty()) {
      return NONE;
    }
    return new Coordinates(
        number(baggage.getEntryValue(TRAIN_STEP)),
        null,
        null,
        baggage.getEntryValue(BATCH),
        baggage.getEntryValue(TASK),
        null,
        baggage.getEntryValue(SESSION));
  }

  private static Long number(String text) {
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null; // Said by another program.
    }
  }

  /** Whether nobody in this process has said anything. */
  static boolean isMissing(Context context) {
    return context.get(KEY) == null;
  }

  /** Whether they say nothing at all. */
  public boolean isUnknown() {
    return equals(NONE);
  }

  public Context storeIn(Context context) {
    return context.with(KEY, this);
  }

  /** Adds what other processes need to know; what the user put there stays. */
  public Baggage addTo(Baggage baggage) {
    if (isUnknown()) {
      return baggage;
    }
    var builder = baggage.toBuilder();
    put(builder, TRAIN_STEP, trainStep);
    put(builder, BATCH, batch);
    put(builder, TASK, task);
    put(builder, SESSION, session);
    return builder.build();
  }

  private static void put(
      io.opentelemetry.api.baggage.BaggageBuilder builder, String key, Object value) {
    if (value != null) {
      builder.put(key, value.toString());
    }
  }

  public Coordinates withTask(String id, String name) {
    return new Coordinates(trainStep, modelStep, futureStep, batch, id, name, session);
  }

  public Coordinates withSession(String id) {
    return new Coordinates(trainStep, modelStep, futureStep, batch, task, taskName, id);
  }
}
