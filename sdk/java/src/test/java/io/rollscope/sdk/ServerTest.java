package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollscope.server.StartException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What arrives at a real server is what was recorded. */
class ServerTest {
  private static final AtomicInteger RUNS = new AtomicInteger();
  @TempDir private static Path data;
  private static TestServer server;
  private String run;

  @BeforeAll
  static void start() throws StartException {
    server = TestServer.start(data);
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void newRun() {
    run = "run " + RUNS.incrementAndGet();
  }

  private Rollscope open() {
    return builder().build();
  }

  private RollscopeBuilder builder() {
    return Rollscope.builder()
        .environment(Map.of())
        .run(run)
        .endpoint(server.endpoint())
        .hostMetrics(false);
  }

  private List<String> sql(String columns, String rest) throws Exception {
    return server.sql("select " + columns + " where run = '" + run + "' " + rest);
  }

  private void expect(String columns, String rest, String... rows) throws Exception {
    Waiting.untilEquals(List.of(rows), () -> sql(columns, rest));
  }

  /** Somebody looks at the page while a long generation runs. */
  @Test
  void phaseIsVisibleWhileItIsOpen() throws Exception {
    try (Rollscope rs = open();
        Session session = rs.session("s-1")) {
      try (Phase phase = rs.phase("generate").set("model", "qwen3")) {
        Waiting.untilEquals(
            "s-1 generate",
            () -> {
              JsonNode row = server.run(run, "/live").path("rows").path(0);
              return row.path("session").asText() + " " + row.path("open_span").asText();
            });
        assertThat(sql("outcome, attributes['model'] from spans", "and name = 'generate'"))
            .containsExactly("open|qwen3");
        phase.set("tokens", 812);
      }
      session.accepted();
    }
    expect(
        "name, outcome, attributes['model'], attributes['tokens'] from spans",
        "order by start_ns",
        "session|ok|-|-",
        "generate|ok|qwen3|812");
    expect("session, status, open_count from sessions", "", "s-1|accepted|0");
  }

  @Test
  void batchTaskSessionAndPhaseHaveTheirCoordinates() throws Exception {
    try (Rollscope rs = open();
        Batch batch = rs.batch(12, 11)) {
      rs.phase("sync weights").close();
      try (Task task = rs.task("7", "gsm8k");
          Session session = rs.session("s-1")) {
        rs.trace("generate", () -> rs.trace("tool", () -> 1));
      }
    }
    expect(
        "kind, name, batch, train_step, model_step, task, task_name, session from spans",
        "order by start_ns",
        "batch|batch|train_step=12/model_step=11|12|11|-|-|-",
        "op|sync weights|train_step=12/model_step=11|12|11|-|-|-",
        "task|task|train_step=12/model_step=11|12|11|7|gsm8k|-",
        "session|session|train_step=12/model_step=11|12|11|7|gsm8k|s-1",
        "phase|generate|train_step=12/model_step=11|12|11|7|gsm8k|s-1",
        "phase|tool|train_step=12/model_step=11|12|11|7|gsm8k|s-1");
    expect("count(distinct trace_id) from spans", "and kind in ('batch', 'task', 'session')", "3");
    expect(
        "name from spans",
        "and span_id in (select parent_id from spans where name = 'tool')",
        "generate");
  }

  @Test
  void verdictsArriveBeforeAndAfterTheEnd() throws Exception {
    Session late;
    try (Rollscope rs = open()) {
      try (Session s = rs.session("accepted")) {
        s.rejected("first thought").accepted();
      }
      try (Session s = rs.session("rejected")) {
        s.rejected("reward 0");
      }
      try (Session s = rs.session("failed")) {
        s.failed(new IllegalStateException("out of memory"));
      }
      try (Session s = rs.session("dropped")) {
        s.dropped("stale");
      }
      try (Session s = rs.session("cancelled")) {
        s.cancelled("enough samples");
      }
      late = rs.session("late");
      late.close();
      assertThat(rs.flush(Duration.ofSeconds(10))).isTrue();
      late.rejected("filtered");
    }
    expect(
        "session, status, reason from sessions",
        "order by session",
        "accepted|accepted|-",
        "cancelled|cancelled|enough samples",
        "dropped|dropped|stale",
        "failed|failed|IllegalStateException: out of memory",
        "late|rejected|filtered",
        "rejected|rejected|reward 0");
  }

  @Test
  void sessionWithoutAVerdictEndsAsItsExceptionSays() throws Exception {
    try (Rollscope rs = open()) {
      assertThatThrownBy(
              () ->
                  rs.session("a")
                      .call(
                          () -> {
                            throw new IOException("judge is gone");
                          }))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(
              () ->
                  rs.session("b")
                      .call(
                          () -> {
                            throw new InterruptedException("enough");
                          }))
          .isInstanceOf(InterruptedException.class);
      assertThat(rs.session("c").call(() -> 3)).isEqualTo(3);
    }
    expect(
        "session, status, reason from sessions",
        "order by session",
        "a|failed|IOException: judge is gone",
        "b|cancelled|InterruptedException: enough",
        "c|completed|-");
  }

  @Test
  void countersOfASessionAreAttributes() throws Exception {
    try (Rollscope rs = open();
        Session session = rs.session("s")) {
      session.count("tool_calls").count("tool_calls").count("tokens", 500);
    }
    expect(
        "attributes['rl.counter.tool_calls'], attributes['rl.counter.tokens'] from spans",
        "",
        "2|500");
  }

  @Test
  void cancellationIsAnOutcomeOfItsOwn() throws Exception {
    try (Rollscope rs = open();
        Session session = rs.session("s")) {
      fails(rs, "error", new IllegalArgumentException("no such tool"));
      fails(rs, "cancelled", new CancellationException("by the trainer"));
      fails(rs, "interrupted", new InterruptedException());
      fails(rs, "timeout", new java.net.SocketTimeoutException("read"));
      fails(
          rs, "wrapped", new java.util.concurrent.ExecutionException(new CancellationException()));
    }
    expect(
        "name, outcome, error_type, error_message from spans",
        "and kind = 'phase' order by start_ns",
        "error|error|java.lang.IllegalArgumentException|no such tool",
        "cancelled|cancelled|java.util.concurrent.CancellationException|by the trainer",
        "interrupted|cancelled|CancelledError|InterruptedException",
        "timeout|error|java.net.SocketTimeoutException|read",
        "wrapped|cancelled|java.util.concurrent.CancellationException|-");
    assertThat(sql("attributes['otel.events'] from spans", "and name = 'error'").get(0))
        .contains("\"exception.type\":\"java.lang.IllegalArgumentException\"")
        .doesNotContain("stacktrace");
  }

  private static void fails(Rollscope rs, String phase, Exception error) {
    assertThatThrownBy(
            () ->
                rs.trace(
                    phase,
                    () -> {
                      throw error;
                    }))
        .isSameAs(error);
  }

  @Test
  void overlappingStatesOfALaneAreKeptAndFlagged() throws Exception {
    List<String> told = new ArrayList<>();
    try (Rollscope rs =
        builder().warnings(new io.rollscope.sdk.internal.Warnings(told::add)).build()) {
      State rollout = rs.state("rollout", "trainer_0", 10);
      Waiting.untilEquals(
          List.of("rollout|open"),
          () -> sql("name, outcome from states", "and lane = 'trainer_0'"));
      State train = rs.state("train", "trainer_0", 10);
      rs.state("train", "trainer_1", 10).close();
      rollout.close();
      train.close();
      rs.state("rollout", "trainer_0", 11).close();
    }
    expect(
        "lane, name, train_step, attributes['rl.state.overlaps'] from states",
        "order by lane, start_ns",
        "trainer_0|rollout|10|-",
        "trainer_0|train|10|rollout",
        "trainer_0|rollout|11|-",
        "trainer_1|train|10|-");
    assertThat(told)
        .containsExactly("rollscope: lane trainer_0: train begins while rollout is open");
  }

  @Test
  void metricsArriveWithLabelsAndStep() throws Exception {
    try (Rollscope rs = open()) {
      Gauge loss = rs.gauge("loss");
      loss.set(0.5, 1);
      loss.set(0.25, 2);
      Counter tokens = rs.counter("tokens").with("worker", 3);
      tokens.add(10, 1);
      tokens.add(5, 1);
      tokens.add(7, 2);
      try (Batch batch = rs.batch(3)) {
        rs.histogram("length").record(300);
        rs.histogram("length").record(2);
      }
    }
    expect(
        "name, kind, train_step, value, labels['worker'], temporality, monotonic from metrics",
        "and kind <> 'histogram' order by name, time_ns",
        "loss|gauge|1|0.5|-|-|-",
        "loss|gauge|2|0.25|-|-|-",
        "tokens|sum|1|15.0|3|cumulative|true",
        "tokens|sum|2|22.0|3|cumulative|true");
    expect(
        "train_step, count, sum, min, max, len(bounds), bounds[1], bounds[28],"
            + " list_sum(bucket_counts) from metrics",
        "and kind = 'histogram'",
        "3|2|302.0|2.0|300.0|28|0.001|1000000.0|2");
  }

  @Test
  void workerAndProjectOfTheProcessAreKnown() throws Exception {
    try (Rollscope rs = builder().role("rollout").rank(3).project("math").build()) {
      rs.session("s").close();
    }
    expect(
        "worker_role, worker_rank, pid, attributes['rl.project'],"
            + " attributes['telemetry.sdk.language'] from spans",
        "",
        "rollout|3|" + ProcessHandle.current().pid() + "|math|java");
  }

  /** The buffer is too small for what a burst records: the page says how much is missing. */
  @Test
  void whatIsDroppedIsCountedAndTold() throws Exception {
    int recorded = 5_000;
    try (Rollscope rs =
            builder()
                .buffer(100)
                .pace(
                    new io.rollscope.sdk.internal.send.Pace(
                        Duration.ofMillis(100),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(1)))
                .build();
        Session session = rs.session("s")) {
      for (int i = 0; i < recorded; i++) {
        rs.phase("short").close();
      }
      Waiting.until(
          () -> {
            long stored = Long.parseLong(sql("count(*) from spans", "and name = 'short'").get(0));
            long dropped = server.run(run, "/live").path("dropped").path("spans").asLong();
            return stored > 0 && dropped > 0 && stored + dropped == recorded;
          });
    }
  }

  @Test
  void openSpansAreLostWhenTheProcessSaysGoodbye() throws Exception {
    Session session;
    Phase phase;
    try (Rollscope rs = open()) {
      session = rs.session("s");
      phase = rs.phase("generate");
    }
    expect("name, outcome from spans", "order by start_ns", "session|lost", "generate|lost");
    phase.close();
    session.close();
  }

  @Test
  void hostileValuesArriveOrBecomeText() throws Exception {
    try (Rollscope rs = open();
        Session session = rs.session("s" + "\ud800" + "é".repeat(2_000))) {
      try (Phase phase = rs.phase("x".repeat(5_000))) {
        phase
            .set("half", "\ud83d")
            .set("quote", "\"\\\n\u0001")
            .set("nan", Double.NaN)
            .set("big", new java.math.BigInteger("9".repeat(30)))
            .set("throws", new Thrower())
            .set("null", (Object) null)
            .set("list", List.of(1, 2, 3))
            .set("mixed", List.of(1, "a"))
            .set("", "no key")
            .set("session", "y".repeat(3_000))
            .set("prompt", "secret")
            .set("long", "z".repeat(100_000));
      }
    }
    expect(
        "length(name), attributes['half'], attributes['quote'], attributes['big'],"
            + " attributes['throws'], attributes['list'], attributes['mixed'],"
            + " length(attributes['long']), attributes['prompt'], attributes['null'],"
            + " length(session) from spans",
        "and kind = 'phase'",
        "341|?|\"\\\n\u0001|" + "9".repeat(30) + "|<Thrower>|[1,2,3]|[1, a]|4096|-|-|341");
  }

  /** Somebody's class, as one meets them. */
  private static final class Thrower {
    @Override
    public String toString() {
      throw new IllegalStateException("no text");
    }
  }
}
