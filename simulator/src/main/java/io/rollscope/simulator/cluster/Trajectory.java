package io.rollscope.simulator.cluster;

import io.rollscope.simulator.Agenda;
import java.io.IOException;
import java.util.Locale;

/** The way of one session: turns of generation with a tool between them, then the judge. */
final class Trajectory {
  private static final int MAX_ATTEMPTS = 3;
  private static final double BACKOFF_S = 1.2;

  /** What a tool answers is read as part of the next prompt. */
  private static final double TOOL_TOKENS = 150;

  private static final double TOOL_SPREAD = 0.5;
  private static final double JUDGE_SPREAD = 0.4;

  /** Longest answer that an engine gives by itself. */
  private static final long MOST_TOKENS = 2_000;

  private final Cluster cluster;
  private final Group group;
  private final int sample;
  private final int turns;
  private final long key;
  private final Engine engine;
  private Span session;
  private Span current;
  private long context;
  private long answered;
  private int lastVersion;
  private int firstVersion = -1;
  private int turnsDone;
  private double reward;
  private String failure;
  private boolean isStale;
  private boolean isAlive = true;

  Trajectory(Cluster cluster, Group group, int sample) {
    this.cluster = cluster;
    this.group = group;
    this.sample = sample;
    Dataset dataset = group.task().dataset();
    long number = group.task().number();
    key = group.key() * 100 + sample;
    turns = cluster.settings().turns(dataset, number, sample);
    engine = cluster.engine(number, sample, dataset);
    double factor = cluster.disturbances().promptFactor(dataset.name(), number);
    context =
        Math.round(
            cluster.draws().logNormal(dataset.promptTokens(), dataset.spread(), "prompt", number)
                * factor);
  }

  String id() {
    String again = group.task().times() == 0 ? "" : "r" + group.task().times();
    return group.task().id() + "." + sample + again;
  }

  String trace() {
    return session.trace;
  }

  /** What ids of its spans are made of. */
  long spanId() {
    return key;
  }

  String currentSpanId() {
    return current.id;
  }

  /** Whether there is something to train on. */
  boolean isUsable() {
    return failure == null && !isStale;
  }

  int lag(int version) {
    return Math.max(0, version - firstVersion);
  }

  double reward() {
    return reward;
  }

  long answeredTokens() {
    return answered;
  }

  void begin() throws IOException {
    session =
        log()
            .start(
                new Span(
                    cluster.traceId("session", key, 0),
                    cluster.spanId("session", key, 0),
                    null,
                    "session",
                    group.about("session", id()),
                    cluster.nowNs()));
    double wait = cluster.draws().between(0, 0.12, "submitted", key);
    after(
        wait,
        () -> {
          open("sampler", new Attributes(), 0);
          double seconds = cluster.draws().between(0.03, 0.2, "sampler", key);
          after(
              seconds,
              () -> {
                end();
                generate(1, 1);
              });
        });
  }

  private ProcessLog log() {
    return group.agent().log();
  }

  private void open(String name, Attributes about, long number) throws IOException {
    current =
        log()
            .start(
                new Span(
                    session.trace,
                    cluster.spanId(name, key, number),
                    session.id,
                    name,
                    about,
                    cluster.nowNs()));
  }

  private void end() throws IOException {
    cluster.end(log(), current);
    current = null;
  }

  private void fail(String type, String message) throws IOException {
    log().fail(current, cluster.nowNs(), type, message);
    current = null;
  }

  private void generate(int turn, int attempt) throws IOException {
    open(
        Stages.GENERATE,
        Attributes.of("rl.turn", turn, "rl.attempt", attempt),
        turn * 100L + attempt);
    double hang = hang(Stages.ENGINE, turn, attempt);
    after(0.004, () -> engine.submit(call(turn, attempt, hang)));
  }

  private Engine.Call call(int turn, int attempt, double hangS) {
    Dataset dataset = group.task().dataset();
    long number = group.task().number();
    double usual =
        Math.min(
            MOST_TOKENS,
            cluster
                .draws()
                .logNormal(
                    dataset.outputTokens(), dataset.spread(), "output", number, sample, turn));
    long tokens =
        Math.max(1, Math.round(usual * cluster.disturbances().outputFactor(number, sample)));
    return new Engine.Call(
        this,
        turn,
        attempt,
        context,
        tokens,
        hangS,
        error -> answered(turn, attempt, tokens, error));
  }

  private void answered(int turn, int attempt, long tokens, String error) throws IOException {
    after(
        0.003,
        () -> {
          if (error != null) {
            fail(error, "Cannot connect to host: engine " + engine.rank);
            after(BACKOFF_S, () -> generate(turn, attempt + 1));
            return;
          }
          end();
          firstVersion = firstVersion < 0 ? engine.version() : firstVersion;
          lastVersion = engine.version();
          answered += tokens;
          boolean isUseless =
              cluster
                  .draws()
                  .hits(cluster.disturbances().repeatShare(), "useless", key, turn, attempt);
          if (isUseless) {
            after(0.05, () -> generate(turn, attempt + 1));
            return;
          }
          context += tokens;
          turnsDone = turn;
          next(turn);
        });
  }

  private void next(int turn) throws IOException {
    String tool = group.task().dataset().tool();
    if (turn < turns && tool != null) {
      callTool(tool, turn);
    } else if (turn < turns) {
      generate(turn + 1, 1);
    } else {
      judge(1);
    }
  }

  private void callTool(String tool, int turn) throws IOException {
    open(
        Stages.TOOL,
        Attributes.of("gen_ai.tool.name", tool, "rl.turn", turn, "rl.attempt", 1),
        turn);
    double seconds =
        cluster
                .draws()
                .logNormal(cluster.settings().speeds().toolS(), TOOL_SPREAD, "tool", key, turn)
            * cluster.disturbances().serviceFactor(Stages.TOOL);
    boolean fails =
        cluster.draws().hits(cluster.disturbances().errorShare(Stages.TOOL), "bad tool", key, turn);
    double takes = fails ? failing(Stages.TOOL, seconds) : seconds;
    after(
        takes + hang(Stages.TOOL, turn, 1),
        () -> {
          if (fails) {
            // The model is told of the error and goes on.
            fail("TimeoutError", tool + " did not answer");
          } else {
            end();
          }
          context += Math.round(TOOL_TOKENS);
          generate(turn + 1, 1);
        });
  }

  private void judge(int attempt) throws IOException {
    open(Stages.JUDGE, Attributes.of("rl.attempt", attempt), attempt);
    double seconds =
        cluster
                .draws()
                .logNormal(
                    cluster.settings().speeds().judgeS(), JUDGE_SPREAD, "judge", key, attempt)
            * cluster.disturbances().serviceFactor(Stages.JUDGE);
    double share =
        cluster.settings().habits().judgeErrors() + cluster.disturbances().errorShare(Stages.JUDGE);
    boolean fails = cluster.draws().hits(share, "bad judge", key, attempt);
    double hang = hang(Stages.JUDGE, turns, attempt);
    cluster
        .judge()
        .request(
            fails ? failing(Stages.JUDGE, seconds) : seconds,
            () -> {
              if (isAlive) {
                after(hang, () -> judged(attempt, fails));
              }
            });
  }

  private void judged(int attempt, boolean fails) throws IOException {
    if (!fails) {
      reward = cluster.draws().below(2, "reward", group.task().number(), sample);
      current.attributes.put("rl.reward.score", reward);
      end();
      group.finished();
      return;
    }
    fail("HTTPError", "HTTP 502 from judge");
    if (attempt < MAX_ATTEMPTS) {
      after(BACKOFF_S, () -> judge(attempt + 1));
    } else {
      failure = "judge failed";
      group.finished();
    }
  }

  private double failing(String stage, double seconds) {
    double timeOut = cluster.disturbances().errorS(stage);
    return timeOut > 0 ? timeOut : seconds;
  }

  private double hang(String stage, int turn, int attempt) {
    return attempt > 1
        ? 0
        : cluster.disturbances().hangS(stage, group.task().number(), sample, turn);
  }

  /** All its siblings are done, and it is known what becomes of them. */
  void close(Group.Verdict verdict, String reason) throws IOException {
    int allowed = cluster.settings().work().maxLag();
    int lag = lag(cluster.version());
    isStale = allowed > 0 && lag > allowed;
    String status = verdict.name().toLowerCase(Locale.ROOT);
    String why = reason;
    if (failure != null) {
      status = "failed";
      why = failure;
    } else if (isStale) {
      status = "dropped";
      why = "stale: policy lag " + lag + " > " + allowed;
    }
    session.attributes.put("rl.status", status).put("rl.reason", why);
    session
        .attributes
        .put("rl.counter.turns", turnsDone)
        .put("rl.policy.version.first", firstVersion)
        .put("rl.policy.version.last", lastVersion)
        .put("rl.reward.score", failure == null ? reward : null);
    cluster.end(log(), session);
    isAlive = false;
  }

  /** What is on the agenda for it counts no more; nobody tells of it. */
  void abandon() {
    isAlive = false;
  }

  void cancel(String why) throws IOException {
    if (!isAlive) {
      return;
    }
    isAlive = false;
    if (current != null) {
      fail("CancelledError", why);
    }
    session.attributes.put("rl.status", "cancelled").put("rl.reason", why);
    cluster.end(log(), session);
  }

  private void after(double seconds, Agenda.Step step) {
    cluster.after(
        seconds,
        () -> {
          if (isAlive) {
            step.run();
          }
        });
  }
}
