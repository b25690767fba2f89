package io.rollscope.simulator.cluster;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Decides which tasks are begun when: all of a step at once, or as many as the engines and the
 * allowed lag let, until a step has enough accepted groups.
 */
final class Dispatcher {
  private final Cluster cluster;
  private final Work work;
  private final Queue<Group> finished = new ArrayDeque<>();
  private long tasks;
  private int accepted;
  private int running;
  private int waitingFor = -1;

  Dispatcher(Cluster cluster) {
    this.cluster = cluster;
    this.work = cluster.settings().work();
  }

  /** The trainer wants the groups of a step. */
  void need(int step) throws IOException {
    waitingFor = step;
    if (work.isSynchronous()) {
      for (int i = 0; i < work.tasksPerStep(); i++) {
        begin(step);
      }
    } else {
      fill();
    }
    deliver();
  }

  private void fill() throws IOException {
    Machines machines = cluster.settings().machines();
    int most = Math.max(1, machines.engines() * machines.slots() / work.samplesPerTask());
    int allowed = (cluster.version() + work.maxLag() + 1) * work.tasksPerStep();
    while (running < most && accepted + running < allowed) {
      begin((accepted + running) / work.tasksPerStep());
    }
  }

  private void begin(int step) throws IOException {
    long number = tasks++;
    running++;
    cluster.trainer().batch(step);
    ClusterSettings settings = cluster.settings();
    new Group(
            cluster,
            new Group.Task(
                number,
                settings.taskId(number),
                settings.dataset(number),
                work.samplesPerTask(),
                step,
                0),
            this::decided)
        .dispatch();
  }

  private void decided(Group group, Group.Verdict verdict) throws IOException {
    running--;
    // A synchronous step trains without its rejected groups and draws no others.
    if (work.isSynchronous() || verdict == Group.Verdict.ACCEPTED) {
      accepted++;
      finished.add(group);
    }
    if (!work.isSynchronous()) {
      fill();
    }
    deliver();
  }

  private void deliver() {
    if (waitingFor < 0 || finished.size() < work.tasksPerStep()) {
      return;
    }
    List<Group> batch = new ArrayList<>();
    for (int i = 0; i < work.tasksPerStep(); i++) {
      batch.add(finished.remove());
    }
    int step = waitingFor;
    waitingFor = -1;
    cluster.trainer().train(step, batch);
  }

  /** Runs sessions of evaluation, and then goes on. */
  void evaluate(int step, io.rollscope.simulator.Agenda.Step then) throws IOException {
    int count = work.tasksPerStep() * 2;
    Dataset dataset = Dataset.questions("held-out");
    int[] left = {count};
    for (int i = 0; i < count; i++) {
      long number = -1 - step * 1000L - i;
      String id = "held-out-%d-%d".formatted(step, i);
      new Group(
              cluster,
              new Group.Task(number, id, dataset, 1, step, 0),
              (group, verdict) -> {
                left[0]--;
                if (left[0] == 0) {
                  then.run();
                }
              })
          .dispatch();
    }
  }
}
