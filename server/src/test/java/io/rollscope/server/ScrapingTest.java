package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.server.ServerOptions.Scrape;
import io.rollscope.server.scrape.HttpTarget;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a target to the table of metrics, through a real collector. */
class ScrapingTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir private Path data;
  @TempDir private Path work;
  private Collector collector;

  private void start(Scrape scrape) throws StartException {
    collector =
        Collector.start(
            new ServerOptions(
                data,
                "127.0.0.1",
                0,
                0,
                0,
                null,
                List.of(),
                false,
                null,
                List.of(),
                scrape,
                ServerOptions.Outward.DEFAULT));
  }

  private static Scrape often(Path targetsFile) {
    return new Scrape(targetsFile, Duration.ofMillis(200), false, null, null);
  }

  @AfterEach
  void close() throws Exception {
    collector.close();
  }

  private JsonNode call(String path, String body) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(collector.url() + path));
    if (body != null) {
      request.POST(BodyPublishers.ofString(body));
    }
    return JSON.readTree(CLIENT.send(request.build(), BodyHandlers.ofString()).body());
  }

  private JsonNode rows(String sql) throws Exception {
    return call("/api/v1/query", JSON.createObjectNode().put("sql", sql).toString()).path("rows");
  }

  private void add(HttpTarget target) throws Exception {
    call(
        "/api/v1/targets",
        "{\"target\":\"" + target.address() + "\",\"job\":\"vllm\",\"run\":\"r\"}");
  }

  /** Engines crash and come back. */
  @Test
  void targetThatDiesAndComesBackLeavesAGapAndNoFallingCounter() throws Exception {
    start(often(null));
    int port;
    try (HttpTarget target = new HttpTarget()) {
      port = target.port();
      target.exposes("# TYPE tokens counter", "tokens 100", "training_global_step 7");
      add(target);
      Waiting.until(() -> rows("select 1 from metrics where name = 'tokens'").size() > 1);
    }
    Waiting.until(() -> rows("select 1 from metrics where name = 'up' and value = 0").size() > 0);
    try (HttpTarget again = new HttpTarget(port)) {
      again.exposes("# TYPE tokens counter", "tokens 3", "training_global_step 8");
      Waiting.until(
          () -> rows("select 1 from metrics where name = 'tokens' and value = 3").size() > 1);
    }

    JsonNode story =
        rows(
            "select value, max(train_step), count(*) > 0, max(run), max(service), max(kind)"
                + " from metrics where name = 'tokens' group by value, value is null"
                + " order by min(time_ns)");
    assertThat(story)
        .hasToString(
            "[[100.0,7,true,\"r\",\"vllm\",\"sum\"],[null,null,true,\"r\",\"vllm\",\"sum\"],"
                + "[3.0,8,true,\"r\",\"vllm\",\"sum\"]]");
  }

  private JsonNode status() throws Exception {
    return call("/api/v1/targets", null).path("targets").path(0);
  }

  /** Whoever looks at a target that is down asks since when. */
  @Test
  void targetTellsSinceWhenItIsUpOrDown() throws Exception {
    start(often(null));
    double upSinceS;
    try (HttpTarget target = new HttpTarget().exposes("a 1")) {
      add(target);
      Waiting.until(() -> status().path("up").booleanValue());
      upSinceS = status().path("since_s").asDouble();
      Waiting.until(() -> status().path("last_scrape_s").asDouble() > upSinceS);
      assertThat(status().path("since_s").asDouble()).isEqualTo(upSinceS);
    }
    Waiting.until(() -> status().path("error").isTextual());
    assertThat(status().path("since_s").asDouble()).isGreaterThan(upSinceS);
  }

  @Test
  void targetsFileIsFollowedAndItsMistakesAreShown() throws Exception {
    Path file = work.resolve("targets.yml");
    try (HttpTarget target = new HttpTarget().exposes("a 1")) {
      Files.writeString(
          file, "- targets: ['" + target.address() + "']\n  labels: {job: engines}\n");
      start(often(file));
      Waiting.until(() -> rows("select 1 from metrics where name = 'a'").size() > 0);
      JsonNode row = call("/api/v1/targets", null).path("targets").get(0);
      assertThat(row.path("source").asText()).isEqualTo("file");
      assertThat(row.path("job").asText()).isEqualTo("engines");

      replace(file, "- targets: [nonsense]\n");
      Waiting.until(() -> call("/api/v1/targets", null).path("problems").size() == 1);
      JsonNode all = call("/api/v1/targets", null);
      assertThat(all.path("problems").get(0).asText()).contains("target: nonsense (expected: ");
      assertThat(all.path("targets")).hasSize(1);

      replace(file, "[]");
      Waiting.until(() -> call("/api/v1/targets", null).path("targets").isEmpty());
      assertThat(call("/api/v1/targets", null).path("problems")).isEmpty();
      // A scrape that was late on a busy machine has left a gap of its own before this one.
      Waiting.until(
          () ->
              rows("select value from metrics where name = 'a' order by time_ns desc limit 1")
                  .path(0)
                  .path(0)
                  .isNull());
    }
  }

  /** At once, as editors do: a reader never sees half of it. */
  private void replace(Path file, String text) throws IOException {
    Path whole = Files.writeString(work.resolve("new"), text);
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void serverGoesOnWithItsTargetsAfterARestart() throws Exception {
    try (HttpTarget target = new HttpTarget().exposes("a 1")) {
      start(often(null));
      add(target);
      Waiting.until(() -> target.asked() > 0);
      collector.close();
      int before = target.asked();

      start(often(null));

      Waiting.until(() -> target.asked() > before);
      assertThat(call("/api/v1/targets", null).path("targets")).hasSize(1);
    }
  }

  /** Somebody edited it, or the disk did. */
  @Test
  void corruptBookDoesNotPreventAStart() throws Exception {
    Files.writeString(data.resolve("targets.json"), "{\"vers");

    start(Scrape.DEFAULT);

    JsonNode all = call("/api/v1/targets", null);
    assertThat(all.path("targets")).isEmpty();
    assertThat(all.path("problems").get(0).asText()).contains("targets.json.corrupt-");
  }
}
