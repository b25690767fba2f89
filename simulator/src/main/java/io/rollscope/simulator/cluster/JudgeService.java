package io.rollscope.simulator.cluster;

import io.rollscope.simulator.Agenda;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;

/** A service that judges a number of sessions at once and lets the others wait. */
final class JudgeService {
  private record Request(double seconds, Agenda.Step then) {}

  private final Cluster cluster;
  private final Queue<Request> waiting = new ArrayDeque<>();
  private int busy;

  JudgeService(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Does something when it has been worked on for so long. */
  void request(double seconds, Agenda.Step then) {
    waiting.add(new Request(seconds, then));
    serve();
  }

  private void serve() {
    while (busy < cluster.settings().machines().judgeSlots() && !waiting.isEmpty()) {
      Request next = waiting.remove();
      busy++;
      cluster.after(next.seconds, () -> finish(next));
    }
  }

  private void finish(Request request) throws IOException {
    busy--;
    serve();
    request.then.run();
  }
}
