package io.rollscope.simulator.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Training: waits for the groups of a step, trains on them, writes a checkpoint now and then, and
 * sends the new weights. All trainers do the same at the same time.
 */
final class Trainer {
  /** Handing over a batch takes this long. */
  private static final double HANDOVER_S = 0.03;

  private static final double CHECKPOINT_PART = 0.6;

  private final Cluster cluster;
  private final List<ProcessLog> logs = new ArrayList<>();
  private final Map<Integer, Span> batches = new HashMap<>();
  private final List<Span> states = new ArrayList<>();
  private int enginesLeft;

  Trainer(Cluster cluster) throws IOException {
    this.cluster = cluster;
    for (int rank = 0; rank < cluster.settings().machines().trainers(); rank++) {
      logs.add(cluster.processes().start("trainer", rank, 0));
    }
  }

  void await(int step) throws IOException {
    batch(step);
    begin(Stages.WAIT, step);
  }

  /** Opens the span of a step's batch if this is the first that is meant for it. */
  void batch(int step) throws IOException {
    if (batches.containsKey(step)) {
      return;
    }
    boolean names = cluster.settings().habits().namesBatches();
    Attributes about =
        Attributes.of(
            "rl.kind",
            "batch",
            "rl.train_step",
            step,
            "rl.model_step",
            cluster.version(),
            "rl.batch.id",
            names ? "step-" + step : null);
    Span span =
        new Span(
            cluster.traceId("batch", step, 0),
            cluster.spanId("batch", step, 0),
            null,
            "batch",
            about,
            cluster.nowNs());
    batches.put(step, logs.get(0).start(span));
  }

  void train(int step, List<Group> groups) {
    cluster.after(
        HANDOVER_S,
        () -> {
          end();
          begin(Stages.TRAIN, step);
          double seconds =
              cluster.settings().speeds().trainS()
                  * cluster.warmUp()
                  * cluster.draws().between(0.95, 1.08, "train", step)
                  * cluster.disturbances().trainFactor();
          cluster.after(
              seconds,
              () -> {
                end();
                checkpoint(step, groups);
              });
        });
  }

  private void checkpoint(int step, List<Group> groups) throws IOException {
    int every = cluster.settings().habits().checkpointEvery();
    if (every == 0 || step % every != every - 1) {
      sync(step, groups);
      return;
    }
    begin("checkpoint", step);
    cluster.after(
        cluster.settings().speeds().trainS() * CHECKPOINT_PART,
        () -> {
          end();
          sync(step, groups);
        });
  }

  private void sync(int step, List<Group> groups) throws IOException {
    begin(Stages.SYNC, step);
    enginesLeft = cluster.engines().size();
    for (Engine engine : cluster.engines()) {
      engine.sync(
          step,
          () -> {
            enginesLeft--;
            if (enginesLeft == 0) {
              end();
              cluster.end(logs.get(0), batches.get(step));
              cluster.stepIsOver(step, groups);
            }
          });
    }
  }

  void evaluate(int step) throws IOException {
    begin("evaluate", step);
  }

  void evaluated() throws IOException {
    end();
  }

  /** What a step was like, for the curves of training. */
  void measure(int step, double stepS, List<Group> groups) throws IOException {
    List<Trajectory> sessions =
        groups.stream()
            .flatMap(group -> group.sessions().stream())
            .filter(Trajectory::isUsable)
            .toList();
    Attributes about = Attributes.of("rl.train_step", step);
    long now = cluster.nowNs();
    ProcessLog log = logs.get(0);
    log.gauge("reward_mean", mean(sessions, Trajectory::reward), now, about);
    log.gauge("response_length_mean", mean(sessions, Trajectory::answeredTokens), now, about);
    log.gauge("step_time_s", stepS, now, about);
    log.gauge("staleness_mean", mean(sessions, s -> s.lag(step)), now, about);
    int most = sessions.stream().mapToInt(s -> s.lag(step)).max().orElse(0);
    log.gauge("staleness_max", most, now, about);
  }

  private static double mean(
      List<Trajectory> sessions, java.util.function.ToDoubleFunction<Trajectory> what) {
    return sessions.stream().mapToDouble(what).average().orElse(0);
  }

  /** The run is over: batches that were begun are given up. */
  void abort() throws IOException {
    for (Span batch : batches.values()) {
      cluster.end(logs.get(0), batch);
    }
  }

  private void begin(String state, int step) throws IOException {
    for (ProcessLog log : logs) {
      states.add(cluster.state(log, state, step));
    }
  }

  private void end() throws IOException {
    for (int rank = 0; rank < logs.size(); rank++) {
      cluster.end(logs.get(rank), states.get(rank));
    }
    states.clear();
  }
}
