package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.server.scrape.HttpTarget;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Targets by our API and by RL-Insight's, with real HTTP, real targets and a real scraper. */
class TargetsApiTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TARGETS = "/api/v1/targets";
  private static final String INSIGHT = "/api/v1/prometheus/targets";
  private static final String ARCHIVE = "/api/v1/experiments/archive";
  private static final String RESTORE = "/api/v1/experiments/restore";
  private static final String IDENTITY = "{\"project\":\"p\",\"experiment_name\":\"e\"}";

  @TempDir private Path data;
  private TestDoor door;

  @BeforeEach
  void open() throws StartException {
    door = TestDoor.open(data);
    door.scraping.start();
  }

  @AfterEach
  void close() {
    door.close();
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return door.send(door.api(path).POST(BodyPublishers.ofString(body)));
  }

  private JsonNode get(String path) throws Exception {
    return JSON.readTree(door.get(path).body());
  }

  private static JsonNode ok(HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private static void refused(HttpResponse<String> answer, int status, String message)
      throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    JsonNode body = JSON.readTree(answer.body());
    assertThat(body.path("error").path("message").asText()).contains(message);
    assertThat(body.path("detail").asText()).isEqualTo(body.path("error").path("message").asText());
  }

  private JsonNode row(String target) throws Exception {
    for (JsonNode row : get(TARGETS).path("targets")) {
      if (row.path("target").asText().equals(target)) {
        return row;
      }
    }
    return JSON.missingNode();
  }

  private List<MetricPoint> points(String name) {
    List<MetricPoint> found = new ArrayList<>();
    door.taken.forEach(
        incoming ->
            incoming.request().points().stream()
                .filter(p -> p.name().equals(name))
                .forEach(found::add));
    return found;
  }

  @Test
  void targetIsAddedScrapedListedAndRemoved() throws Exception {
    try (HttpTarget target = new HttpTarget().exposes("# TYPE reward gauge", "reward 0.5")) {
      ok(
          post(
              TARGETS,
              "{\"target\":\""
                  + target.address()
                  + "\",\"job\":\"trainer\",\"labels\":{\"node\":\"n1\"},\"run\":\"r\",\"interval_s\":3600}"));
      Waiting.until(() -> row(target.address()).path("up").asBoolean());

      JsonNode row = row(target.address());
      assertThat(row.path("job").asText()).isEqualTo("trainer");
      assertThat(row.path("labels")).hasToString("{\"node\":\"n1\"}");
      assertThat(row.path("run").asText()).isEqualTo("r");
      assertThat(row.path("interval_s").asDouble()).isEqualTo(3600);
      assertThat(row.path("timeout_s").asDouble()).isEqualTo(10);
      assertThat(row.path("source").asText()).isEqualTo("api");
      assertThat(row.path("samples").asInt()).isEqualTo(1);
      assertThat(row.path("last_duration_s").asDouble()).isPositive();
      assertThat(row.path("error").isNull()).isTrue();
      assertThat(points("reward")).extracting(MetricPoint::value).containsExactly(0.5);
      assertThat(points("reward")).extracting(MetricPoint::run).containsExactly("r");

      String query = TARGETS + "?target=" + target.address() + "&job=trainer";
      assertThat(ok(door.send(door.api(query).DELETE())).path("removed").asInt()).isEqualTo(1);
      assertThat(get(TARGETS).path("targets")).isEmpty();
      assertThat(door.send(door.api(query).DELETE()).statusCode()).isEqualTo(404);
      Waiting.until(() -> points("reward").size() == 2);
      assertThat(points("reward").get(1).value()).isNull();
      assertThat(points("up")).extracting(MetricPoint::value).containsExactly(1.0, null);
    }
  }

  @Test
  void severalAreAddedTogetherOrNotAtAll() throws Exception {
    HttpResponse<String> answer =
        post(TARGETS, "{\"targets\":[{\"target\":\"127.0.0.1:1\"},{\"target\":\"nonsense\"}]}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(get(TARGETS).path("targets")).isEmpty();

    ok(post(TARGETS, "{\"targets\":[{\"target\":\"127.0.0.1:1\"},{\"target\":\"127.0.0.1:2\"}]}"));
    assertThat(get(TARGETS).path("targets")).hasSize(2);
    assertThat(post(TARGETS, "[]").statusCode()).isEqualTo(400);
    assertThat(post(TARGETS, "{\"targte\":\"h:1\"}").body()).contains("key: targte (expected: ");
  }

  @Test
  void targetThatIsDownSaysWhy() throws Exception {
    try (HttpTarget target = new HttpTarget().exposes("x one")) {
      ok(post(TARGETS, "{\"target\":\"" + target.address() + "\"}"));
      Waiting.until(() -> row(target.address()).path("error").isTextual());

      JsonNode row = row(target.address());
      assertThat(row.path("up").booleanValue()).isFalse();
      assertThat(row.path("error").asText())
          .isEqualTo("line 1, column 3: a value that is none (expected: a number)");
      assertThat(points("up")).extracting(MetricPoint::value).containsExactly(0.0);
    }
  }

  /** Who may register a target reads no piece of what only this machine may ask. */
  @Test
  void errorOfATargetShowsNothingOfItsBody() throws Exception {
    for (String body :
        List.of("password =hunter2", "hunter2", "a{hunter2", "# TYPE a hunter2", "a{b=\"hunter2")) {
      try (HttpTarget target = new HttpTarget().exposes(body)) {
        ok(post(TARGETS, "{\"target\":\"" + target.address() + "\"}"));
        Waiting.until(() -> row(target.address()).path("error").isTextual());

        assertThat(row(target.address()).path("error").asText())
            .startsWith("line 1, column ")
            .doesNotContain("hunter2");
      }
    }
  }

  /** Prometheus would be sent there, too. */
  @Test
  void addressThatIsNotAskedIsRefusedWhenItIsRegistered() throws Exception {
    for (String address :
        List.of(
            "169.254.169.254:80",
            "http://169.254.169.254/latest/meta-data",
            "[::ffff:169.254.169.254]:80",
            "[64:ff9b:1::a9fe:a9fe]:80",
            "[fe80::1]:80",
            "100.100.100.200:80",
            "[fd00:ec2::254]:80")) {
      refused(
          post(INSIGHT, "{\"targets\":[\"127.0.0.1:1\",\"" + address + "\"]}"),
          400,
          "--allow-link-local");
      assertThat(post(TARGETS, "{\"target\":\"" + address + "\"}").statusCode()).isEqualTo(400);
    }

    assertThat(get(TARGETS).path("targets")).isEmpty();
  }

  /** What it scraped of itself would be in what it exposes next. */
  @Test
  void serverDoesNotScrapeItself() throws Exception {
    int port = door.door.url().getPort();
    for (String host : List.of("127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]")) {
      refused(
          post(INSIGHT, "{\"targets\":[\"" + host + ":" + port + "\"]}"), 400, "is this server");
    }
    refused(
        post(INSIGHT, "{\"targets\":[\"127.0.0.1:" + door.door.otlpHttp().getPort() + "\"]}"),
        400,
        "is this server");
    assertThat(get(TARGETS).path("targets")).isEmpty();
  }

  /** By the operator's file, or by a name that only DNS knows to be this machine. */
  @Test
  void serverThatIsItsOwnTargetSaysSo() throws Exception {
    close();
    Path file = data.resolve("mine.json");
    door =
        TestDoor.open(
            data,
            options ->
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
                    new ServerOptions.Scrape(file, Duration.ofSeconds(1), false, null, null)));
    String address = "127.0.0.1:" + door.door.url().getPort();
    Files.writeString(file, "[{\"targets\":[\"" + address + "\"]}]");
    door.scraping.start();

    Waiting.until(() -> row(address).path("error").isTextual());
    assertThat(row(address).path("error").asText())
        .isEqualTo("target: " + address + " is this server (expected: another)");
  }

  /** RL-Insight asks this first. */
  @Test
  void servicesTellWhereSpansGo() throws Exception {
    JsonNode services = get("/api/v1/services");

    assertThat(services)
        .hasToString(
            "{\"status\":\"ok\",\"otlp_port\":"
                + door.door.otlpHttp().getPort()
                + ",\"prometheus_port\":null,\"grafana_port\":null}");
  }

  @Test
  void targetsWithoutIdentityAreRegisteredOnce() throws Exception {
    String body =
        "{\"job_name\":\"vllm\",\"targets\":[\"127.0.0.1:1\","
            + "{\"target\":\"127.0.0.1:2\",\"labels\":{\"replica\":0}}]}";
    assertThat(ok(post(INSIGHT, body)))
        .hasToString(
            "{\"status\":\"ok\",\"prometheus_reloaded\":false,\"job_name\":\"vllm\",\"target_count\":2}");
    assertThat(ok(post(INSIGHT, body)).path("target_count").asInt()).isEqualTo(2);
    ok(
        post(
            INSIGHT,
            "{\"job_name\":\"vllm\",\"targets\":[{\"target\":\"127.0.0.1:2\",\"labels\":{\"replica\":7}}]}"));

    assertThat(get(TARGETS).path("targets")).hasSize(2);
    assertThat(row("127.0.0.1:2").path("labels")).hasToString("{\"replica\":\"7\"}");
    assertThat(row("127.0.0.1:2").path("source").asText()).isEqualTo("rl-insight");
    assertThat(ok(post(INSIGHT, "{\"targets\":[\"127.0.0.1:3\"]}")).path("job_name").asText())
        .isEqualTo("trainer_metrics");
    assertThat(get("/api/v1/experiments")).isEmpty();
  }

  @Test
  void eightClientsAtOnceMakeEightTargets() throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(8);
    List<Callable<HttpResponse<String>>> calls = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      String body = "{\"targets\":[\"127.0.0.1:" + i + "\"]}";
      calls.add(() -> post(INSIGHT, body));
    }
    for (Future<HttpResponse<String>> call : clients.invokeAll(calls)) {
      ok(call.get());
    }
    clients.shutdown();

    assertThat(get(TARGETS).path("targets")).hasSize(8);
  }

  @Test
  void experimentsAreListedShownArchivedAndRestored() throws Exception {
    try (HttpTarget target = new HttpTarget().exposes("reward 0.5")) {
      String body =
          "{\"targets\":[\""
              + target.address()
              + "\"],\"project\":\" p \",\"experiment_name\":\"e\"}";
      JsonNode registered = ok(post(INSIGHT, body));
      assertThat(registered.path("state").asText()).isEqualTo("active");
      assertThat(registered.path("target_count").asInt()).isEqualTo(1);
      Waiting.until(() -> !points("reward").isEmpty());
      assertThat(points("reward").get(0).run()).isEqualTo("p/e");
      assertThat(row(target.address()).path("run").asText()).isEqualTo("p/e");

      JsonNode list = get("/api/v1/experiments");
      assertThat(list).hasSize(1);
      assertThat(list.get(0).fieldNames())
          .toIterable()
          .containsExactly(
              "project", "experiment_name", "state", "target_count", "created_at", "updated_at");
      assertThat(get("/api/v1/experiments?project=q")).isEmpty();
      JsonNode shown = get("/api/v1/experiments/targets?project=p&experiment_name=e");
      assertThat(shown.path("targets"))
          .hasToString(
              "[{\"job_name\":\"trainer_metrics\",\"target\":\""
                  + target.address()
                  + "\",\"labels\":{\"experiment_name\":\"e\",\"project\":\"p\"}}]");

      JsonNode archived = ok(post(ARCHIVE, IDENTITY));
      assertThat(archived.path("state").asText()).isEqualTo("archived");
      assertThat(archived.path("target_count").asInt()).isEqualTo(1);
      assertThat(archived.path("prometheus_converged").isNull()).isTrue();
      assertThat(archived.path("message").asText()).contains("no longer scraped");
      assertThat(ok(post(ARCHIVE, IDENTITY)).path("state").asText()).isEqualTo("archived");
      assertThat(get(TARGETS).path("targets")).isEmpty();
      refused(post(INSIGHT, body), 409, "/api/v1/experiments/restore");

      assertThat(ok(post(RESTORE, IDENTITY)).path("state").asText()).isEqualTo("active");
      assertThat(ok(post(RESTORE, IDENTITY)).path("state").asText()).isEqualTo("active");
      Waiting.until(() -> row(target.address()).path("up").asBoolean());
    }
  }

  @Test
  void wrongIdentitiesAreRefused() throws Exception {
    refused(post(INSIGHT, "{\"targets\":[\"h:1\"],\"project\":\"p\"}"), 400, "both of them");
    refused(post(INSIGHT, "{\"targets\":[]}"), 400, "not empty");
    refused(post(INSIGHT, "no JSON"), 400, "no JSON object");
    refused(
        post(
            INSIGHT,
            "{\"targets\":[\"h:1\"],\"project\":\"p\",\"experiment_name\":\"e\",\"labels\":{\"project\":\"q\"}}"),
        400,
        "reserved");
    refused(post(ARCHIVE, IDENTITY), 404, "experiment: p/e");
    refused(post(ARCHIVE, "{\"project\":\" \",\"experiment_name\":\"\"}"), 400, "not blank");
    refused(post(RESTORE, "{}"), 400, "not blank");
    refused(door.get("/api/v1/experiments/targets"), 400, "not blank");
    refused(
        door.get("/api/v1/experiments/targets?project=p&experiment_name=x"),
        404,
        "experiment: p/x");
  }

  @Test
  void registeredTargetsAreThereAfterARestart() throws Exception {
    ok(
        post(
            INSIGHT,
            "{\"targets\":[\"127.0.0.1:1\"],\"project\":\"p\",\"experiment_name\":\"e\"}"));
    ok(post(TARGETS, "{\"target\":\"127.0.0.1:2\"}"));
    close();

    open();

    assertThat(get(TARGETS).path("targets")).hasSize(2);
    assertThat(get("/api/v1/experiments")).hasSize(1);
  }

  @Test
  void trustOpensRegistrationAndNothingElse() throws Exception {
    close();
    door =
        TestDoor.open(
            data,
            options ->
                TestDoor.options(data, "127.0.0.1", "secret", List.of("127.0.0.0/8"), false));

    assertThat(door.get("/api/v1/services").statusCode()).isEqualTo(200);
    assertThat(post(INSIGHT, "{\"targets\":[\"127.0.0.1:1\"]}").statusCode()).isEqualTo(200);
    assertThat(door.get(INSIGHT).statusCode()).isEqualTo(405);
    for (String path : List.of(TARGETS, "/api/v1/experiments", "/api/v1/experiments/targets")) {
      assertThat(door.get(path).statusCode()).as(path).isEqualTo(401);
    }
    for (String path : List.of(TARGETS, ARCHIVE, RESTORE)) {
      assertThat(post(path, IDENTITY).statusCode()).as(path).isEqualTo(401);
    }
  }

  @Test
  void seriesWithoutARunBelongToTheOneHeardFromLast() throws Exception {
    try (HttpTarget target = new HttpTarget().exposes("a 1")) {
      door.recentRun = "gsm8k/trial1";
      ok(post(TARGETS, "{\"target\":\"" + target.address() + "\",\"job\":\"node\"}"));
      Waiting.until(() -> !points("a").isEmpty());
      assertThat(points("a").get(0).run()).isEqualTo("gsm8k/trial1");

      door.recentRun = null;
      ok(post(TARGETS, "{\"target\":\"" + target.address() + "\",\"job\":\"other\"}"));
      Waiting.until(() -> points("a").stream().anyMatch(p -> p.run().equals("other")));
    }
  }
}
