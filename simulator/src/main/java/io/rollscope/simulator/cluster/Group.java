package io.rollscope.simulator.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The samples of one task: they are judged alone and decided on together. */
final class Group {

  /**
   * What it is a group of.
   *
   * @param number of the task; evaluation has negative ones
   * @param step the training step it is meant for
   * @param times how often it was begun before
   */
  record Task(long number, String id, Dataset dataset, int samples, int step, int times) {}

  /** How it ended. */
  enum Verdict {
    ACCEPTED,
    REJECTED
  }

  /** Called when it is decided. */
  interface Decided {
    void run(Group group, Verdict verdict) throws IOException;
  }

  private final Cluster cluster;
  private final Task task;
  private final AgentProcess agent;
  private final Decided decided;
  private final List<Trajectory> sessions = new ArrayList<>();
  private Span span;
  private int left;

  Group(Cluster cluster, Task task, Decided decided) {
    this.cluster = cluster;
    this.task = task;
    this.agent = cluster.agent(task.number);
    this.decided = decided;
  }

  Task task() {
    return task;
  }

  AgentProcess agent() {
    return agent;
  }

  List<Trajectory> sessions() {
    return sessions;
  }

  /** Begins with its agent, at once or when that lives again. */
  void dispatch() throws IOException {
    agent.take(this);
  }

  void begin() throws IOException {
    span =
        agent
            .log()
            .start(
                new Span(
                    cluster.traceId("task", key(), 0),
                    cluster.spanId("task", key(), 0),
                    null,
                    "task",
                    about("task", null),
                    cluster.nowNs()));
    left = task.samples;
    for (int sample = 0; sample < task.samples; sample++) {
      sessions.add(new Trajectory(cluster, this, sample));
    }
    for (Trajectory session : sessions) {
      session.begin();
    }
  }

  /** What random draws of it are named by. */
  long key() {
    return task.number * 10 + task.times;
  }

  /** Attributes of its spans. */
  Attributes about(String kind, String session) {
    boolean names = cluster.settings().habits().namesBatches();
    return Attributes.of(
        "rl.kind",
        kind,
        "rl.session.id",
        session,
        "rl.task.id",
        task.id,
        "rl.task.name",
        task.dataset.name(),
        "rl.train_step",
        task.step,
        "rl.model_step",
        cluster.version(),
        "rl.batch.id",
        names ? "step-" + task.step : null);
  }

  void finished() throws IOException {
    left--;
    if (left > 0) {
      return;
    }
    cluster.end(agent.log(), span);
    double rejected =
        task.number < 0
            ? 0
            : cluster.settings().habits().rejected() + cluster.disturbances().rejectShare();
    boolean noVariance = cluster.draws().hits(rejected, "reject", task.number);
    Verdict verdict =
        noVariance || sessions.stream().noneMatch(Trajectory::isUsable)
            ? Verdict.REJECTED
            : Verdict.ACCEPTED;
    for (Trajectory session : sessions) {
      session.close(verdict, noVariance ? "no reward variance" : null);
    }
    agent.finished(this);
    decided.run(this, verdict);
  }

  /** Its agent is gone, and all it did. */
  void abandon() {
    for (Trajectory session : sessions) {
      session.abandon();
    }
  }

  /** The same task, begun anew. */
  Group again() {
    Task next =
        new Task(task.number, task.id, task.dataset, task.samples, task.step, task.times + 1);
    return new Group(cluster, next, decided);
  }

  void cancel(String why) throws IOException {
    for (Trajectory session : sessions) {
      session.cancel(why);
    }
    if (span != null) {
      cluster.end(agent.log(), span);
    }
  }
}
