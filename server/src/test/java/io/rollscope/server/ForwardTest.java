package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spans go on to other backends, and nobody notices when these fail. */
class ForwardTest {
  private static final String TAKEN = "rollscope_forward_spans_total{";

  @TempDir Path data;
  @TempDir Path other;

  @Test
  void spansArriveAtAnotherServer() throws Exception {
    try (RealServer backend = RealServer.start(other);
        RealServer server = RealServer.start(data, backend.collector.otlpHttp().toString())) {
      for (int i = 1; i <= 50; i++) {
        assertThat(server.post("/v1/traces", RealServer.spans(i, 10))).isEqualTo(200);
      }
      Waiting.until(() -> server.metric(TAKEN) == 500);
      Waiting.until(() -> backend.metric("rollscope_spans_total") == 500);
      assertThat(backend.metric("rollscope_requests_total{signal=\"traces\",status=\"200\""))
          .as("batched")
          .isLessThan(50);
      assertThat(server.metric("rollscope_forward_failing{")).isZero();
    }
  }

  /** It is restarted just now. */
  @Test
  void aBackendThatIsBusyGetsThemLater() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    AtomicInteger keys = new AtomicInteger();
    HttpServer busy =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    busy.createContext(
        "/v1/traces",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          keys.addAndGet("k".equals(exchange.getRequestHeaders().getFirst("x-key")) ? 1 : 0);
          exchange.sendResponseHeaders(requests.incrementAndGet() == 1 ? 503 : 200, -1);
          exchange.close();
        });
    busy.start();
    try (RealServer server =
        RealServer.start(data, "http://127.0.0.1:" + busy.getAddress().getPort())) {
      server.post("/v1/traces", RealServer.spans(1, 10));
      Waiting.until(() -> server.metric(TAKEN) == 10);
      assertThat(server.metric("rollscope_forward_retries_total{")).isEqualTo(1);
      assertThat(keys).as("requests with the header").hasValue(2);
    } finally {
      busy.stop(0);
    }
  }

  @Test
  void whatABackendRefusesIsCountedAndNotSentAgain() throws Exception {
    HttpServer strict =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    strict.createContext(
        "/v1/traces",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(400, -1);
          exchange.close();
        });
    strict.start();
    try (RealServer server =
        RealServer.start(data, "http://127.0.0.1:" + strict.getAddress().getPort())) {
      server.post("/v1/traces", RealServer.spans(1, 10));
      Waiting.until(
          () -> server.metric("rollscope_forward_dropped_spans_total{reason=\"refused\"") == 10);
      assertThat(server.metric("rollscope_forward_failing{")).isEqualTo(1);
    } finally {
      strict.stop(0);
    }
  }

  /** It takes connections and never answers: senders must not feel it, memory must not grow. */
  @Test
  void aBackendThatHangsSlowsNobodyDown() throws Exception {
    try (ServerSocket deaf = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        RealServer server = RealServer.start(data, "http://127.0.0.1:" + deaf.getLocalPort())) {
      byte[] large = RealServer.spans(1, 20_000);
      long begin = System.nanoTime();
      int sent = 0;
      while (!(server.metric("rollscope_forward_dropped_spans_total{reason=\"queue_full\"") > 0)) {
        assertThat(server.post("/v1/traces", large)).isEqualTo(200);
        assertThat(++sent).as("requests until the queue is full").isLessThan(1_000);
      }
      double queued = server.metric("rollscope_forward_queue_bytes{");
      assertThat(queued).isPositive().isLessThanOrEqualTo(64 << 20);
      assertThat((System.nanoTime() - begin) / 1e9 / sent).as("seconds per request").isLessThan(10);
    }
  }

  @Test
  void aServerDoesNotForwardToItself() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    ServerOptions usual = TestDoor.options(data, "127.0.0.1", null, List.of(), false);
    ServerOptions.Outward outward =
        new ServerOptions.Outward("ns", List.of(URI.create("http://localhost:" + port)), Map.of());
    ServerOptions options =
        new ServerOptions(
            data,
            usual.host(),
            0,
            port,
            0,
            null,
            List.of(),
            false,
            null,
            List.of(),
            usual.scrape(),
            outward);
    assertThatThrownBy(() -> Collector.start(options))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("is this server (expected: another one)");
  }
}
