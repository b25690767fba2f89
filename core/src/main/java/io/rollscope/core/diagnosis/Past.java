package io.rollscope.core.diagnosis;

import java.util.NavigableSet;
import java.util.TreeSet;

/** What a run's own steps say of each other: which are out of line with those around them. */
final class Past {
  private Past() {}

  /** Compares a step with others. */
  interface Comparison {
    /** Whether this step has enough to compare. */
    boolean isKnown(int step);

    /** Whether it is out of line with these, of which there is one at least. */
    boolean isOut(int step, NavigableSet<Integer> usual);
  }

  /**
   * The steps that are out of line: with what came before them; or, if all before the change are
   * out of line, with what came after. The first step is a warm-up and only stands in for others
   * where there are none; it is never blamed. What recurs at one distance, an evaluation or a
   * checkpoint, is how the run is made.
   */
  static NavigableSet<Integer> outOfLine(RunSteps steps, Comparison compared) {
    NavigableSet<Integer> known = new TreeSet<>();
    for (int k = 0; k < steps.count(); k++) {
      if (compared.isKnown(k)) {
        known.add(k);
      }
    }
    NavigableSet<Integer> out = pass(steps, known, compared);
    if (out.isEmpty()) {
      NavigableSet<Integer> early = pass(steps, new TreeSet<>(known).descendingSet(), compared);
      early.removeIf(steps::isWarmUp);
      // What holds for most of the run is its usual, not a fault.
      boolean few = early.size() * 2 <= known.size();
      boolean fromStart = !early.isEmpty() && early.last() <= early.size();
      return few && fromStart ? early : out;
    }
    return recurs(out) ? new TreeSet<>() : out;
  }

  private static NavigableSet<Integer> pass(
      RunSteps steps, Iterable<Integer> order, Comparison compared) {
    NavigableSet<Integer> usual = new TreeSet<>();
    NavigableSet<Integer> out = new TreeSet<>();
    for (int k : order) {
      boolean first = usual.isEmpty();
      if (!first && !steps.isWarmUp(k) && compared.isOut(k, usual)) {
        out.add(k);
        continue;
      }
      if (usual.size() == 1 && steps.isWarmUp(usual.first())) {
        usual.clear();
      }
      if (usual.isEmpty() || !steps.isWarmUp(k)) {
        usual.add(k);
      }
    }
    return out;
  }

  /** Twice at least at one distance, and never two in a row. */
  private static boolean recurs(NavigableSet<Integer> out) {
    if (out.size() < 2) {
      return false;
    }
    int distance = out.higher(out.first()) - out.first();
    int before = -1;
    for (int k : out) {
      if (before >= 0 && k - before != distance) {
        return false;
      }
      before = k;
    }
    return distance > 1;
  }
}
