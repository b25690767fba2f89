package io.rollscope.simulator;

import java.io.IOException;

/**
 * A simulated asynchronous GRPO run on a virtual clock. Only work in flight is kept in memory, so a
 * run may be of any length. It has no threads and no clock of its own: each {@link #advance} does
 * what happens next.
 */
public final class Simulation {
  private static final long PRODUCER_PID = 9871;

  private final Agenda agenda = new Agenda();
  private final Producer producer;

  /** Prepares a run; nothing happens before the first {@link #advance}. */
  public Simulation(Settings settings, Timeline timeline, Sink sink) {
    World world =
        new World(
            settings,
            agenda,
            new Recorder(agenda, timeline, sink),
            new Chance(settings.seed()),
            new SimulatedProcess(PRODUCER_PID));
    WorkerPool workers = new WorkerPool(settings.fleet());
    Trainer trainer = new Trainer(world, workers, this::fill);
    producer = new Producer(world, new Rollout(world, workers), trainer);
    agenda.after(0, this::fill);
  }

  /** Whether nothing will happen any more. What hangs is still open then. */
  public boolean isOver() {
    return agenda.size() == 0;
  }

  /** Virtual time of what happens next; {@link Long#MAX_VALUE} when the run is over. */
  public long nextNs() {
    return agenda.nextNs();
  }

  /** Virtual time of what happened last. */
  public long nowNs() {
    return agenda.nowNs();
  }

  /** Lets happen what happens next, which may be several events. */
  public void advance() throws IOException {
    agenda.runNext();
  }

  /** Sessions that are started and not finished; those that hang count until they are given up. */
  public int inFlight() {
    return producer.inFlight();
  }

  /** How much lies ahead on the agenda: what a simulation needs memory for. */
  int pending() {
    return agenda.size();
  }

  private void fill() throws IOException {
    producer.fill();
  }
}
