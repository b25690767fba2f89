package io.rollscope.otlp;

import java.util.List;
import java.util.stream.Stream;

/** The attribute keys that mean something here; all others are only kept. */
public enum Key {
  RUN("rl.run.id"),
  RUN_PLAIN("run.id"),
  INSIGHT_PROJECT("project"),
  INSIGHT_EXPERIMENT("experiment_name"),
  SESSION("rl.session.id"),
  XTUNER_ROLLOUT("xtuner.rollout_id"),
  INSIGHT_SAMPLE("sample"),
  INSIGHT_SESSION("session"),
  INSIGHT_TRAJECTORY("traj"),
  TASK("rl.task.id"),
  XTUNER_GROUP("xtuner.group_id"),
  TASK_NAME("rl.task.name"),
  XTUNER_TASK_NAME("xtuner.task_name"),
  BATCH("rl.batch.id"),
  TRAIN_STEP("rl.train_step"),
  XTUNER_FUTURE_STEP("xtuner.producer_future_step"),
  INSIGHT_STEP("global_steps"),
  TRAIN_STEP_PLAIN("train.step"),
  MODEL_STEP("rl.model_step"),
  FUTURE_STEP("rl.future_step"),
  KIND("rl.kind"),
  LANE("rl.lane"),
  INSIGHT_LANE("state_lane_id"),
  TRACE_SEGMENT("monitor.trace_segment"),
  STAGE("rl.stage"),
  STATE("rl.state"),
  XTUNER_STAGE("xtuner.stage"),
  STAGE_PLAIN("stage.name"),
  INSIGHT_STATE("state_name"),
  ATTEMPT("rl.attempt"),
  WORKER_ROLE("rl.worker.role"),
  WORKER_RANK("rl.worker.rank"),
  STATUS("rl.status"),
  XTUNER_STATUS("xtuner.status"),
  REASON("rl.reason", false),
  ERROR("error", false),
  ERROR_TYPE("error.type", false),
  ERROR_MESSAGE("error.message", false),
  EXCEPTION_TYPE("exception.type", false),
  EXCEPTION_MESSAGE("exception.message", false),
  SERVICE("service.name"),
  INSTANCE("service.instance.id"),
  HOST("host.name"),
  PID("process.pid"),
  PROJECT("rl.project"),
  SYSTEM("rl.system"),
  RUN_DEFAULT("rollscope.run.default"),
  SOURCE("rollscope.source"),
  CLOCK("rollscope.clock"),
  SCRAPED("rollscope.scraped"),
  SPAN_NAME("rollscope.span.name"),
  SPAN_PARENT("rollscope.span.parent_id"),
  OPEN_SPANS("rollscope.open_spans"),
  DROPPED_SPANS("rollscope.dropped.spans"),
  DROPPED_STARTS("rollscope.dropped.starts"),
  DROPPED_METRICS("rollscope.dropped.metrics"),
  STACK_FRAMES("rollscope.stack.frames", false),
  EVENT_NAME("event.name"),
  REWARD("rl.reward", false, "rl.reward.score"),
  INPUT_TOKENS("gen_ai.usage.input_tokens", false, "gen_ai.usage.prompt_tokens", "prompt_tokens"),
  OUTPUT_TOKENS(
      "gen_ai.usage.output_tokens", false, "gen_ai.usage.completion_tokens", "completion_tokens"),
  QUEUE_TIME("gen_ai.latency.time_in_queue", false),
  CUT_ATTRIBUTES("rollscope.cut.attributes"),
  DELETED_SPANS("rollscope.deleted.spans");

  private final String text;
  private final boolean identity;

  @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed
  private final List<String> aliases;

  Key(String text) {
    this(text, true);
  }

  Key(String text, boolean identity, String... aliases) {
    this.text = text;
    this.identity = identity;
    this.aliases = List.of(aliases);
  }

  /** The key as it is written. */
  public String text() {
    return text;
  }

  /** The key and others that mean the same; of several on one span the first counts. */
  public List<String> texts() {
    return Stream.concat(Stream.of(text), aliases.stream()).toList();
  }

  /** Whether its value is a name or an id, which may not be long, rather than prose. */
  boolean isIdentity() {
    return identity;
  }

  /** One bit of its own. */
  long bit() {
    return 1L << ordinal();
  }
}
