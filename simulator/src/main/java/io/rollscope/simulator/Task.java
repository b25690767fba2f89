package io.rollscope.simulator;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Worker;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A dataset item whose samples form a group. */
final class Task {
  final TaskKind kind;
  final Batch batch;
  final List<Session> sessions = new ArrayList<>();
  private final String id;
  private final Map<RolloutStatus, Coordinates> byStatus = new EnumMap<>(RolloutStatus.class);

  /** How many sessions are generated and judged. */
  int finished;

  /** Whether its group is being put into the replay buffer. */
  boolean isStoring;

  Task(long number, TaskKind kind, Batch batch) {
    this.id = Long.toString(number);
    this.kind = kind;
    this.batch = batch;
  }

  boolean hangs() {
    return sessions.stream().anyMatch(session -> session.hangsAt != null);
  }

  Coordinates at(RolloutStatus status, Worker worker) {
    return worker.rank() == null
        ? byStatus.computeIfAbsent(status, any -> coordinates(status, worker))
        : coordinates(status, worker);
  }

  private Coordinates coordinates(RolloutStatus status, Worker worker) {
    return new Coordinates(
        batch.id,
        batch.trainStep,
        batch.modelStep,
        batch.futureStep,
        id,
        kind.dataset,
        worker,
        status.word);
  }
}
