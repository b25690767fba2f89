package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.Moment;

/** When a fault is there: from a step on, up to another. */
public record Steps(int from, int to) {

  static Steps from(int step) {
    return new Steps(step, Integer.MAX_VALUE);
  }

  boolean contains(Moment at) {
    return at.step() >= from && at.step() <= to;
  }
}
