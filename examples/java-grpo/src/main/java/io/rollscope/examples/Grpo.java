package io.rollscope.examples;

import io.rollscope.sdk.Batch;
import io.rollscope.sdk.Phase;
import io.rollscope.sdk.Rollscope;
import io.rollscope.sdk.Session;
import io.rollscope.sdk.State;
import io.rollscope.sdk.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A toy GRPO loop: the "model" guesses what 2 + 3 is, and is told which guesses were better than
 * those of its group. Everything with {@code rs} in it is the SDK; without it the loop is the same.
 */
public final class Grpo {
  private static final int GROUP = 8;
  private static final int[] SUMS = {5, 7, 9, 11};
  private static final Random RANDOM = new Random(17);

  private final Rollscope rs;
  private final ExecutorService rollouts;
  private final double[][] policy = new double[SUMS.length][16];

  private Grpo(Rollscope rs) {
    this.rs = rs;
    rollouts = rs.wrap(Executors.newFixedThreadPool(4));
  }

  /** Usage: {@code Grpo [STEPS]}. */
  public static void main(String[] args) throws Exception {
    int steps = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    try (Rollscope rs = Rollscope.builder().run("toy-grpo").build()) {
      if (!rs.isEnabled()) {
        System.out.println("nothing is recorded; try ROLLSCOPE_VIEWER=1 ROLLSCOPE_ENABLED=1");
      }
      Grpo grpo = new Grpo(rs);
      for (int step = 1; step <= steps; step++) {
        System.out.printf("step %2d  mean reward %.2f%n", step, grpo.step(step));
      }
      grpo.rollouts.shutdown();
    }
  }

  private double step(int step) throws Exception {
    try (Batch batch = rs.batch(step, step - 1)) {
      List<List<Future<Attempt>>> groups = new ArrayList<>();
      try (State state = rs.state("rollout", "trainer", step)) {
        for (int task = 0; task < SUMS.length; task++) {
          groups.add(startGroup(task));
        }
        for (List<Future<Attempt>> group : groups) {
          for (Future<Attempt> one : group) {
            one.get();
          }
        }
      }
      try (State state = rs.state("train", "trainer", step);
          Phase phase = rs.phase("update")) {
        double reward = 0;
        for (int task = 0; task < SUMS.length; task++) {
          reward += update(task, groups.get(task)) / SUMS.length;
        }
        phase.set("reward", reward);
        rs.gauge("reward.mean").set(reward);
        return reward;
      }
    }
  }

  private List<Future<Attempt>> startGroup(int task) {
    List<Future<Attempt>> group = new ArrayList<>();
    try (Task inside = rs.task("sum-" + task, "addition")) {
      for (int i = 0; i < GROUP; i++) {
        group.add(rollouts.submit(() -> rollout(task)));
      }
    }
    return group;
  }

  private record Attempt(int guess, double reward) {}

  private Attempt rollout(int task) throws InterruptedException {
    try (Session session = rs.session()) {
      int guess = rs.trace("generate", () -> think(sample(policy[task])));
      double reward = rs.trace("judge", () -> think(guess) == SUMS[task] ? 1.0 : 0.0);
      session.count("tokens", 10L + guess);
      rs.counter("tokens").add(10 + guess);
      rs.histogram("reward").record(reward);
      if (reward == 0) {
        session.rejected("wrong sum");
      } else {
        session.accepted();
      }
      return new Attempt(guess, reward);
    }
  }

  /** A guess by its probability. */
  private static int sample(double[] weights) {
    double left = RANDOM.nextDouble();
    double all = 0;
    for (double weight : weights) {
      all += Math.exp(weight);
    }
    for (int i = 0; i < weights.length; i++) {
      left -= Math.exp(weights[i]) / all;
      if (left <= 0) {
        return i;
      }
    }
    return weights.length - 1;
  }

  /** Takes a moment, as models do. */
  private static int think(int thought) throws InterruptedException {
    Thread.sleep(1 + RANDOM.nextInt(20));
    return thought;
  }

  /** What was better than the mean of its group becomes likelier. */
  private double update(int task, List<Future<Attempt>> group) throws Exception {
    double mean = 0;
    for (Future<Attempt> one : group) {
      mean += one.get().reward() / GROUP;
    }
    for (Future<Attempt> one : group) {
      Attempt attempt = one.get();
      policy[task][attempt.guess()] += attempt.reward() - mean;
    }
    return mean;
  }
}
