package io.rollscope.simulator;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What one training step consumes. */
final class Batch {
  /** Its number from 0. */
  final int number;

  final Long trainStep;

  /** Policy version when its first task was sampled. */
  final Long modelStep;

  final Long futureStep;

  final String id;
  private final int size;
  private final Set<Task> started = new LinkedHashSet<>();
  private int sampled;
  private int admitted;
  private int over;

  Batch(int number, long modelStep, int size) {
    this.number = number;
    this.size = size;
    trainStep = number + 1L;
    this.modelStep = modelStep;
    futureStep = number + 2L;
    id =
        "train_step=%d/model_step=%d/producer_future_step=%d"
            .formatted(trainStep, modelStep, futureStep);
  }

  void countSampled() {
    sampled++;
  }

  void start(Task task) {
    started.add(task);
    admitted++;
  }

  /** Takes note that a task is over; false when it was given up before. */
  boolean finish(Task task) {
    boolean wasUnfinished = started.remove(task);
    over += wasUnfinished ? 1 : 0;
    return wasUnfinished;
  }

  boolean isUnfinished(Task task) {
    return started.contains(task);
  }

  List<Task> unfinished() {
    return new ArrayList<>(started);
  }

  boolean isFull() {
    return sampled == size;
  }

  boolean isAllStarted() {
    return admitted == size;
  }

  /** Whether nine tenths of its tasks are over. */
  boolean isNearlyOver() {
    return over >= size - Math.max(1, size / 10);
  }

  boolean isOver() {
    return over == size;
  }
}
