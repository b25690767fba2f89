package io.rollscope.server;

import static java.net.http.HttpRequest.BodyPublishers.ofByteArray;
import static java.net.http.HttpRequest.BodyPublishers.ofString;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users' SQL over HTTP, in its real process. */
class SqlApiTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final String ENDLESS =
      "select count(*) from range(1000000) a, range(1000000) b, range(1000000) c"
          + " where a.range + b.range * c.range = 7";

  @TempDir private Path folder;
  private Path data;
  private Collector collector;

  @BeforeEach
  void start() throws Exception {
    data = folder.resolve("data");
    // What a server that was killed left behind.
    Files.createDirectories(data.resolve("tmp-sql/rows/7"));
    Files.writeString(data.resolve("tmp-sql/rows/7/hot_spans.parquet"), "old");
    collector = Collector.start(TestDoor.options(data, "127.0.0.1", null, List.of(), false));
  }

  @AfterEach
  void stop() throws IOException {
    if (collector != null) {
      collector.close();
    }
  }

  private CompletableFuture<HttpResponse<String>> ask(String sql) {
    return CLIENT.sendAsync(
        HttpRequest.newBuilder(collector.url().resolve("/api/v1/query"))
            .POST(ofString(JSON.createObjectNode().put("sql", sql).toString()))
            .build(),
        HttpResponse.BodyHandlers.ofString(UTF_8));
  }

  private String rows(String sql) throws Exception {
    HttpResponse<String> answer = ask(sql).get(2, TimeUnit.MINUTES);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body()).path("rows").toString();
  }

  private void send(int number) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(collector.otlpHttp().resolve("/v1/traces"))
            .header("Content-Type", "application/x-protobuf")
            .POST(ofByteArray(TestSpans.request(TestSpans.span(number))))
            .build();
    assertThat(CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
        .isEqualTo(200);
  }

  @Test
  void whatWasReceivedIsSeen() throws Exception {
    send(1);
    Waiting.until(() -> rows("select count(*) from spans").equals("[[1]]"));
    send(2);
    Waiting.until(() -> rows("select count(*) from spans").equals("[[2]]"));
    assertThat(rows("select count(*), count(attributes) from states")).isEqualTo("[[0,0]]");
    assertThat(rows("select count(*) from sessions where run is null")).isEqualTo("[[0]]");
    assertThat(rows("select count(*) from metrics")).isEqualTo("[[0]]");
    assertThat(rows("select typeof(attributes) from spans limit 1"))
        .isEqualTo("[[\"MAP(VARCHAR, VARCHAR)\"]]");

    Path tmp = data.resolve("tmp-sql");
    assertThat(Files.getPosixFilePermissions(tmp))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(tmp.resolve("rows/7")).doesNotExist();
    collector.close();
    collector = null;
    assertThat(tmp).doesNotExist();
  }

  @Test
  void aKilledQueryIsToldWhyAndOthersGoOn() throws Exception {
    for (int i = 0; i < 3; i++) {
      long before = busyMillis();
      CompletableFuture<HttpResponse<String>> victim = ask(ENDLESS);
      Waiting.until(() -> busyMillis() > before + 200);
      ProcessHandle process = process().orElseThrow();
      if (i == 0) {
        assertThat(rows("select 1")).isEqualTo("[[1]]"); // Beside it, in another process.
      }
      process.destroyForcibly();
      HttpResponse<String> answer = victim.get(2, TimeUnit.MINUTES);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(JSON.readTree(answer.body()).path("error").path("code").asText())
          .isEqualTo("unavailable");
      assertThat(JSON.readTree(answer.body()).path("error").path("message").asText())
          .startsWith("sql: its process ended by itself, exit code 137");
    }
    HttpResponse<String> paused = ask("select 1").get(2, TimeUnit.MINUTES);
    assertThat(paused.statusCode()).isEqualTo(503);
    assertThat(paused.body()).contains("sql: paused, because 3 of its processes crashed");
    assertThat(paused.headers().firstValueAsLong("retry-after").orElse(0)).isBetween(1L, 30L);

    HttpResponse<String> metrics =
        CLIENT.send(
            HttpRequest.newBuilder(collector.url().resolve("/metrics")).build(),
            HttpResponse.BodyHandlers.ofString(UTF_8));
    assertThat(metrics.body())
        .contains("rollscope_sql_process_kills_total{reason=\"crash\"} 3.0")
        .contains("rollscope_sql_process_kills_total{reason=\"memory\"} 0.0")
        .contains("rollscope_sql_process_starts_total 3.0");
  }

  /** Processor time of the process; one that runs no query takes none. */
  private long busyMillis() {
    return process().flatMap(p -> p.info().totalCpuDuration()).map(Duration::toMillis).orElse(0L);
  }

  private Optional<ProcessHandle> process() {
    String mark = data.resolve("tmp-sql").toString();
    return ProcessHandle.current()
        .descendants()
        .filter(ProcessHandle::isAlive)
        .filter(p -> p.info().commandLine().orElse("").contains(mark))
        .findFirst();
  }
}
