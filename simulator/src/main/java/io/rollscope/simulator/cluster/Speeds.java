package io.rollscope.simulator.cluster;

import io.rollscope.simulator.Expect;

/**
 * How long things take, in seconds.
 *
 * @param tokenS one token of an answer
 * @param promptTokenS one token of a prompt
 * @param toolS median of a tool call
 * @param judgeS median of one judgement
 * @param trainS training of one step
 * @param syncS sending new weights to the engines
 * @param warmUp how many times longer the first step takes
 */
public record Speeds(
    double tokenS,
    double promptTokenS,
    double toolS,
    double judgeS,
    double trainS,
    double syncS,
    double warmUp) {

  public Speeds {
    Expect.positive("tokenS", tokenS);
    Expect.positive("promptTokenS", promptTokenS);
    Expect.positive("toolS", toolS);
    Expect.positive("judgeS", judgeS);
    Expect.positive("trainS", trainS);
    Expect.positive("syncS", syncS);
    Expect.positive("warmUp", warmUp);
  }

  public Speeds withTrainS(double value) {
    return new Speeds(tokenS, promptTokenS, toolS, judgeS, value, syncS, warmUp);
  }

  public Speeds withJudgeS(double value) {
    return new Speeds(tokenS, promptTokenS, toolS, value, trainS, syncS, warmUp);
  }

  public Speeds withToolS(double value) {
    return new Speeds(tokenS, promptTokenS, value, judgeS, trainS, syncS, warmUp);
  }

  public Speeds withWarmUp(double value) {
    return new Speeds(tokenS, promptTokenS, toolS, judgeS, trainS, syncS, value);
  }
}
