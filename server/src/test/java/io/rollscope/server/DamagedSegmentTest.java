package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.trace.v1.Span;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk cuts a file of the server's: it starts, says so, and serves the rest. */
class DamagedSegmentTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir Path data;

  private Collector start() throws Exception {
    return Collector.start(TestDoor.options(data, "127.0.0.1", null, List.of(), false));
  }

  private static HttpResponse<String> get(Collector collector, String path) throws Exception {
    URI address = collector.url().resolve(path);
    return CLIENT.send(
        HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void readyzAndMetricsNameIt() throws Exception {
    try (Collector collector = start()) {
      byte[] request = TestSpans.request(new Span.Builder[] {TestSpans.span(1).setName("a")});
      HttpRequest send =
          HttpRequest.newBuilder(collector.otlpHttp().resolve("/v1/traces"))
              .header("Content-Type", "application/x-protobuf")
              .POST(HttpRequest.BodyPublishers.ofByteArray(request))
              .build();
      assertThat(CLIENT.send(send, HttpResponse.BodyHandlers.discarding()).statusCode())
          .isEqualTo(200);
      assertThat(get(collector, "/readyz").body()).isEqualTo("{\"status\":\"ok\"}");
    }
    Path file = data.resolve("segments/v1/spans-00000001.parquet");
    assertThat(file).exists();
    Files.write(file, new byte[7]);
    try (Collector collector = start()) {
      HttpResponse<String> ready = get(collector, "/readyz");
      assertThat(ready.statusCode()).isEqualTo(200);
      assertThat(ready.body())
          .startsWith("{\"status\":\"degraded\",\"problems\":[\"")
          .contains("spans-00000001.parquet has 7 bytes");
      assertThat(get(collector, "/metrics").body()).contains("rollscope_damaged_segments 1");
      assertThat(get(collector, "/api/v1/runs").statusCode()).isEqualTo(200);
    }
  }
}
