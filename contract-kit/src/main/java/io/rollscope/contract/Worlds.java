package io.rollscope.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Worlds with a name: what is easily got wrong, and everything that once was. */
public final class Worlds {
  private static final Path SAMPLES =
      Path.of("..", "formats", "src", "test", "resources", "samples").normalize();

  private Worlds() {}

  /** All of them. */
  public static List<World> all() {
    List<World> worlds = new ArrayList<>(named());
    worlds.addAll(samples());
    return worlds;
  }

  /** Made by hand. */
  public static List<World> named() {
    return List.of(
        severalProcesses(),
        clocksDisagree(),
        startsAfterEnds(),
        twoVersionsWithEqualEnds(),
        batchNamedAtTheEnd(),
        openWork(),
        overdueWork(),
        callThatHangs(),
        lostWork(),
        lostWorkOfOneOfTwo(),
        opOpenWhenItsProcessEnded(),
        parentNotYetSeen(),
        parentNeverSeen(),
        failedAttempts(),
        withoutBatches(),
        onlyTraceIds(),
        engineInTheTrace(),
        engineBeforeTheRoot(),
        siblingsAtABarrier(),
        siblingsStillAtWork(),
        sameTaskInTwoSteps(),
        verdictLaterThanWork(),
        verdictsThatDiffer(),
        verdictBeforeItsSpan(),
        taskNamedTwice(),
        openAndClosedSessionSpan(),
        statesAndPhases(),
        opsInsideOps(),
        workBelowAnOp(),
        batchSpanWithTrainingAndSync(),
        someSessionsWithoutABatch(),
        newestEventOnALane(),
        tasksOfEveryRank(),
        endBeforeStart(),
        oddTexts(),
        onlyContainers(),
        sourceStatuses(),
        metricsOfProcessesThatRestart(),
        rewardsAndTokens(),
        rewardsAfterTheVerdict(),
        oddRewards());
  }

  /** Folders written by the frameworks' own recorders. */
  public static List<World> samples() {
    List<World> worlds = new ArrayList<>();
    worlds.add(sample("xtuner/run1", "run1"));
    worlds.add(sample("xtuner/main-otlp", "20260718-091500-4242-0badc0de"));
    worlds.add(sample("areal/current", "areal/current"));
    worlds.add(sample("rollscope/spool", "grpo-spool"));
    for (String folder : List.of("areal/old", "areal/edge")) {
      try (Stream<Path> files = Files.list(SAMPLES.resolve(folder))) {
        files
            .sorted()
            .filter(f -> f.getFileName().toString().matches("(sessions|requests).*\\.jsonl"))
            .forEach(
                f -> worlds.add(World.ofFolder(f.getFileName().toString(), Folders.newest(f), f)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return worlds;
  }

  private static World sample(String folder, String run) {
    return World.ofFolder(folder, run, SAMPLES.resolve(folder));
  }

  /** A session of one turn: a session span with generation and judging in it. */
  private static void session(
      WorldBuilder.WorldProcess worker, long trace, String id, int step, String task, double from) {
    long base = trace * 100;
    worker
        .span(trace, base + 2, base + 1, "generate", from + 0.5, from + 4.25)
        .span(trace, base + 3, base + 1, "judge", from + 4.5, from + 5.125)
        .span(
            trace,
            base + 1,
            0,
            "session",
            from,
            from + 5.5,
            "rl.kind",
            "session",
            "rl.session.id",
            id,
            "rl.task.id",
            task,
            "rl.train_step",
            step,
            "rl.status",
            trace % 3 == 0 ? "rejected" : "completed");
  }

  /** Calls inside calls that repeat their tokens, by whatever name; a session that says itself. */
  static World rewardsAndTokens() {
    WorldBuilder w = new WorldBuilder("rewards-and-tokens");
    WorldBuilder.WorldProcess worker = w.worker(0);
    Object[] of = {"rl.task.id", "t1", "rl.train_step", 3};
    worker
        .span(1, 11, 10, "turn", 1, 4, "gen_ai.usage.input_tokens", 400, "completion_tokens", 88)
        .span(1, 12, 11, "retry", 1, 4)
        .span(1, 13, 12, "generate", 1, 2, "gen_ai.usage.input_tokens", 150, "prompt_tokens", 7)
        .span(1, 14, 12, "generate", 2, 4, "gen_ai.usage.prompt_tokens", 262)
        .span(1, 15, 10, "judge", 4, 5, "rl.reward.score", 0.25)
        .span(1, 16, 10, "judge", 5, 6, "rl.reward", 0.75)
        .span(1, 10, 0, "session", 0, 7, with(of, "rl.kind", "session", "rl.session.id", "s1"));
    worker
        .start(2, 21, 20, "generate", 1, "prompt_tokens", 30)
        .span(2, 21, 20, "generate", 1, 3, "completion_tokens", 12)
        .span(2, 22, 20, "generate", 3, 4, "prompt_tokens", 5, "rl.reward", 9)
        .span(
            2,
            20,
            0,
            "session",
            0,
            5,
            with(
                of,
                "rl.kind",
                "session",
                "rl.session.id",
                "s2",
                "rl.reward",
                -1.5,
                "gen_ai.usage.output_tokens",
                77));
    worker
        .start(3, 30, 0, "session", 2, with(of, "rl.kind", "session", "rl.session.id", "s3"))
        .start(3, 31, 30, "generate", 3, "gen_ai.usage.input_tokens", 1000);
    session(worker, 4, "s4", 3, "t2", 1);
    return w.build();
  }

  /** A judge scores minutes after the verdict, in pieces and twice; some of it comes first. */
  static World rewardsAfterTheVerdict() {
    WorldBuilder w = new WorldBuilder("rewards-after-the-verdict");
    WorldBuilder.WorldProcess worker = w.worker(0);
    for (int s = 1; s <= 3; s++) {
      if (s == 2) {
        worker.fact(s, s * 100 + 1, 30, "rl.reward", 0.5);
      }
      session(worker, s, "s" + s, 1, "t1", s);
      worker
          .verdict(s, s * 100 + 1, 20, "accepted", null, "rl.reward", 0.1)
          .fact(s, s * 100 + 1, 25, "rl.reward", 0.9, "gen_ai.usage.output_tokens", 40)
          .fact(s, s * 100 + 1, 22, "rl.reward", 0.2, "gen_ai.usage.input_tokens", 12);
    }
    worker.span(4, 402, 401, "generate", 1, 2, "completion_tokens", 3);
    worker.start(4, 401, 0, "session", 0, "rl.kind", "session", "rl.session.id", "s4");
    worker.fact(4, 401, 15, "rl.reward", 1);
    return w.build();
  }

  /** Senders write anything; numbers that are none. */
  static World oddRewards() {
    WorldBuilder w = new WorldBuilder("odd-rewards");
    WorldBuilder.WorldProcess worker = w.worker(0);
    worker
        .span(2, 3, 0, "a", 0, 1, "rl.session.id", "words", "rl.reward", "good")
        .span(2, 4, 3, "a", 0, 1, "rl.session.id", "words", "prompt_tokens", -4)
        .span(2, 5, 3, "a", 0, 1, "rl.session.id", "words", "completion_tokens", 2.5)
        .span(3, 6, 0, "a", 0, 1, "rl.session.id", "texts", "rl.reward", "1e3")
        .span(3, 7, 6, "a", 0, 1, "rl.session.id", "texts", "prompt_tokens", "12")
        .span(3, 8, 6, "a", 0, 1, "rl.session.id", "texts", "prompt_tokens", 3.0)
        .span(4, 9, 0, "a", 0, 1, "rl.session.id", "flags", "rl.reward", true)
        .span(5, 9, 0, "a", 0, 1, "rl.session.id", "most", "prompt_tokens", 1L << 53)
        .span(5, 10, 9, "a", 0, 1, "rl.session.id", "most", "completion_tokens", Long.MAX_VALUE);
    return w.build();
  }

  private static Object[] with(Object[] some, Object... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray();
  }

  /** A process is killed and started again, values are no numbers, labels hold anything. */
  static World metricsOfProcessesThatRestart() {
    WorldBuilder w = new WorldBuilder("metrics");
    session(w, 1);
    String odd = "\u001b[31m\"=;,\n\u202e";
    for (int rank = 0; rank < 2; rank++) {
      WorldBuilder.WorldProcess worker = w.worker(rank);
      for (int step = 0; step < 6; step++) {
        double at = 10 * step + 2.5 * rank;
        Object reward = step == 3 ? "NaN" : (Object) (0.125 * step + rank);
        worker.gauge("reward", at, reward, "rl.train_step", step, "policy", odd);
        worker.gauge("queue", at, 7.0 - step, "pool", rank == 0 ? "a" : "b");
        // Killed after the third: it begins again with less, and later says so itself.
        double grown = step < 3 ? 10.5 * step : 4.0 * step - 11;
        worker.counter("tokens", 1, at, grown, "rl.train_step", step);
        worker.counter("samples", step < 3 ? 1 : 29, at, 5 + 3 * (step % 3), "rl.train_step", step);
        worker.increment("errors", at - 5, at, step, "rl.train_step", step);
        long[] counts = {step % 4, 2L * (step % 4), 1, 0};
        worker.histogram("latency", false, step < 4 ? 1 : 39, at, counts, "rl.train_step", step);
        worker.histogram("length", true, at - 5, at, counts, "rl.train_step", step);
        worker.exponential("wide", 1, at, step, 1 - step / 3, "rl.train_step", step);
      }
      worker.stale("queue", 55 + rank, "pool", rank == 0 ? "a" : "b");
      worker.gauge("queue", 90 + rank, 3.0, "pool", rank == 0 ? "a" : "b");
    }
    return w.build();
  }

  private static void session(WorldBuilder w, long trace) {
    w.worker(0)
        .span(trace, 101, 0, "session", 0, 60, "rl.kind", "session", "rl.session.id", "s" + trace);
  }

  static World severalProcesses() {
    WorldBuilder w = new WorldBuilder("several-processes");
    for (int s = 0; s < 12; s++) {
      session(w.worker(s % 3), s + 1, "s" + s, 1 + s / 6, "t" + s / 2, s * 1.75);
    }
    return w.build();
  }

  static World clocksDisagree() {
    WorldBuilder w = new WorldBuilder("clocks-disagree");
    for (int s = 0; s < 4; s++) {
      long trace = s + 1L;
      w.worker(0).span(trace, 1, 0, "session", s, s + 8, "rl.kind", "session", "rl.train_step", 1);
      w.worker(1).span(trace, 2, 1, "generate", s - 1.5, s + 3);
      w.worker(2).span(trace, 3, 1, "judge", s + 7, s + 9.75);
      w.worker(1).span(trace, 4, 2, "prefill", s + 2, s + 4.5);
    }
    return w.build();
  }

  static World startsAfterEnds() {
    WorldBuilder w = new WorldBuilder("starts-after-ends");
    var p = w.worker(0);
    session(p, 1, "s1", 1, "a", 0);
    p.start(1, 102, 101, "generate", 0.5, "rl.turn", 3)
        .start(1, 101, 0, "session", 0, "rl.kind", "session", "rl.session.id", "s1")
        .span(1, 103, 101, "judge", 4.5, 5.0)
        .span(1, 103, 101, "judge", 4.5, -1);
    return w.build();
  }

  static World twoVersionsWithEqualEnds() {
    WorldBuilder w = new WorldBuilder("two-versions-with-equal-ends");
    w.worker(0)
        .span(1, 1, 0, "session", 0, 9, "rl.kind", "session", "rl.train_step", 4)
        .span(1, 2, 1, "generate", 1, 7, "rl.turn", 1, "x", "first")
        .span(1, 2, 1, "generate-again", 2, 7, "rl.turn", 2, "y", "second")
        .span(1, 3, 1, "judge", 7, 8, "a", "1")
        .span(1, 3, 1, "judge", 7, 8, "a", "2");
    return w.build();
  }

  static World openWork() {
    WorldBuilder w = new WorldBuilder("open-work");
    for (int s = 0; s < 6; s++) {
      var p = w.worker(s % 2);
      long trace = s + 1L;
      p.start(
          trace,
          1,
          0,
          "session",
          s,
          "rl.kind",
          "session",
          "rl.session.id",
          "s" + s,
          "rl.task.id",
          "t" + s / 3,
          "rl.train_step",
          1 + s / 4);
      p.start(trace, 2, 1, "generate", s + 0.25);
      if (s % 2 == 0) {
        p.span(trace, 2, 1, "generate", s + 0.25, s + 3);
        p.span(trace, 3, 1, "tool", s + 3.5, -1, "rl.turn", 1);
      }
    }
    return w.build();
  }

  static World overdueWork() {
    WorldBuilder w = new WorldBuilder("overdue-work");
    for (int s = 0; s < 30; s++) {
      session(w.worker(s % 3), s + 1, "s" + s, 1, "t" + s, s * 0.5);
    }
    var slow = w.worker(1);
    slow.start(90, 1, 0, "session", 3, "rl.kind", "session", "rl.session.id", "slow");
    slow.start(90, 2, 1, "generate", 4);
    slow.start(91, 1, 0, "session", 14, "rl.kind", "session", "rl.session.id", "waiting");
    slow.span(91, 2, 1, "judge", 15, 16);
    w.worker(2).span(92, 1, 0, "late", 60, 61, "rl.session.id", "late", "rl.train_step", 1);
    return w.build();
  }

  /** One call hangs; the rest of its group, and the step, wait for it. */
  static World callThatHangs() {
    WorldBuilder w = new WorldBuilder("call-that-hangs");
    for (int s = 0; s < 32; s++) {
      int step = 1 + s / 16;
      double from = 20 * step + 0.125 * s;
      boolean hangs = s == 17;
      WorldBuilder.WorldProcess p = w.worker(s % 3);
      Object[] task = {"rl.task.id", "g" + s / 4, "rl.task.name", "math", "rl.train_step", step};
      Object[] session = with(task, "rl.kind", "session", "rl.session.id", "s" + s);
      p.start(s + 1, 1, 0, "session", from, session)
          .span(s + 1, 2, 1, "generate", from, from + 4, "gen_ai.usage.output_tokens", 400 + s);
      if (hangs) {
        p.start(s + 1, 3, 1, "tool", from + 4);
      } else {
        p.span(s + 1, 3, 1, "tool", from + 4, from + 6);
      }
      if (s / 4 != 4) {
        p.span(s + 1, 1, 0, "session", from, from + 6, with(session, "rl.status", "accepted"));
      }
    }
    session(w.worker(0), 90, "later", 3, "g90", 300);
    return w.build();
  }

  static World lostWork() {
    WorldBuilder w = new WorldBuilder("lost-work");
    session(w.worker(0), 1, "fine", 1, "a", 0);
    var dead = w.worker(1);
    dead.start(2, 1, 0, "session", 1, "rl.kind", "session", "rl.session.id", "gone");
    dead.start(2, 2, 1, "generate", 2);
    dead.beat(11, 2, 3).beat(21, 2, 5).end(24, 2);
    session(w.worker(0), 3, "later", 1, "a", 40);
    return w.build();
  }

  static World lostWorkOfOneOfTwo() {
    WorldBuilder w = new WorldBuilder("lost-work-of-one-of-two");
    w.worker(0).start(1, 1, 0, "session", 0, "rl.kind", "session", "rl.session.id", "half");
    var dead = w.worker(1);
    dead.start(1, 2, 1, "tool", 2, "rl.session.id", "half").beat(12, 1, 0).end(13, 1);
    session(w.worker(0), 2, "other", 1, "a", 20);
    return w.build();
  }

  static World opOpenWhenItsProcessEnded() {
    WorldBuilder w = new WorldBuilder("op-open-when-its-process-ended");
    session(w.worker(0), 1, "fine", 1, "a", 0);
    var trainer = w.process("trainer", "rl.worker.role", "trainer");
    trainer.start(2, 1, 0, "weight_sync", 10, "rl.kind", "op");
    trainer.beat(15, 1, 0).end(18, 1);
    session(w.worker(0), 3, "later", 1, "a", 40);
    return w.build();
  }

  static World parentNotYetSeen() {
    WorldBuilder w = new WorldBuilder("parent-not-yet-seen");
    w.worker(0)
        .span(1, 2, 1, "generate", 3, 5, "rl.session.id", "s1", "rl.train_step", 1)
        .span(1, 3, 1, "judge", 6, 7, "rl.session.id", "s1")
        .span(2, 2, 9, "generate", 4, 8, "rl.train_step", 1);
    session(w.worker(1), 3, "whole", 1, "a", 2);
    return w.build();
  }

  static World parentNeverSeen() {
    WorldBuilder w = new WorldBuilder("parent-never-seen");
    w.worker(0).span(1, 2, 1, "generate", 3, 5, "rl.session.id", "s1", "rl.train_step", 1);
    session(w.worker(1), 3, "later", 1, "a", 700);
    return w.build();
  }

  static World failedAttempts() {
    WorldBuilder w = new WorldBuilder("failed-attempts");
    for (int s = 0; s < 4; s++) {
      long trace = s + 1L;
      var p = w.worker(s);
      p.failed(trace, 2, 1, "engine", s, s + 1, "TimeoutError")
          .span(trace, 3, 1, "engine", s + 2, s + 5, "rl.attempt", 2);
      if (s < 2) {
        p.failed(trace, 4, 1, "judge", s + 5, s + 6, s == 0 ? "ValueError" : "TimeoutError");
      }
      p.span(
          trace,
          1,
          0,
          "session",
          s,
          s + 6,
          "rl.kind",
          "session",
          "rl.task.id",
          "g",
          "rl.train_step",
          2);
    }
    return w.build();
  }

  static World withoutBatches() {
    WorldBuilder w = new WorldBuilder("without-batches");
    for (int s = 0; s < 5; s++) {
      w.stranger("service.name", "without-batches")
          .span(s + 1, 2, 1, "call", s + 0.5, s + 2)
          .span(s + 1, 1, 0, "agent", s, s == 4 ? -1 : s + 3);
    }
    return w.build();
  }

  static World onlyTraceIds() {
    WorldBuilder w = new WorldBuilder("only-trace-ids");
    w.stranger("project", "only", "experiment_name", "trace-ids")
        .span(1, 1, 0, "a", 0, 2)
        .span(2, 1, 0, "a", 1, 2.5)
        .failed(3, 1, 0, "a", 1, 4, "KeyError");
    return w.build("only/trace-ids");
  }

  static World engineInTheTrace() {
    WorldBuilder w = new WorldBuilder("engine-in-the-trace");
    for (int s = 0; s < 3; s++) {
      w.stranger("service.name", "a-vllm").span(s + 1, 3, 2, "llm_request", s + 1, s + 4);
      w.worker(0).span(s + 1, 2, 1, "generate", s + 0.5, s + 4.5);
      w.worker(0)
          .span(s + 1, 1, 0, "session", s, s + 5, "rl.kind", "session", "rl.session.id", "s" + s);
    }
    return w.build();
  }

  static World engineBeforeTheRoot() {
    WorldBuilder w = new WorldBuilder("engine-before-the-root");
    w.stranger("service.name", "a-engine-of-the-root").span(1, 3, 2, "llm_request", 1, 4);
    w.stranger("service.name", "engine-before-the-root")
        .span(1, 2, 1, "generate", 0.5, 4.5)
        .span(1, 1, 0, "agent", 0, 5);
    w.stranger("service.name", "engine-before-the-root").span(2, 2, 1, "generate", 2, 4);
    w.stranger("service.name", "z-engine").span(2, 3, 2, "llm_request", 2.5, 3.5);
    return w.build();
  }

  /** As in contracts.md 5.9, with two in the group. */
  static World siblingsAtABarrier() {
    WorldBuilder w = new WorldBuilder("siblings-at-a-barrier");
    for (int s = 0; s < 2; s++) {
      w.worker(s)
          .span(s + 1, 3, 2, "engine.generate", 0, s == 0 ? 40 : 85)
          .span(s + 1, 2, 1, "generate_group", 0, 90)
          .span(
              s + 1,
              1,
              0,
              "session",
              0,
              90,
              "rl.kind",
              "session",
              "rl.session.id",
              "s" + s,
              "rl.task.id",
              "g",
              "rl.train_step",
              1,
              "rl.status",
              "completed");
    }
    return w.build();
  }

  static World siblingsStillAtWork() {
    WorldBuilder w = new WorldBuilder("siblings-still-at-work");
    for (int s = 0; s < 4; s++) {
      var p = w.worker(s);
      p.start(
          s + 1,
          1,
          0,
          "session",
          0,
          "rl.kind",
          "session",
          "rl.session.id",
          "s" + s,
          "rl.task.id",
          "g" + s / 3,
          "rl.train_step",
          1);
      p.start(s + 1, 2, 1, "generate_group", 0.5);
      p.span(s + 1, 3, 2, "engine.generate", 1, s == 2 ? -1 : 10 + s);
    }
    session(w.worker(0), 9, "done", 1, "g9", 60);
    return w.build();
  }

  static World sameTaskInTwoSteps() {
    WorldBuilder w = new WorldBuilder("same-task-in-two-steps");
    for (int s = 0; s < 4; s++) {
      int step = 1 + s / 2;
      double from = s < 2 ? 0 : 200;
      w.worker(s)
          .span(s + 1, 3, 2, "engine.generate", from, from + 10 + 20 * s)
          .span(s + 1, 2, 1, "generate_group", from, from + 90)
          .span(
              s + 1,
              1,
              0,
              "session",
              from,
              from + 95,
              "rl.kind",
              "session",
              "rl.session.id",
              "s" + s,
              "rl.task.id",
              "math-19",
              "rl.train_step",
              step);
    }
    return w.build();
  }

  static World verdictLaterThanWork() {
    WorldBuilder w = new WorldBuilder("verdict-later-than-work");
    for (int s = 0; s < 5; s++) {
      var p = w.worker(s % 2);
      p.span(s + 1, 2, 1, "generate", s, s + 10, "rl.train_step", 1)
          .span(
              s + 1,
              1,
              0,
              "session",
              s,
              s + 10.5,
              "rl.kind",
              "session",
              "rl.session.id",
              "s" + s,
              "rl.task.id",
              "g",
              "rl.train_step",
              1)
          .verdict(s + 1, 1, 60, s == 3 ? "rejected" : "accepted", s == 3 ? "all_equal" : null);
    }
    return w.build();
  }

  static World verdictsThatDiffer() {
    WorldBuilder w = new WorldBuilder("verdicts-that-differ");
    w.worker(0)
        .span(
            1,
            1,
            0,
            "session",
            0,
            10,
            "rl.kind",
            "session",
            "rl.session.id",
            "s1",
            "rl.status",
            "completed",
            "rl.train_step",
            1)
        .verdict(1, 1, 14, "dropped", "stale")
        .verdict(1, 1, 12, "rejected", "filtered")
        .start(2, 1, 0, "session", 1, "rl.kind", "session", "rl.session.id", "s2")
        .verdict(2, 1, 30, "cancelled", null)
        .start(2, 2, 1, "generate", 2);
    return w.build();
  }

  static World verdictBeforeItsSpan() {
    WorldBuilder w = new WorldBuilder("verdict-before-its-span");
    w.worker(0)
        .verdict(1, 1, 12, "rejected", "too long")
        .span(1, 1, 0, "session", 0, 10, "rl.kind", "session", "rl.session.id", "s1")
        .verdict(7, 5, 13, "accepted", null, "rl.session.id", "s2")
        .span(2, 1, 0, "session", 0, 11, "rl.kind", "session", "rl.session.id", "s2")
        .span(2, 2, 1, "generate", 0, 10);
    return w.build();
  }

  static World taskNamedTwice() {
    WorldBuilder w = new WorldBuilder("task-named-twice");
    w.worker(0)
        .span(1, 3, 1, "judge", 12, 13, "rl.task.id", "b", "rl.session.id", "s1")
        .span(1, 2, 1, "generate", 10, 14, "rl.task.id", "a", "rl.session.id", "s1")
        .span(1, 1, 0, "root", 9, 15, "rl.session.id", "s1", "rl.train_step", 1)
        .span(2, 2, 1, "generate", 10, 14, "rl.task.id", "c", "rl.session.id", "s2")
        .span(
            2,
            1,
            0,
            "session",
            11,
            15,
            "rl.kind",
            "session",
            "rl.task.id",
            "d",
            "rl.session.id",
            "s2",
            "rl.train_step",
            1);
    return w.build();
  }

  static World openAndClosedSessionSpan() {
    WorldBuilder w = new WorldBuilder("open-and-closed-session-span");
    w.worker(0)
        .start(
            1, 1, 0, "session", 0, "rl.kind", "session", "rl.session.id", "s1", "rl.train_step", 1)
        .span(1, 2, 1, "generate", 1, 5);
    w.worker(1)
        .span(
            2,
            1,
            0,
            "session",
            2,
            8,
            "rl.kind",
            "session",
            "rl.session.id",
            "s1",
            "rl.train_step",
            2,
            "rl.status",
            "failed",
            "rl.reason",
            "crashed")
        .span(2, 2, 1, "judge", 3, 4);
    return w.build();
  }

  static World batchNamedAtTheEnd() {
    WorldBuilder w = new WorldBuilder("batch-named-at-the-end");
    for (int s = 0; s < 4; s++) {
      var p = w.worker(s % 2);
      p.start(s + 1, 1, 0, "session", s, "rl.kind", "session", "rl.session.id", "s" + s)
          .span(s + 1, 2, 1, "generate", s + 1, s + 5);
    }
    for (int s = 0; s < 4; s++) {
      var p = w.worker(s % 2);
      p.span(s + 1, 3, 1, "judge", s + 6, s + 8)
          .span(
              s + 1,
              1,
              0,
              "session",
              s,
              s + 10,
              "rl.kind",
              "session",
              "rl.session.id",
              "s" + s,
              "rl.train_step",
              1 + s / 2);
    }
    return w.build();
  }

  static World statesAndPhases() {
    WorldBuilder w = new WorldBuilder("states-and-phases");
    session(w.worker(0), 1, "s1", 1, "a", 0);
    w.worker(0)
        .span(2, 1, 0, "generate", 0, 6, "rl.kind", "state", "rl.lane", "replica-0")
        .span(3, 1, 0, "generate", 7, 9, "rl.kind", "state", "rl.lane", "replica-0")
        .span(
            4,
            1,
            0,
            "sync",
            9,
            10,
            "monitor.trace_segment",
            "state_interval",
            "state_name",
            "sync",
            "state_lane_id",
            "replica-1");
    return w.build();
  }

  static World opsInsideOps() {
    WorldBuilder w = new WorldBuilder("ops-inside-ops");
    session(w.worker(0), 1, "s1", 1, "a", 0);
    w.process("trainer", "rl.worker.role", "trainer", "rl.worker.rank", 0)
        .span(2, 1, 0, "train_step", 10, 30, "rl.kind", "op", "rl.train_step", 1)
        .span(2, 2, 1, "forward", 11, 19, "rl.kind", "op")
        .span(2, 3, 1, "backward", 19, 28, "rl.kind", "op")
        .span(2, 4, 3, "all_reduce", 20, 25, "rl.kind", "op");
    return w.build();
  }

  static World workBelowAnOp() {
    WorldBuilder w = new WorldBuilder("work-below-an-op");
    session(w.worker(0), 1, "s1", 1, "a", 0);
    w.process("trainer", "rl.worker.role", "trainer")
        .span(2, 1, 0, "weight_sync", 10, 20, "rl.kind", "op");
    w.stranger("service.name", "vllm").span(2, 2, 1, "POST /update_weights", 11, 19);
    return w.build();
  }

  static World batchSpanWithTrainingAndSync() {
    WorldBuilder w = new WorldBuilder("batch-span-with-training-and-sync");
    for (int step = 1; step <= 2; step++) {
      double from = 100 * (step - 1);
      var p = w.worker(0);
      for (int s = 0; s < 4; s++) {
        session(p, step * 10 + s, "s" + step + s, step, "t" + s / 2, from + 5 * s);
      }
      w.process("trainer", "rl.worker.role", "trainer", "rl.worker.rank", 0)
          .span(step, 1, 0, "step", from, from + 90, "rl.kind", "batch", "rl.train_step", step)
          .span(step, 2, 1, "train", from + 60, from + 85, "rl.kind", "op", "rl.train_step", step)
          .span(step, 3, 1, "weight_sync", from + 85, from + 90, "rl.kind", "op");
    }
    return w.build();
  }

  static World someSessionsWithoutABatch() {
    WorldBuilder w = new WorldBuilder("some-sessions-without-a-batch");
    session(w.worker(0), 1, "s1", 1, "a", 0);
    session(w.worker(0), 2, "s2", 2, "a", 10);
    w.worker(1)
        .span(3, 1, 0, "session", 30, 40, "rl.kind", "session", "rl.session.id", "s3")
        .span(4, 1, 0, "session", 2, 4, "rl.kind", "session", "rl.session.id", "s4");
    return w.build();
  }

  static World newestEventOnALane() {
    WorldBuilder w = new WorldBuilder("newest-event-on-a-lane");
    session(w.worker(0), 1, "s1", 2, "a", 0);
    session(w.worker(0), 2, "s2", 3, "b", 20);
    w.process("trainer")
        .span(3, 1, 0, "checkpoint", 30, 60, "rl.kind", "op", "rl.train_step", 2)
        .span(4, 1, 0, "rollout", 30, 70, "rl.kind", "state", "rl.lane", "l", "rl.train_step", 2);
    return w.build();
  }

  static World tasksOfEveryRank() {
    WorldBuilder w = new WorldBuilder("tasks-of-every-rank");
    for (int rank = 0; rank < 2; rank++) {
      for (int s = 0; s < 3; s++) {
        String id = "r" + rank + "-t7-s" + s;
        w.worker(rank)
            .span(10 * rank + s + 1, 2, 1, "generate", s, s + 4 + rank)
            .span(
                10 * rank + s + 1,
                1,
                0,
                "session",
                s,
                s + 6,
                "rl.kind",
                "session",
                "rl.session.id",
                id,
                "rl.task.id",
                "r" + rank + "-t7",
                "rl.status",
                s == 0 ? "pending" : "accepted");
      }
    }
    return w.build();
  }

  static World endBeforeStart() {
    WorldBuilder w = new WorldBuilder("end-before-start");
    w.worker(0)
        .span(1, 1, 0, "session", 0, 6, "rl.kind", "session", "rl.session.id", "s1")
        .span(1, 2, 1, "generate", 5, 4)
        .span(1, 3, 1, "judge", 5.5, 5.5);
    return w.build();
  }

  static World oddTexts() {
    WorldBuilder w = new WorldBuilder("odd-texts");
    String odd = "a'b\"c %_\\ </script> \u00e4\u4e2d\ud83d\ude00";
    w.worker(0)
        .span(
            1,
            1,
            0,
            "session",
            0,
            6,
            "rl.kind",
            "session",
            "rl.session.id",
            odd,
            "rl.task.id",
            "170141183460469231731687303715884105728",
            "rl.task.name",
            odd,
            "rl.batch.id",
            odd)
        .span(1, 2, 1, odd, 1, 4)
        .failed(1, 3, 1, "judge", 4, 5, odd);
    return w.build();
  }

  static World onlyContainers() {
    WorldBuilder w = new WorldBuilder("only-containers");
    w.worker(0)
        .span(1, 1, 0, "session", 0, 6, "rl.kind", "session", "rl.session.id", "s1")
        .span(2, 1, 0, "task", 0, 9, "rl.kind", "task", "rl.task.id", "t")
        .span(2, 2, 1, "session", 1, 9, "rl.kind", "session", "rl.session.id", "s2");
    return w.build();
  }

  static World sourceStatuses() {
    WorldBuilder w = new WorldBuilder("source-statuses");
    String[] words = {"completed", "archived", "failed", "aborted", "expired", "filtered", "init"};
    for (int s = 0; s < words.length; s++) {
      w.worker(0)
          .span(
              s + 1,
              1,
              0,
              "judger.run",
              s,
              s + 3,
              "xtuner.rollout_id",
              "r" + s,
              "xtuner.group_id",
              "g" + s / 4,
              "xtuner.status",
              words[s],
              "xtuner.producer_future_step",
              1 + s / 5);
    }
    return w.build();
  }
}
