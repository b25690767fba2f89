package io.rollscope.simulator;

/** The spans of an XTuner rollout, outermost first; tool calls are an agent loop's own. */
final class SpanNames {
  static final String SAMPLE_GROUP = "xtuner.producer.sample_group";
  static final String PRODUCER_GROUP = "xtuner.producer.generate_group";
  static final String PUT_GROUP = "xtuner.producer.put_generated_group";
  static final String AGENT_GROUP = "xtuner.agent_loop.generate_group";
  static final String AGENT_SAMPLE = "xtuner.agent_loop.generate_sample";
  static final String TOOL_CALL = "xtuner.agent_loop.toolcall";
  static final String CONTROLLER = "xtuner.rollout_controller.generate";
  static final String WORKER = "xtuner.rollout_worker.generate";
  static final String ENGINE = "xtuner.rollout_engine.generate";
  static final String JUDGE = "xtuner.judger.judge";

  private SpanNames() {}
}
