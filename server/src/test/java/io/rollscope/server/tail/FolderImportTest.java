package io.rollscope.server.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole folders sent to a server that may be busy, choosy or absent. */
class FolderImportTest {
  @TempDir Path temp;
  private final Set<String> spans = Collections.synchronizedSet(new HashSet<>());
  private final AtomicInteger busy = new AtomicInteger();
  private volatile ExportTraceServiceResponse answer =
      ExportTraceServiceResponse.getDefaultInstance();
  private HttpServer server;
  private URI address;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::answer);
    server.start();
    address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (!"Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      exchange.sendResponseHeaders(401, -1);
    } else if (busy.getAndDecrement() > 0) {
      exchange.getResponseHeaders().set("Retry-After", "0");
      exchange.sendResponseHeaders(503, -1);
    } else {
      for (var resource : ExportTraceServiceRequest.parseFrom(body).getResourceSpansList()) {
        for (Span span : resource.getScopeSpans(0).getSpansList()) {
          spans.add(ToldSpans.id(span));
        }
      }
      byte[] response = answer.toByteArray();
      exchange.sendResponseHeaders(200, response.length == 0 ? -1 : response.length);
      exchange.getResponseBody().write(response);
    }
    exchange.close();
  }

  /** A folder that all users of a cluster write to. */
  @Test
  void whatOthersPutIntoTheFolderIsSkipped() throws Exception {
    Path folder = java.nio.file.Files.createDirectories(temp.resolve("run"));
    HostileFiles.putInto(folder);
    GrowingFolderTest.append(
        folder.resolve("producer_trace_1_0001_000000.jsonl"),
        GrowingFolderTest.event("a:1", "judge.start", 1),
        GrowingFolderTest.event("a:1", "judge.end", 2));

    ImportResult result =
        FolderImport.run(List.of(folder), null, null, address, "secret", (done, total, n) -> {});

    assertThat(spans).hasSize(1);
    assertThat(result.skippedLines()).isBetween(1L, 200L);
  }

  @Test
  void aFolderArrivesWholeUnderTheIdsThatFollowingItGives() throws Exception {
    List<String> progress = new ArrayList<>();
    ImportResult result =
        FolderImport.run(
            List.of(Tails.sample("xtuner/run1")),
            null,
            null,
            address,
            "secret",
            (done, total, sent) -> progress.add(done + " of " + total + ", " + sent));

    MemorySink sink = new MemorySink();
    new Tails(sink).follow(Tails.sample("xtuner/run1")).poll();
    assertThat(spans).isEqualTo(ToldSpans.of(sink.taken()).byId().keySet());
    assertThat(result.spans()).isEqualTo(spans.size());
    assertThat(result.rejected()).isEmpty();
    assertThat(result.files()).isEqualTo(4);
    assertThat(result.skippedLines()).isZero();
    assertThat(progress)
        .last()
        .isEqualTo(result.bytes() + " of " + result.bytes() + ", " + result.spans());
  }

  @Test
  void otlpLinesAreImportedTheSameWay() throws Exception {
    ImportResult result = run(Tails.sample("xtuner/main-otlp"));

    assertThat(result.spans()).isEqualTo(spans.size()).isPositive();
    assertThat(result.bytes()).isEqualTo(908_145);
  }

  @Test
  void aBusyServerIsAskedAgain() throws Exception {
    busy.set(3);

    assertThat(run(Tails.sample("areal/edge")).spans()).isEqualTo(spans.size()).isPositive();
  }

  @Test
  void whatTheServerRejectsIsReportedWithItsReason() throws Exception {
    answer =
        ExportTraceServiceResponse.newBuilder()
            .setPartialSuccess(
                ExportTraceServiceResponse.newBuilder()
                    .getPartialSuccessBuilder()
                    .setRejectedSpans(2)
                    .setErrorMessage("time: in the future"))
            .build();

    ImportResult result = run(Tails.sample("areal/edge/sessions-null-end.jsonl"));
    assertThat(result.rejected()).isEqualTo(Map.of("time: in the future", 2L));
  }

  @Test
  void aWrongTokenIsSaidToBeWrong() {
    assertThatThrownBy(
            () ->
                FolderImport.run(
                    List.of(Tails.sample("xtuner/run1")),
                    null,
                    null,
                    address,
                    "no",
                    (a, b, c) -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("answered 401 (expected: the server's token)");
  }

  @Test
  void aSourceThatIsNotThereIsAnError() {
    assertThatThrownBy(() -> run(temp.resolve("nothing")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nothing")
        .hasMessageContaining("expected");
  }

  private ImportResult run(Path source) throws IOException {
    return FolderImport.run(List.of(source), null, null, address, "secret", (a, b, c) -> {});
  }
}
