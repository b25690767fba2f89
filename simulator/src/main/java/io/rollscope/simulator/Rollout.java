package io.rollscope.simulator;

import io.rollscope.core.model.Outcome;
import java.io.IOException;
import java.util.List;

/** The way of one session: turns of generation and tool calls, then the judge. */
final class Rollout {
  private static final long CONTROLLER_PID = 10412;
  private static final int MAX_ATTEMPTS = 3;
  private static final double TAIL_FACTOR = 6;
  private static final double REQUEST_TIMEOUT_S = 30;
  private static final List<String> ENGINE_ERRORS =
      List.of(
          "ConnectionError: Server disconnected",
          "ConnectionError: [Errno 104] Connection reset by peer",
          "ConnectionError: Cannot connect to host 10.0.0.7:23333",
          "TimeoutError: HTTP request timed out after 30.0s");
  private static final List<String> JUDGE_ERRORS =
      List.of(
          "TimeoutError: judge took longer than 10.0s",
          "ValueError: could not parse final answer: '\\boxed{'");
  private static final List<String> TOOL_ERRORS =
      List.of(
          "TimeoutError: sandbox did not answer within 5.0s",
          "HTTPError: 503 from search service: \"surcharge, réessayez\"");

  /** Told when a session is generated and judged, or has failed. */
  interface Finish {
    void run(Session session) throws IOException;
  }

  private final World world;
  private final Recorder recorder;
  private final Chance chance;
  private final Durations durations;
  private final Mishaps mishaps;
  private final WorkerPool workers;
  private final SimulatedProcess controller = new SimulatedProcess(CONTROLLER_PID);

  Rollout(World world, WorkerPool workers) {
    this.world = world;
    this.workers = workers;
    recorder = world.recorder();
    chance = world.chance();
    durations = world.settings().durations();
    mishaps = world.settings().mishaps();
  }

  void begin(Session session, Finish finish) throws IOException {
    recorder.start(session, world.producer(), SpanNames.AGENT_SAMPLE);
    turn(session, finish);
  }

  /** Leaves every span of the session by a cancellation. */
  void cancel(Session session, String why) throws IOException {
    session.isAlive = false;
    session.status = RolloutStatus.ABORTED;
    recorder.cancel(session, "CancelledError: " + why);
    workers.release(session);
  }

  /** Forgets a session that hangs: its spans stay open, its worker is restarted without it. */
  void abandon(Session session) throws IOException {
    session.isAlive = false;
    workers.release(session);
  }

  private void turn(Session session, Finish finish) {
    session.turnsLeft--;
    after(
        session,
        chance.between(0.0005, 0.002),
        () -> {
          session.status = RolloutStatus.INIT;
          recorder.start(session, controller, SpanNames.CONTROLLER);
          workers.request(session, slots -> generate(session, slots, finish));
        });
  }

  private void generate(Session session, WorkerPool.Slots slots, Finish finish) throws IOException {
    recorder.start(session, slots.process, SpanNames.WORKER, slots.worker);
    attempt(session, slots, 1, finish);
  }

  private void attempt(Session session, WorkerPool.Slots slots, int number, Finish finish)
      throws IOException {
    recorder.start(session, slots.process, SpanNames.ENGINE, slots.worker);
    if (hangs(session, SpanNames.ENGINE)) {
      return;
    }
    double seconds = generationSeconds(session.task.kind) * slots.slowness;
    if (chance.hits(mishaps.engineErrors())) {
      after(
          session,
          Math.min(REQUEST_TIMEOUT_S, seconds * chance.between(0.1, 1)),
          () -> retry(session, slots, number, finish));
    } else {
      after(session, seconds, () -> generated(session, finish));
    }
  }

  private double generationSeconds(TaskKind kind) {
    double seconds =
        chance.logNormal(durations.generateS() * kind.length, durations.generateSpread());
    return chance.hits(durations.tailShare()) ? seconds * TAIL_FACTOR : seconds;
  }

  private void retry(Session session, WorkerPool.Slots slots, int number, Finish finish)
      throws IOException {
    recorder.end(session, SpanNames.ENGINE, Outcome.ERROR, chance.oneOf(ENGINE_ERRORS));
    if (number < MAX_ATTEMPTS) {
      after(session, 0.5 * number, () -> attempt(session, slots, number + 1, finish));
      return;
    }
    session.status = RolloutStatus.FAILED;
    answer(session);
    finish(session, finish);
  }

  private void generated(Session session, Finish finish) throws IOException {
    recorder.end(session, SpanNames.ENGINE);
    session.status = RolloutStatus.COMPLETED;
    answer(session);
    if (session.turnsLeft > 0) {
      callTool(session, finish);
    } else {
      judge(session, finish);
    }
  }

  private void answer(Session session) throws IOException {
    recorder.end(session, SpanNames.WORKER);
    recorder.end(session, SpanNames.CONTROLLER);
    workers.release(session);
  }

  private void callTool(Session session, Finish finish) throws IOException {
    recorder.start(session, world.producer(), SpanNames.TOOL_CALL);
    if (hangs(session, SpanNames.TOOL_CALL)) {
      return;
    }
    after(
        session,
        chance.logNormal(0.6, 0.9),
        () -> {
          // The model is told of the error and goes on.
          if (chance.hits(mishaps.toolErrors())) {
            recorder.end(session, SpanNames.TOOL_CALL, Outcome.ERROR, chance.oneOf(TOOL_ERRORS));
          } else {
            recorder.end(session, SpanNames.TOOL_CALL);
          }
          turn(session, finish);
        });
  }

  private void judge(Session session, Finish finish) throws IOException {
    recorder.start(session, world.producer(), SpanNames.JUDGE);
    if (hangs(session, SpanNames.JUDGE)) {
      return;
    }
    after(
        session,
        chance.logNormal(0.35, 0.9),
        () -> {
          if (chance.hits(mishaps.judgeErrors())) {
            recorder.end(session, SpanNames.JUDGE, Outcome.ERROR, chance.oneOf(JUDGE_ERRORS));
            session.status = RolloutStatus.FAILED;
          } else {
            recorder.end(session, SpanNames.JUDGE);
          }
          finish(session, finish);
        });
  }

  private void finish(Session session, Finish finish) throws IOException {
    recorder.end(session, SpanNames.AGENT_SAMPLE);
    finish.run(session);
  }

  private static boolean hangs(Session session, String span) {
    return span.equals(session.hangsAt);
  }

  private void after(Session session, double seconds, Agenda.Step step) {
    world
        .agenda()
        .after(
            seconds,
            () -> {
              if (session.isAlive) {
                step.run();
              }
            });
  }
}
