package io.rollscope.simulator;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Samples tasks, starts them as far as there is room, and calls a batch over when all its tasks
 * are, or when the last tenth of them has taken too long.
 */
final class Producer {
  private static final int SAMPLED_AHEAD = 2;
  private static final double DEADLINE_IN_GRACES = 10;
  private static final int MAX_TURNS = 5;
  private static final double ANOTHER_TURN = 0.6;

  private final World world;
  private final Workload workload;
  private final Rollout rollout;
  private final Trainer trainer;
  private final Queue<Task> sampled = new ArrayDeque<>();
  private Batch filling;
  private boolean isSampling;
  private int inFlight;
  private long tasks;
  private long sessions;
  private long countedUids;
  private long nextHang;
  private int hangs;

  Producer(World world, Rollout rollout, Trainer trainer) {
    this.world = world;
    this.workload = world.settings().workload();
    this.rollout = rollout;
    this.trainer = trainer;
    nextHang = world.settings().mishaps().hangEvery() / 5;
  }

  int inFlight() {
    return inFlight;
  }

  /** Starts what there is room for, and samples ahead; to be called whenever there may be room. */
  void fill() throws IOException {
    while (!sampled.isEmpty() && mayStart(sampled.element())) {
      start(sampled.remove());
    }
    if (!isSampling && sampled.size() < SAMPLED_AHEAD && maySample()) {
      isSampling = true;
      double seconds = world.chance().between(0.002, 0.008);
      world.agenda().after(seconds, () -> sample(seconds));
    }
  }

  private boolean mayStart(Task task) {
    return task.batch.number < workload.batches()
        && inFlight + workload.samplesPerTask() <= workload.maxInFlight();
  }

  private boolean maySample() {
    int next = filling == null ? 0 : filling.isFull() ? filling.number + 1 : filling.number;
    // One batch more than is trained on: when the run ends, its first tasks are sampled for
    // nothing.
    return next <= workload.batches() && next <= trainer.trained() + workload.maxStaleness();
  }

  private void sample(double seconds) throws IOException {
    isSampling = false;
    if (filling == null || filling.isFull()) {
      int number = filling == null ? 0 : filling.number + 1;
      filling = new Batch(number, trainer.trained(), workload.tasksPerBatch());
    }
    filling.countSampled();
    Task task = new Task(tasks++, TaskKind.draw(world.chance()), filling);
    for (int i = 0; i < workload.samplesPerTask(); i++) {
      task.sessions.add(newSession(task));
    }
    for (Session session : task.sessions) {
      world.recorder().sampled(session, world.producer(), seconds);
    }
    sampled.add(task);
    fill();
  }

  private Session newSession(Task task) {
    TaskKind kind = task.kind;
    String uid = kind.randomUids ? world.chance().uuid() : Long.toString(countedUids++);
    int turns = 1;
    while (kind.usesTools && turns < MAX_TURNS && world.chance().hits(ANOTHER_TURN)) {
      turns++;
    }
    return new Session(kind.dataset + ":" + uid, task, turns, hangOf(sessions++, turns));
  }

  /** In every so many sessions one hangs, the first early: in the engine, a tool or the judge. */
  private String hangOf(long number, int turns) {
    int every = world.settings().mishaps().hangEvery();
    if (every == 0 || number < nextHang) {
      return null;
    }
    nextHang = number + Math.max(1, Math.round(every * world.chance().between(0.6, 1.4)));
    return switch (hangs++ % 3) {
      case 0 -> SpanNames.ENGINE;
      case 1 -> turns > 1 ? SpanNames.TOOL_CALL : SpanNames.ENGINE;
      default -> SpanNames.JUDGE;
    };
  }

  private void start(Task task) throws IOException {
    inFlight += task.sessions.size();
    Batch batch = task.batch;
    batch.start(task);
    for (Session session : task.sessions) {
      world.recorder().start(session, world.producer(), SpanNames.PRODUCER_GROUP);
    }
    for (Session session : task.sessions) {
      world.recorder().start(session, world.producer(), SpanNames.AGENT_GROUP);
    }
    for (Session session : task.sessions) {
      rollout.begin(session, this::sampleFinished);
    }
    after(DEADLINE_IN_GRACES, () -> giveUp(task));
  }

  private void sampleFinished(Session session) throws IOException {
    Task task = session.task;
    task.finished++;
    if (task.finished == task.sessions.size()) {
      store(task);
    }
  }

  private void store(Task task) throws IOException {
    task.isStoring = true;
    for (Session session : task.sessions) {
      world.recorder().end(session, SpanNames.AGENT_GROUP);
    }
    for (Session session : task.sessions) {
      world.recorder().end(session, SpanNames.PRODUCER_GROUP);
    }
    for (Session session : task.sessions) {
      world.recorder().start(session, world.producer(), SpanNames.PUT_GROUP);
    }
    world.agenda().after(world.chance().between(0.004, 0.03), () -> stored(task));
  }

  private void stored(Task task) throws IOException {
    boolean isFiltered = world.chance().hits(world.settings().mishaps().filteredTasks());
    for (Session session : task.sessions) {
      if (isFiltered && session.status == RolloutStatus.COMPLETED) {
        session.status = RolloutStatus.FILTERED;
      }
      world.recorder().end(session, SpanNames.PUT_GROUP);
    }
    finish(task);
  }

  private void finish(Task task) throws IOException {
    Batch batch = task.batch;
    if (!batch.finish(task)) {
      return;
    }
    inFlight -= task.sessions.size();
    if (batch.isOver()) {
      trainer.offer(batch);
    } else if (batch.isAllStarted() && batch.isNearlyOver()) {
      after(1, () -> abortStragglers(batch));
    }
    fill();
  }

  private void after(double graces, Agenda.Step step) {
    world.agenda().after(graces * world.settings().durations().graceS(), step);
  }

  private void abortStragglers(Batch batch) throws IOException {
    for (Task task : batch.unfinished()) {
      giveUp(task);
    }
  }

  private void giveUp(Task task) throws IOException {
    if (task.isStoring || !task.batch.isUnfinished(task)) {
      return; // over, or in a moment
    }
    if (task.hangs()) {
      abandon(task);
      return;
    }
    for (Session session : task.sessions) {
      rollout.cancel(session, "straggler of train step " + task.batch.trainStep + " aborted");
    }
    finish(task);
  }

  /** The siblings of a session that hangs go on, and wait for it for ever. */
  private void abandon(Task task) throws IOException {
    for (Session session : task.sessions) {
      if (session.hangsAt != null) {
        rollout.abandon(session);
      }
    }
    finish(task);
  }
}
