package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.rollscope.stuck.Tool;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is stuck says where, when the server asks (contracts.md 3.20). */
class StacksTest {
  private static final String TAKE =
      "java.util.concurrent.LinkedBlockingQueue.take LinkedBlockingQueue.java:";

  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Deque<Session> sessions = new ArrayDeque<>();
  private final Quick quick = new Quick();

  /** The other side wants to know of all of these, with every answer. */
  private final List<String> wanted = new CopyOnWriteArrayList<>();

  @AfterEach
  void letThemGo() throws InterruptedException {
    for (int i = 0; i < 2 * threads.size(); i++) {
      answers.add("at last");
    }
    for (Thread thread : threads) {
      thread.join();
    }
    while (!sessions.isEmpty()) {
      sessions.pop().close();
    }
    assertThat(Context.current()).isSameAs(Context.root());
  }

  @BeforeEach
  void ask() {
    quick.transport.answer = (signal, body) -> Sent.all().wantingStack(String.join(",", wanted));
  }

  private Rollscope open(Map<String, String> environment) {
    return quick.builder(environment).quiet(true).build();
  }

  /** Does it in a phase, on a thread of its own. */
  private void stick(Rollscope rs, String phase, Callable<?> work) {
    Session session = rs.session(phase);
    sessions.push(session);
    Thread thread =
        new Thread(
            () -> {
              try (Phase tool = session.phase(phase)) {
                wanted.add(id(tool.span()));
                work.call();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    threads.add(thread);
    thread.start();
  }

  private static String id(Span span) {
    return span.getSpanContext().getSpanId();
  }

  private List<LogRecord> stacks() {
    return quick.transport.logs("rollscope.stack");
  }

  private static String frames(LogRecord record) {
    assertThat(record.getAttributesList()).hasSize(1);
    assertThat(record.getAttributes(0).getKey()).isEqualTo("rollscope.stack.frames");
    return record.getAttributes(0).getValue().getStringValue();
  }

  private static String spanOf(LogRecord record) {
    return HexFormat.of().formatHex(record.getSpanId().toByteArray());
  }

  private void awaitBeats(int more) throws Exception {
    int before = quick.transport.logs("rollscope.beat").size();
    Waiting.until(() -> quick.transport.logs("rollscope.beat").size() >= before + more);
  }

  @Test
  void threadOfASpanIsRecordedOnce() throws Exception {
    try (Rollscope rs = open(Map.of())) {
      stick(rs, "tool", () -> Tool.await(answers));
      Waiting.until(() -> !stacks().isEmpty());
      awaitBeats(3);
      letThemGo();
    }
    assertThat(stacks())
        .singleElement()
        .satisfies(s -> assertThat(spanOf(s)).isEqualTo(wanted.get(0)));
    List<String> lines = frames(stacks().get(0)).lines().toList();
    assertThat(lines).allMatch(line -> line.matches("\\S+ \\S+:\\d+"));
    assertThat(lines).noneMatch(line -> line.startsWith("io.rollscope.sdk."));
    int tool =
        lines.indexOf(lines.stream().filter(l -> l.contains("Tool")).findFirst().orElseThrow());
    assertThat(lines.get(tool)).matches("io\\.rollscope\\.stuck\\.Tool\\.await Tool\\.java:\\d+");
    assertThat(lines.get(tool - 1)).startsWith(TAKE);
    assertThat(lines.get(lines.size() - 1)).startsWith("java.lang.Thread.run Thread.java:");
  }

  @Test
  void deepStackIsCutWhereItBegan() throws Exception {
    try (Rollscope rs = open(Map.of())) {
      stick(rs, "tool", () -> Tool.awaitDeepDown(answers, 500));
      Waiting.until(() -> !stacks().isEmpty());
      letThemGo();
    }
    String frames = frames(stacks().get(0));
    assertThat(frames.lines()).hasSize(64);
    assertThat(frames.length()).isLessThanOrEqualTo(8_000);
    assertThat(frames).contains("Tool.await ").contains("Tool.awaitDeepDown ");
  }

  @Test
  void hundredStuckSpansAreAnsweredSixAMinute() throws Exception {
    try (Rollscope rs = open(Map.of())) {
      for (int i = 0; i < 100; i++) {
        stick(rs, "tool" + i, () -> Tool.await(answers));
      }
      Waiting.until(() -> stacks().size() >= 6);
      awaitBeats(4);
      assertThat(stacks()).hasSize(6);
      assertThat(stacks().stream().map(StacksTest::spanOf)).doesNotHaveDuplicates();
      letThemGo();
    }
  }

  /** The server asked in vain: the stack of another piece of work would mislead. */
  @Test
  void nothingIsSaidOfWhatRunsNowhere() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(1);
    CompletableFuture<String> never = new CompletableFuture<>();
    try (Rollscope rs = open(Map.of())) {
      Session session = rs.session("s");
      sessions.push(session);
      rs.traceAsync(
          "future",
          () -> {
            wanted.add(id(Span.current()));
            return never;
          });
      Phase pooled = pool.submit(() -> session.phase("of a thread that is idle again")).get();
      Phase[] ended = new Phase[1];
      Thread thread = new Thread(() -> ended[0] = session.phase("of a thread that has ended"));
      thread.start();
      thread.join();
      wanted.addAll(List.of(id(pooled.span()), id(ended[0].span()), "", "nonsense", "0123"));
      awaitBeats(4);
      assertThat(stacks()).isEmpty();

      stick(rs, "tool", () -> Tool.await(answers));
      Waiting.until(() -> !stacks().isEmpty());
      assertThat(stacks())
          .singleElement()
          .satisfies(s -> assertThat(frames(s)).contains("Tool.await"));
      letThemGo();
      never.complete("");
    }
    pool.shutdown();
  }

  private void expectNone(Rollscope rs) throws Exception {
    stick(rs, "tool", () -> Tool.await(answers));
    Waiting.until(() -> !wanted.isEmpty());
    awaitBeats(4);
    assertThat(rs.environment()).containsEntry("ROLLSCOPE_STACKS", "0");
    letThemGo();
    rs.close();
    assertThat(stacks()).isEmpty();
  }

  @Test
  void variableTurnsThemOff() throws Exception {
    expectNone(open(Map.of("ROLLSCOPE_STACKS", "0")));
  }

  @Test
  void codeTurnsThemOff() throws Exception {
    expectNone(quick.builder().quiet(true).stacks(false).build());
  }

  private static JsonNode stack(TestServer server, String session) throws Exception {
    for (JsonNode span : server.run("stuck", "/sessions/" + session).path("spans")) {
      if (span.path("stack").has("summary")) {
        return span.path("stack");
      }
    }
    return null;
  }

  /** A tool usually takes nothing, and now the server finds it overdue and asks by itself. */
  @Test
  void serverShowsWhereItIsStuck(@TempDir Path data) throws Exception {
    try (TestServer server = TestServer.start(data);
        ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Rollscope rs =
            Rollscope.builder()
                .environment(Map.of())
                .run("stuck")
                .quiet(true)
                .pace(Quick.PACE)
                .endpoint(server.endpoint())
                .build()) {
      try (Session usual = rs.session("usual")) {
        for (int i = 0; i < 25; i++) {
          rs.phase("queue").close();
          rs.phase("socket").close();
        }
      }
      stick(rs, "queue", () -> Tool.await(answers));
      stick(rs, "socket", () -> Tool.ask(silent, "hunter2"));
      Waiting.until(() -> stack(server, "queue") != null && stack(server, "socket") != null);

      assertThat(stack(server, "queue").path("summary").asText())
          .matches(
              "waiting in java\\.util\\.concurrent\\.LinkedBlockingQueue\\.take"
                  + " → \\S*Unsafe\\.park, Tool\\.java:\\d+");
      JsonNode socket = stack(server, "socket");
      assertThat(socket.path("summary").asText())
          .matches(
              "waiting in java\\.net\\.Socket\\$SocketInputStream\\.read → .*, Tool\\.java:\\d+");
      assertThat(socket.toString()).doesNotContain("hunter2");
      double now = System.currentTimeMillis() / 1e3;
      assertThat(socket.path("at_s").asDouble()).isBetween(now - 600, now);
      assertThat(
              server.sql(
                  "select name from spans where attributes['rollscope.stack.frames'] like"
                      + " '%io.rollscope.stuck.Tool%' order by name"))
          .containsExactly("queue", "socket");
      silent.accept().close();
      letThemGo();
    }
  }
}
