package io.rollscope.simulator;

import io.rollscope.core.model.Worker;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The rollout workers. Each takes a number of requests at once and lets the others wait. Sessions
 * are dealt out in turn and stay with their worker, so a slow one gathers a queue.
 */
final class WorkerPool {
  private static final long FIRST_PID = 10533;

  /** Called when a worker takes the request. */
  interface Grant {
    void run(Slots slots) throws IOException;
  }

  private record Request(Session session, Grant grant) {}

  /** The slots of one worker. */
  static final class Slots {
    final Worker worker;
    final SimulatedProcess process;
    final double slowness;
    private final Queue<Request> waiting = new ArrayDeque<>();
    private int busy;

    Slots(Worker worker, SimulatedProcess process, double slowness) {
      this.worker = worker;
      this.process = process;
      this.slowness = slowness;
    }
  }

  private final List<Slots> workers = new ArrayList<>();
  private final int slotsPerWorker;
  private long dealt;
  private boolean isPaused;

  WorkerPool(Fleet fleet) {
    slotsPerWorker = fleet.slotsPerWorker();
    SimulatedProcess process = null;
    for (int rank = 0; rank < fleet.workers(); rank++) {
      if (rank % fleet.workersPerProcess() == 0) {
        process = new SimulatedProcess(FIRST_PID + rank / fleet.workersPerProcess());
      }
      double slowness = rank == fleet.slowWorker() ? fleet.slowFactor() : 1;
      workers.add(new Slots(new Worker(null, (long) rank), process, slowness));
    }
  }

  void request(Session session, Grant grant) throws IOException {
    if (session.slots == null) {
      session.slots = workers.get((int) (dealt++ % workers.size()));
    }
    session.slots.waiting.add(new Request(session, grant));
    serve(session.slots);
  }

  void release(Session session) throws IOException {
    if (session.holdsSlot) {
      session.holdsSlot = false;
      session.slots.busy--;
      serve(session.slots);
    }
  }

  /** New weights are coming: nothing is started until {@link #resume}. */
  void pause() {
    isPaused = true;
  }

  void resume() throws IOException {
    isPaused = false;
    for (Slots slots : workers) {
      serve(slots);
    }
  }

  private void serve(Slots slots) throws IOException {
    while (!isPaused && slots.busy < slotsPerWorker && !slots.waiting.isEmpty()) {
      Request next = slots.waiting.remove();
      if (next.session.isAlive) {
        slots.busy++;
        next.session.holdsSlot = true;
        next.grant.run(slots);
      }
    }
  }
}
