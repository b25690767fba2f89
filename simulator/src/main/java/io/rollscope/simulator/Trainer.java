package io.rollscope.simulator;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The training side: takes finished batches in order, and sends the new weights to the workers. All
 * ranks wait for each other at the end of each phase.
 */
final class Trainer {
  private static final int SESSIONS_PER_MICRO_BATCH = 8;
  private static final double BARRIER_S = 0.0004;

  private record Phase(String name, String category, double share, List<String> inner) {}

  private static final List<Phase> PHASES =
      List.of(
          new Phase("train.recompute_logp", "compute", 0.14, List.of("fsdp_engine.forward")),
          new Phase("train.compute_advantage", "compute", 0.01, List.of()),
          new Phase(
              "train.ppo_update",
              "compute",
              0.85,
              List.of("fsdp_engine.forward", "fsdp_engine.backward", "fsdp_engine.step")));

  private final World world;
  private final WorkerPool workers;
  private final Agenda.Step onNewWeights;
  private final int microBatches;
  private final Set<Integer> ready = new HashSet<>();
  private boolean isBusy;
  private int trained;
  private long waitingSinceNs;

  /**
   * @param onNewWeights what is done when a step is over and generation may go on
   */
  Trainer(World world, WorkerPool workers, Agenda.Step onNewWeights) {
    this.world = world;
    this.workers = workers;
    this.onNewWeights = onNewWeights;
    Workload workload = world.settings().workload();
    int sessions = workload.tasksPerBatch() * workload.samplesPerTask();
    microBatches = Math.max(1, sessions / SESSIONS_PER_MICRO_BATCH);
  }

  /** Steps that are over, and so the version of the policy. */
  int trained() {
    return trained;
  }

  void offer(Batch batch) throws IOException {
    ready.add(batch.number);
    trainNext();
  }

  private void trainNext() throws IOException {
    if (isBusy || !ready.remove(trained)) {
      return;
    }
    isBusy = true;
    long now = world.agenda().nowNs();
    for (int rank = 0; rank < ranks(); rank++) {
      long from = waitingSinceNs + skewNs();
      long to =
          Math.max(
              from, now - Math.round((now - waitingSinceNs) * world.chance().between(0, 0.05)));
      record("workflow_executor.prepare_batch", "scheduler", rank, null, from, to);
      record("train.rollout", "compute", rank, (long) trained, from, to);
    }
    run(0);
  }

  private void run(int index) throws IOException {
    if (index == PHASES.size()) {
      syncWeights();
      return;
    }
    Phase phase = PHASES.get(index);
    double seconds =
        world.settings().durations().trainS() * phase.share * world.chance().between(0.9, 1.15);
    long startNs = world.agenda().nowNs();
    world
        .agenda()
        .after(
            seconds,
            () -> {
              finish(phase, startNs);
              run(index + 1);
            });
  }

  private void finish(Phase phase, long startNs) throws IOException {
    long endNs = world.agenda().nowNs();
    for (int rank = 0; rank < ranks(); rank++) {
      long from = startNs + skewNs();
      recordInner(phase, rank, from, endNs);
      record(phase.name, phase.category, rank, (long) trained, from, endNs);
    }
  }

  private void recordInner(Phase phase, int rank, long from, long to) throws IOException {
    long slice = (to - from) / Math.max(1, microBatches * phase.inner.size());
    long at = from;
    for (int i = 0; i < microBatches; i++) {
      for (String name : phase.inner) {
        record(name, "misc", rank, null, at, at + slice);
        at += slice;
      }
    }
  }

  private void syncWeights() {
    workers.pause();
    double seconds = world.settings().durations().weightSyncS() * world.chance().between(0.8, 1.3);
    long startNs = world.agenda().nowNs();
    world
        .agenda()
        .after(
            seconds,
            () -> {
              long endNs = world.agenda().nowNs();
              for (int rank = 0; rank < ranks(); rank++) {
                long from = startNs + skewNs();
                record(
                    "fsdp_engine.update_weights_from_distributed", "comm", rank, null, from, endNs);
                record("train.update_weights", "comm", rank, (long) trained, from, endNs);
              }
              goOn();
            });
  }

  private void goOn() throws IOException {
    trained++;
    isBusy = false;
    waitingSinceNs = world.agenda().nowNs();
    workers.resume();
    onNewWeights.run();
    trainNext();
  }

  private int ranks() {
    return world.settings().fleet().trainerRanks();
  }

  private long skewNs() {
    return Math.round(world.chance().between(0, BARRIER_S) * 1e9);
  }

  private void record(String name, String category, int rank, Long step, long from, long to)
      throws IOException {
    world.recorder().training(name, category, rank, step, from, to);
  }
}
