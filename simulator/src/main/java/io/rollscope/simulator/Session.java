package io.rollscope.simulator;

import io.rollscope.core.model.Worker;
import java.util.ArrayDeque;
import java.util.Deque;

/** One sampled trajectory, and where it is. */
final class Session {
  /** A span that has started and not ended, with what its end needs to know. */
  record OpenSpan(String name, SimulatedProcess process, Worker worker, long startNs) {}

  final String id;
  final Task task;

  /** Innermost first. */
  final Deque<OpenSpan> open = new ArrayDeque<>(6);

  /** Name of the span that never ends, or null. */
  final String hangsAt;

  RolloutStatus status = RolloutStatus.INIT;

  /** Whether what is on the agenda for it still counts. */
  boolean isAlive = true;

  /** The worker it is routed to for all its turns, or null before the first. */
  WorkerPool.Slots slots;

  boolean holdsSlot;
  int turnsLeft;

  /** Virtual time of its last event. */
  long lastNs;

  Session(String id, Task task, int turns, String hangsAt) {
    this.id = id;
    this.task = task;
    this.turnsLeft = turns;
    this.hangsAt = hangsAt;
  }
}
