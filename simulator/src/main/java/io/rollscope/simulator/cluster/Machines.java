package io.rollscope.simulator.cluster;

import io.rollscope.simulator.Expect;

/**
 * What a run runs on.
 *
 * @param engines inference engines, a process each
 * @param slots requests an engine works on at once; others queue
 * @param agents processes that run sessions
 * @param trainers training processes
 * @param judgeSlots sessions that are judged at once; others queue
 * @param spread by what part engines differ in speed, at most
 */
public record Machines(
    int engines, int slots, int agents, int trainers, int judgeSlots, double spread) {

  public Machines {
    Expect.atLeast("engines", engines, 1);
    Expect.atLeast("slots", slots, 1);
    Expect.atLeast("agents", agents, 1);
    Expect.atLeast("trainers", trainers, 1);
    Expect.atLeast("judgeSlots", judgeSlots, 1);
    Expect.share("spread", spread);
  }

  public Machines withEngines(int value) {
    return new Machines(value, slots, agents, trainers, judgeSlots, spread);
  }

  public Machines withSlots(int value) {
    return new Machines(engines, value, agents, trainers, judgeSlots, spread);
  }

  public Machines withSpread(double value) {
    return new Machines(engines, slots, agents, trainers, judgeSlots, value);
  }
}
