package io.rollscope.simulator.faults;

import java.util.HashMap;
import java.util.Map;

/** Names of runs, and seeds made of them: a run stays the same when others are added. */
final class SeededNames {
  private static final int SEEDS = 100_000;

  private final Map<String, Integer> times = new HashMap<>();

  /** The name with a number, which counts how often it was given. */
  String unique(String name) {
    return name + "-" + times.merge(name, 1, Integer::sum);
  }

  static long seed(String name) {
    return Math.floorMod(name.hashCode(), SEEDS);
  }
}
