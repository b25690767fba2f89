package io.rollscope.sdk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.sdk.internal.Warnings;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever listens at the address: the training goes on, and nobody waits longer than was said. */
class HostileServerTest {
  private static final int RECORDED = 3_000;
  private static final long MOST_READ = 64 << 20;
  private static final Duration SLACK = Duration.ofSeconds(15);
  private static final String STEERING =
      "\u001b]0;owned\u0007\u009b31m\u202eabc\u2066\u200b\ufeff\u2028\r\n";

  private final List<String> told = new CopyOnWriteArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger redirected = new AtomicInteger();
  private final AtomicLong mostWritten = new AtomicLong();
  private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() throws Exception {
    over.countDown();
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** What a server does with a connection, after it has read a request. */
  private interface Behaviour {
    void answer(HostileServerTest test, Socket socket, OutputStream out) throws Exception;
  }

  private record Case(String name, Behaviour behaviour) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> servers() {
    return Stream.of(
        new Case("silent", (test, socket, out) -> test.over.await()),
        new Case("garbage", (test, socket, out) -> out.write(garbage())),
        new Case("redirect", (test, socket, out) -> write(out, test.redirection())),
        new Case("huge body", (test, socket, out) -> test.endless(out, "200 OK", "")),
        new Case("huge refusal", (test, socket, out) -> test.endless(out, "400 No", "")),
        new Case("huge chunks", (test, socket, out) -> test.endlessChunks(out)),
        new Case("slow head", (test, socket, out) -> test.slowly(out, "HTTP/1.1 200 OK\r\nX: ")),
        new Case(
            "slow body",
            (test, socket, out) ->
                test.slowly(out, "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")),
        new Case("reset", (test, socket, out) -> socket.setSoLinger(true, 0)),
        new Case("500", (test, socket, out) -> write(out, "500 Oh", "", "broken " + STEERING)),
        new Case(
            "429 for ever",
            (test, socket, out) -> write(out, "429 No", "Retry-After: " + "9".repeat(40), "")),
        new Case(
            "429 for five days",
            (test, socket, out) -> write(out, "429 No", "Retry-After: 432000", "")),
        new Case(
            "429 until the year 9999",
            (test, socket, out) ->
                write(out, "429 No", "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT", "")),
        new Case("endless headers", (test, socket, out) -> test.endlessHeaders(out)),
        new Case(
            "a page",
            (test, socket, out) -> write(out, "200 OK", "Content-Type: text/html", "<p>")),
        new Case("cut off", (test, socket, out) -> write(out, "HTTP/1.1 200 OK\r\nContent-Le")),
        new Case(
            "half a body",
            (test, socket, out) -> write(out, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nab")),
        new Case(
            "no export response", (test, socket, out) -> write(out, "200 OK", "", "\u00ff\u00ff")),
        new Case("continue for ever", (test, socket, out) -> test.continues(out)));
  }

  @ParameterizedTest
  @MethodSource("servers")
  void trainingGoesOnWithinItsLimits(Case hostile) throws Exception {
    Rollscope rs = builder(serve(hostile.behaviour)).build();
    try (Session session = rs.session("s")) {
      record(rs);
      rs.counter("tokens").add(5);
      long before = System.nanoTime();
      rs.flush(Duration.ofMillis(300));
      assertThat(since(before)).isLessThan(SLACK);
      session.accepted();
    }
    long before = System.nanoTime();
    rs.close();
    assertThat(since(before)).isLessThan(SLACK);
    record(rs);
    Waiting.until(() -> rs.dropped().spans() >= RECORDED);
    assertThat(redirected).hasValue(0);
    assertThat(mostWritten.get()).isLessThan(MOST_READ);
    assertThat(told).hasSizeLessThan(8).allMatch(HostileServerTest::isReadable);
  }

  @Test
  void nobodyListens() throws Exception {
    ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    closed.close();
    Rollscope rs = builder(closed).build();
    record(rs);
    assertThat(rs.flush(Duration.ofMillis(200))).isFalse();
    Waiting.until(() -> told.stream().anyMatch(t -> t.contains("does not answer")));
    rs.close();
    Waiting.until(() -> rs.dropped().spans() == RECORDED);
  }

  /** A wrong port is a line in the log, not one per request. */
  @Test
  void pageOfAnotherServerIsNoDelivery() throws Exception {
    ServerSocket page =
        serve((t, s, out) -> write(out, "200 OK", "Content-Type: text/html", "<p>"));
    try (Rollscope rs = builder(page).build()) {
      for (int i = 0; i < 3; i++) {
        rs.phase("a").close();
        assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      }
      assertThat(rs.dropped().spans()).isEqualTo(3);
    }
    assertThat(told).hasSize(1);
    assertThat(told.get(0))
        .contains("answers with text/html (expected: OTLP; is this the port of an OTLP receiver?)");
  }

  /** A proxy that is being restarted. */
  @Test
  void garbageThatPassesCostsNothing() throws Exception {
    ServerSocket passing =
        serve(
            (test, socket, out) ->
                write(out, "200 OK", "", test.requests.get() <= 3 ? "\u00ff\u00ff" : ""));
    try (Rollscope rs = builder(passing).build()) {
      rs.phase("a").close();
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      assertThat(rs.dropped().spans()).isZero();
    }
    assertThat(told).isEmpty();
  }

  /** What collectors answer: nothing, an empty message, an empty partial success, or JSON. */
  @Test
  void answersOfCollectorsAreDeliveries() throws Exception {
    String protobuf = "Content-Type: application/x-protobuf";
    String json = "Content-Type: application/json";
    ServerSocket collector =
        serve(
            (test, socket, out) -> {
              switch (test.requests.get() % 5) {
                case 0 -> write(out, "200 OK", protobuf, "");
                case 1 -> write(out, "200 OK", protobuf, "\n\u0000");
                case 2 -> write(out, "200 OK", json, "{\"partialSuccess\":{}}");
                case 3 -> write(out, "200 OK", "Content-Type: text/plain", "");
                default -> write(out, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\n\u0000");
              }
            });
    try (Rollscope rs = builder(collector).build()) {
      for (int i = 0; i < 10; i++) {
        rs.phase("a").close();
        assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      }
      assertThat(rs.dropped().spans()).isZero();
    }
    assertThat(told).isEmpty();
  }

  @Test
  void serverThatSaysNowIsNotHammered() throws Exception {
    ServerSocket now = serve((t, s, out) -> write(out, "503 No", "Retry-After: 0", ""));
    Rollscope rs = builder(now).pace(io.rollscope.sdk.internal.send.Pace.USUAL).build();
    rs.phase("a").close();
    long before = System.nanoTime();
    rs.flush(Duration.ofSeconds(1));
    Waiting.until(() -> requests.get() > 0);
    int asked = requests.get();
    assertThat((long) asked).isLessThanOrEqualTo(since(before).toMillis() / 100 + 2);
    rs.close();
  }

  @Test
  void patienceWithoutEndIsNoError() throws Exception {
    ServerSocket well = serve((t, s, out) -> write(out, "200 OK", "", ""));
    try (Rollscope rs = builder(well).build()) {
      rs.phase("a").close();
      assertThat(rs.flush(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    }
  }

  private RollscopeBuilder builder(ServerSocket server) {
    return Rollscope.builder()
        .environment(Map.of("OTEL_EXPORTER_OTLP_TIMEOUT", "400"))
        .warnings(new Warnings(told::add))
        .pace(Quick.PACE)
        .deadline(Duration.ofMillis(300))
        .run("r")
        .endpoint("127.0.0.1:" + server.getLocalPort());
  }

  private static void record(Rollscope rs) {
    for (int i = 0; i < RECORDED; i++) {
      rs.phase("a").set("i", i).set("text", "some text").close();
    }
  }

  private static Duration since(long before) {
    return Duration.ofNanos(System.nanoTime() - before);
  }

  private static boolean isReadable(String text) {
    return text.length() < 700
        && text.chars()
            .map(Character::getType)
            .noneMatch(
                type ->
                    type == Character.CONTROL
                        || type == Character.FORMAT
                        || type == Character.LINE_SEPARATOR);
  }

  private ServerSocket serve(Behaviour behaviour) throws IOException {
    return listen(
        (test, socket, out) -> {
          InputStream in = new BufferedInputStream(socket.getInputStream());
          if (readRequest(in)) {
            requests.incrementAndGet();
            behaviour.answer(this, socket, out);
            out.flush();
          }
        });
  }

  private ServerSocket listen(Behaviour behaviour) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    open.add(server);
    start(
        () -> {
          while (!server.isClosed()) {
            Socket socket = server.accept();
            open.add(socket);
            start(
                () -> {
                  try (socket) {
                    behaviour.answer(this, socket, socket.getOutputStream());
                  }
                });
          }
        });
    return server;
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Exception e) {
                // The client has hung up, or the test is over.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** False at the end of the connection. */
  private static boolean readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return false;
      }
      head.append((char) next);
    }
    for (String line : head.toString().split("\r\n")) {
      if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
        in.skipNBytes(Long.parseLong(line.substring(15).strip()));
      }
    }
    return true;
  }

  private static void write(OutputStream out, String raw) throws IOException {
    out.write(raw.getBytes(ISO_8859_1));
  }

  private static void write(OutputStream out, String status, String header, String body)
      throws IOException {
    byte[] bytes =
        body.chars().allMatch(c -> c < 256) ? body.getBytes(ISO_8859_1) : body.getBytes(UTF_8);
    write(
        out,
        "HTTP/1.1 "
            + status
            + "\r\nConnection: close\r\nContent-Length: "
            + bytes.length
            + "\r\n"
            + (header.isEmpty() ? "" : header + "\r\n")
            + "\r\n");
    out.write(bytes);
  }

  private static byte[] garbage() {
    byte[] bytes = new byte[5_000];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  private String redirection() throws IOException {
    ServerSocket elsewhere = listen((test, socket, out) -> redirected.incrementAndGet());
    return "HTTP/1.1 307 There\r\nContent-Length: 0\r\nLocation: http://127.0.0.1:"
        + elsewhere.getLocalPort()
        + "/v1/traces\r\n\r\n";
  }

  private void endless(OutputStream out, String status, String header) throws IOException {
    write(out, "HTTP/1.1 " + status + "\r\n" + header + "\r\n");
    pour(out, new byte[1 << 16]);
  }

  private void endlessChunks(OutputStream out) throws IOException {
    write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    pour(out, ("ffff\r\n" + "\u0000".repeat(0xffff) + "\r\n").getBytes(ISO_8859_1));
  }

  private void endlessHeaders(OutputStream out) throws IOException {
    write(out, "HTTP/1.1 200 OK\r\n");
    pour(out, "X-Endless: and more of it\r\n".repeat(1_000).getBytes(ISO_8859_1));
  }

  private void continues(OutputStream out) throws IOException {
    pour(out, "HTTP/1.1 100 Continue\r\n\r\n".repeat(100).getBytes(ISO_8859_1));
  }

  private void pour(OutputStream out, byte[] piece) throws IOException {
    for (long written = 0; over.getCount() > 0; written += piece.length) {
      out.write(piece);
      mostWritten.accumulateAndGet(written, Math::max);
    }
  }

  private void slowly(OutputStream out, String head) throws Exception {
    write(out, head);
    while (!over.await(20, java.util.concurrent.TimeUnit.MILLISECONDS)) {
      out.write('a');
      out.flush();
    }
  }
}
