package io.rollscope.simulator.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** All that disturbs a run, and when each did. */
final class Disturbances {
  private final List<Disturbance> all;
  private final Supplier<Moment> clock;
  private final Map<Disturbance, TreeSet<Integer>> steps = new HashMap<>();
  private double endS = Double.POSITIVE_INFINITY;

  Disturbances(List<Disturbance> all, Supplier<Moment> clock) {
    this.all = List.copyOf(all);
    this.clock = clock;
  }

  List<Disturbance> all() {
    return all;
  }

  /** Steps in which one made a difference. */
  SortedSet<Integer> stepsOf(Disturbance one) {
    return steps.getOrDefault(one, new TreeSet<>());
  }

  /** When the trace ends, as far as is known by now; virtual seconds. */
  double endS() {
    return endS;
  }

  void note(Disturbance one) {
    Moment now = clock.get();
    TreeSet<Integer> before = steps.get(one);
    if (before == null) {
      before = new TreeSet<>();
      steps.put(one, before);
      endS = Math.min(endS, now.nowS() + one.observedS());
    }
    before.add(now.step());
  }

  double tokenFactor(int engine) {
    return product(d -> d.tokenFactor(clock.get(), engine));
  }

  double serviceFactor(String stage) {
    return product(d -> d.serviceFactor(clock.get(), stage));
  }

  double errorShare(String stage) {
    return sum(d -> d.errorShare(clock.get(), stage));
  }

  double errorS(String stage) {
    return sum(d -> d.errorS(clock.get(), stage));
  }

  double repeatShare() {
    return sum(d -> d.repeatShare(clock.get()));
  }

  double rejectShare() {
    return sum(d -> d.rejectShare(clock.get()));
  }

  double syncFactor(int engine) {
    return product(d -> d.syncFactor(clock.get(), engine));
  }

  boolean missesWeights(int engine) {
    return sum(d -> d.missesWeights(clock.get(), engine) ? 1 : 0) > 0;
  }

  double trainFactor() {
    return product(d -> d.trainFactor(clock.get()));
  }

  double outputFactor(long task, int sample) {
    return product(d -> d.outputFactor(clock.get(), task, sample));
  }

  double promptFactor(String dataset, long task) {
    return product(d -> d.promptFactor(clock.get(), dataset, task));
  }

  int engine(long task, int sample, int usual) {
    int engine = usual;
    for (Disturbance one : all) {
      int chosen = one.engine(clock.get(), task, sample, engine);
      if (chosen != engine) {
        note(one);
      }
      engine = chosen;
    }
    return engine;
  }

  double slotFactor(int engine) {
    return product(d -> d.slotFactor(clock.get(), engine));
  }

  double hangS(String stage, long task, int sample, int turn) {
    return sum(d -> d.hangS(clock.get(), stage, task, sample, turn));
  }

  double clockS(String host) {
    return all.stream().mapToDouble(d -> d.clockS(host)).sum();
  }

  double dropShare(String role, int rank) {
    return sum(d -> d.dropShare(clock.get(), role, rank));
  }

  private double product(ToDoubleFunction<Disturbance> question) {
    double product = 1;
    for (Disturbance one : all) {
      double factor = question.applyAsDouble(one);
      if (factor != 1) {
        note(one);
      }
      product *= factor;
    }
    return product;
  }

  private double sum(ToDoubleFunction<Disturbance> question) {
    double sum = 0;
    for (Disturbance one : all) {
      double part = question.applyAsDouble(one);
      if (part != 0) {
        note(one);
      }
      sum += part;
    }
    return sum;
  }
}
