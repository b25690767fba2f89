package io.rollscope.simulator.cluster;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An inference engine: works on some requests at once and lets the others wait, first come first
 * served. While it is held nothing moves.
 */
final class Engine {
  /** A full batch takes so much longer for a token than a single request. */
  private static final double LOAD_EFFECT = 0.25;

  /** Tokens do not all take the same time. */
  private static final double NOISE = 0.02;

  private static final double LEAST_PREFILL_S = 0.06;
  private static final double SYNC_RETRY_S = 1;

  /** Called when a request is answered, or with what went wrong. */
  interface Answer {
    void run(String error) throws IOException;
  }

  /** A request. */
  static final class Call {
    final Trajectory session;
    final int turn;
    final int attempt;
    final long inputTokens;
    final long outputTokens;
    final double hangS;
    final Answer answer;
    Span span;
    double queueS;
    double prefillS;
    long endNs = -1;

    Call(
        Trajectory session,
        int turn,
        int attempt,
        long inputTokens,
        long outputTokens,
        double hangS,
        Answer to) {
      this.session = session;
      this.turn = turn;
      this.attempt = attempt;
      this.inputTokens = inputTokens;
      this.outputTokens = outputTokens;
      this.hangS = hangS;
      this.answer = to;
    }
  }

  final int rank;
  private final Cluster cluster;
  private final Deque<Call> waiting = new ArrayDeque<>();
  private final Set<Call> running = new LinkedHashSet<>();
  private final double slowness;
  private ProcessLog log;
  private int starts;
  private int holds;
  private long heldSinceNs;
  private boolean isHung;
  private boolean isDead;
  private int version;
  private long preemptions;

  Engine(Cluster cluster, int rank) throws IOException {
    this.cluster = cluster;
    this.rank = rank;
    double spread = cluster.settings().machines().spread();
    slowness = 1 + cluster.draws().between(-spread, spread, "engine speed", rank);
    log = cluster.processes().start("engine", rank, 0);
  }

  int version() {
    return version;
  }

  ProcessLog log() {
    return log;
  }

  void submit(Call call) throws IOException {
    long now = cluster.nowNs();
    Attributes about =
        Attributes.of(
            "rl.session.id", call.session.id(),
            "rl.turn", call.turn,
            "rl.attempt", call.attempt,
            "gen_ai.usage.input_tokens", call.inputTokens,
            "rl.policy.version.first", version);
    call.span =
        log.start(
            new Span(
                call.session.trace(),
                cluster.spanId("engine", call.session.spanId(), call.turn * 100L + call.attempt),
                call.session.currentSpanId(),
                Stages.ENGINE,
                about,
                now));
    waiting.add(call);
    serve();
  }

  private int slots() {
    int usual = cluster.settings().machines().slots();
    return Math.max(1, (int) Math.round(usual * cluster.disturbances().slotFactor(rank)));
  }

  private void serve() {
    int slots = waiting.isEmpty() ? 0 : slots();
    while (holds == 0 && !isDead && running.size() < slots && !waiting.isEmpty()) {
      begin(waiting.remove(), slots);
    }
  }

  private void begin(Call call, int slots) {
    running.add(call);
    Speeds speeds = cluster.settings().speeds();
    double factor =
        slowness
            * cluster.disturbances().tokenFactor(rank)
            * cluster.warmUp()
            * (1 + LOAD_EFFECT * running.size() / slots);
    double noise =
        cluster
            .draws()
            .logNormal(1, NOISE, "token", call.session.spanId(), call.turn, call.attempt);
    call.queueS = (cluster.nowNs() - call.span.startNs) / 1e9;
    call.prefillS = LEAST_PREFILL_S + call.inputTokens * speeds.promptTokenS() * factor;
    double seconds =
        call.prefillS + call.outputTokens * speeds.tokenS() * factor * noise + call.hangS;
    moveEnd(call, cluster.nowNs() + Math.round(seconds * 1e9));
  }

  private void moveEnd(Call call, long endNs) {
    call.endNs = endNs;
    cluster.at(
        endNs,
        () -> {
          // Held meanwhile, its end has moved.
          if (call.endNs == endNs && holds == 0 && running.remove(call)) {
            finish(call);
          }
        });
  }

  private void finish(Call call) throws IOException {
    call.span
        .attributes
        .put("gen_ai.latency.time_to_first_token", round(call.queueS + call.prefillS))
        .put("rl.policy.version.last", version)
        .put("gen_ai.latency.time_in_queue", round(call.queueS))
        .put("gen_ai.usage.output_tokens", call.outputTokens)
        .put("gen_ai.response.finish_reasons", List.of("stop"));
    cluster.end(log, call.span);
    serve();
    call.answer.run(null);
  }

  private static double round(double seconds) {
    return Math.round(seconds * 1e4) / 1e4;
  }

  /** Nothing moves until it is released as often as it was held. */
  private void hold() {
    if (holds++ == 0) {
      heldSinceNs = cluster.nowNs();
    }
  }

  private void release() {
    if (holds == 0 || --holds > 0) {
      return;
    }
    long shift = cluster.nowNs() - heldSinceNs;
    for (Call call : running) {
      moveEnd(call, call.endNs + shift);
    }
    serve();
  }

  /** All it does stops for so long; its process lives. */
  void hang(double seconds) {
    isHung = true;
    hold();
    cluster.after(
        seconds,
        () -> {
          isHung = false;
          release();
        });
  }

  /** Its process is gone, and answers nobody until it is started again. */
  void die(double restartS) throws IOException {
    isDead = true;
    log.kill(cluster.nowNs());
    List<Call> lost = new ArrayList<>(running);
    running.clear();
    cluster.after(
        restartS,
        () -> {
          lost.addAll(waiting);
          waiting.clear();
          log = cluster.processes().start("engine", rank, ++starts);
          isDead = false;
          holds = 0;
          version = cluster.version();
          for (Call call : lost) {
            call.answer.run("ConnectionError");
          }
        });
  }

  /** Takes new weights, and calls when it has them. */
  void sync(int step, Then then) throws IOException {
    if (isDead) {
      then.run();
      return;
    }
    hold();
    Span state = cluster.state(log, Stages.SYNC, step);
    double seconds =
        cluster.settings().speeds().syncS()
            * cluster.draws().between(0.9, 1.05, "sync", step, rank)
            * cluster.disturbances().syncFactor(rank);
    cluster.after(seconds, () -> synced(state, then));
  }

  private void synced(Span state, Then then) throws IOException {
    if (isHung) {
      cluster.after(SYNC_RETRY_S, () -> synced(state, then));
      return;
    }
    cluster.end(log, state);
    if (!cluster.disturbances().missesWeights(rank)) {
      version = cluster.version() + 1;
    }
    then.run();
    release();
  }

  /** What is done when it has the weights. */
  interface Then {
    void run() throws IOException;
  }

  /** The run is over: what it does is given up. */
  void abort(String why) throws IOException {
    for (Call call : running) {
      log.fail(call.span, cluster.nowNs(), "CancelledError", why);
    }
    for (Call call : waiting) {
      log.fail(call.span, cluster.nowNs(), "CancelledError", why);
    }
    running.clear();
    waiting.clear();
  }

  /** What a scrape of it would show. */
  void measure() throws IOException {
    int slots = slots();
    long now = cluster.nowNs();
    preemptions += Math.max(0, waiting.size() - slots / 2) / 4;
    Attributes about =
        Attributes.of("engine", Integer.toString(rank), "rl.train_step", cluster.step());
    log.gauge("vllm:num_requests_running", running.size(), now, about);
    log.gauge("vllm:num_requests_waiting", waiting.size(), now, about);
    double cache = Math.min(0.995, 0.04 + 0.95 * running.size() / slots);
    log.gauge("vllm:gpu_cache_usage_perc", round(cache), now, about);
    log.sum("vllm:num_preemptions_total", (double) preemptions, now, about);
  }
}
