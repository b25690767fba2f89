package io.rollscope.simulator.cluster;

/** Names of spans that are work. */
public final class Stages {
  public static final String GENERATE = "generate";
  public static final String ENGINE = "engine.generate";
  public static final String TOOL = "tool.call";
  public static final String JUDGE = "judge";
  public static final String SYNC = "weight_sync";
  static final String TRAIN = "train.forward_backward";
  static final String WAIT = "wait_rollout";

  private Stages() {}
}
