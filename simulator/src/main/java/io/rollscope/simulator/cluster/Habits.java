package io.rollscope.simulator.cluster;

import io.rollscope.simulator.Expect;

/**
 * What a run does besides, all of it usual.
 *
 * @param evaluateEvery steps between evaluations, or 0 for none
 * @param checkpointEvery steps between checkpoints, or 0 for none
 * @param rejected share of groups whose samples all have one reward
 * @param judgeErrors share of judgements that fail
 * @param engineOfDataset whether each dataset has engines of its own
 * @param namesBatches whether sessions tell their batch
 */
public record Habits(
    int evaluateEvery,
    int checkpointEvery,
    double rejected,
    double judgeErrors,
    boolean engineOfDataset,
    boolean namesBatches) {

  public Habits {
    Expect.atLeast("evaluateEvery", evaluateEvery, 0);
    Expect.atLeast("checkpointEvery", checkpointEvery, 0);
    Expect.share("rejected", rejected);
    Expect.share("judgeErrors", judgeErrors);
  }

  public Habits withEvaluateEvery(int value) {
    return new Habits(value, checkpointEvery, rejected, judgeErrors, engineOfDataset, namesBatches);
  }

  public Habits withCheckpointEvery(int value) {
    return new Habits(evaluateEvery, value, rejected, judgeErrors, engineOfDataset, namesBatches);
  }

  public Habits withRejected(double value) {
    return new Habits(
        evaluateEvery, checkpointEvery, value, judgeErrors, engineOfDataset, namesBatches);
  }

  public Habits withJudgeErrors(double value) {
    return new Habits(
        evaluateEvery, checkpointEvery, rejected, value, engineOfDataset, namesBatches);
  }

  public Habits withEngineOfDataset(boolean value) {
    return new Habits(evaluateEvery, checkpointEvery, rejected, judgeErrors, value, namesBatches);
  }
}
