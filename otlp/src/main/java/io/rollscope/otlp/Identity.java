package io.rollscope.otlp;

import io.rollscope.core.model.Kind;
import io.rollscope.otlp.record.Said;

/**
 * What attributes say about where a span belongs (contracts.md 2.1, 2.5, 2.9, 2.13): looked up on
 * the span first, then on the resource. The one vocabulary of wire and files. An empty text says
 * nothing.
 */
public record Identity(KnownValues span, KnownValues resource) {

  /** Keys that mean the same, the more telling first. */
  private static final class Names {
    private final Key[] keys;
    private final long bits;

    Names(Key... keys) {
      this.keys = keys;
      long all = 0;
      for (Key key : keys) {
        all |= key.bit();
      }
      bits = all;
    }
  }

  private static final Names RUN = new Names(Key.RUN, Key.RUN_PLAIN);
  private static final Names PROJECT = new Names(Key.INSIGHT_PROJECT);
  private static final Names EXPERIMENT = new Names(Key.INSIGHT_EXPERIMENT);
  private static final Names SESSION = new Names(Key.SESSION, Key.XTUNER_ROLLOUT);
  private static final Names SAMPLE = new Names(Key.INSIGHT_SAMPLE);
  private static final Names INNER_SESSION = new Names(Key.INSIGHT_SESSION);
  private static final Names TRAJECTORY = new Names(Key.INSIGHT_TRAJECTORY);
  private static final Names TASK = new Names(Key.TASK, Key.XTUNER_GROUP, Key.INSIGHT_SAMPLE);
  private static final Names TASK_NAME = new Names(Key.TASK_NAME, Key.XTUNER_TASK_NAME);
  private static final Names BATCH = new Names(Key.BATCH);
  private static final Names TRAIN_STEP =
      new Names(Key.TRAIN_STEP, Key.XTUNER_FUTURE_STEP, Key.INSIGHT_STEP, Key.TRAIN_STEP_PLAIN);
  private static final Names MODEL_STEP = new Names(Key.MODEL_STEP);
  private static final Names FUTURE_STEP = new Names(Key.FUTURE_STEP);
  private static final Names KIND = new Names(Key.KIND);
  private static final Names LANE = new Names(Key.LANE, Key.INSIGHT_LANE);
  private static final Names TRACE_SEGMENT = new Names(Key.TRACE_SEGMENT);
  private static final Names STAGE =
      new Names(Key.STAGE, Key.STATE, Key.XTUNER_STAGE, Key.STAGE_PLAIN, Key.INSIGHT_STATE);
  private static final Names ATTEMPT = new Names(Key.ATTEMPT);
  private static final Names WORKER_ROLE = new Names(Key.WORKER_ROLE);
  private static final Names WORKER_RANK = new Names(Key.WORKER_RANK);
  private static final Names STATUS = new Names(Key.STATUS);
  private static final Names SOURCE_STATUS = new Names(Key.XTUNER_STATUS, Key.STATUS);
  private static final Names REASON = new Names(Key.REASON);

  private static final Kind[] KINDS = Kind.values();
  private static final String[] KIND_WORDS =
      java.util.Arrays.stream(KINDS).map(Kind::word).toArray(String[]::new);

  /** Everything at once. */
  Said said(Kind kind, StepNames names) {
    String lane = lane();
    Long trainStep = trainStep();
    Long modelStep = modelStep();
    Long futureStep = futureStep();
    String batch = batch();
    return new Said(
        run(),
        session(),
        lane,
        isAlone(kind, lane),
        batch != null ? batch : names.batchOf(trainStep, modelStep, futureStep),
        trainStep,
        modelStep,
        futureStep,
        task(),
        taskName(),
        stage(),
        integer(ATTEMPT),
        workerRole(),
        workerRank(),
        status(),
        sourceStatus(),
        reason());
  }

  public String run() {
    String run = text(RUN);
    if (run != null) {
      return run;
    }
    String project = text(PROJECT);
    String experiment = text(EXPERIMENT);
    return project == null || experiment == null ? null : LongNames.id(project + "/" + experiment);
  }

  public String session() {
    String session = text(SESSION);
    if (session != null) {
      return session;
    }
    String sample = text(SAMPLE);
    String inner = text(INNER_SESSION);
    String trajectory = text(TRAJECTORY);
    boolean whole = sample != null && inner != null && trajectory != null;
    return whole ? LongNames.id(sample + "/" + inner + "/" + trajectory) : null;
  }

  public Kind kind() {
    String word = text(KIND);
    if (word != null) {
      for (int i = 0; i < KINDS.length; i++) {
        if (KIND_WORDS[i].equals(word)) {
          return KINDS[i];
        }
      }
    }
    return kindOfSegment(text(TRACE_SEGMENT));
  }

  /** States and timed functions of an RL-Insight client say what they are in a way of their own. */
  private static Kind kindOfSegment(String segment) {
    if (segment == null) {
      return Kind.PHASE;
    }
    return switch (segment) {
      case "state_interval" -> Kind.STATE;
      case "duration" -> Kind.OP;
      default -> Kind.PHASE;
    };
  }

  public String lane() {
    return text(LANE);
  }

  /** Whether the span never stands for a session of its own by its trace id. */
  public boolean isAlone(Kind kind, String lane) {
    return lane != null
        || (kind != Kind.PHASE && kind != Kind.SESSION)
        || text(TRACE_SEGMENT) != null;
  }

  /** The id of the batch, if the sender gave it one. */
  public String batch() {
    return text(BATCH);
  }

  public Long trainStep() {
    return integer(TRAIN_STEP);
  }

  public Long modelStep() {
    return integer(MODEL_STEP);
  }

  public Long futureStep() {
    return integer(FUTURE_STEP);
  }

  public String task() {
    return text(TASK);
  }

  public String taskName() {
    return text(TASK_NAME);
  }

  public String stage() {
    return text(STAGE);
  }

  public String workerRole() {
    return text(WORKER_ROLE);
  }

  public Long workerRank() {
    return integer(WORKER_RANK);
  }

  public String status() {
    return text(STATUS);
  }

  public String sourceStatus() {
    return text(SOURCE_STATUS);
  }

  public String reason() {
    return text(REASON);
  }

  private String text(Names names) {
    String own = text(span, names);
    return own != null ? own : text(resource, names);
  }

  private static String text(KnownValues at, Names names) {
    if (at.mayHave(names.bits)) {
      for (Key key : names.keys) {
        String value = at.text(key);
        if (value != null && !value.isEmpty()) {
          return value;
        }
      }
    }
    return null;
  }

  private Long integer(Names names) {
    Long own = integer(span, names);
    return own != null ? own : integer(resource, names);
  }

  private static Long integer(KnownValues at, Names names) {
    if (at.mayHave(names.bits)) {
      for (Key key : names.keys) {
        Long value = at.integer(key);
        if (value != null) {
          return value;
        }
      }
    }
    return null;
  }

  /** A whole number in decimal, or null: senders may write anything. */
  public static Long wholeNumber(String text) {
    if (text == null || text.isEmpty() || text.length() > 20) {
      return null;
    }
    for (int i = text.charAt(0) == '-' ? 1 : 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return null;
      }
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
