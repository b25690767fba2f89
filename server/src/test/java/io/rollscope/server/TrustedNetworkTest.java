package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.Server;
import io.rollscope.otlp.Signal;
import io.rollscope.server.receive.GrpcReceiver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A machine of a trusted network that has no token tries everything, in every dress. The paths are
 * those the running server has, so a new one is tried, too, and must be refused unless it is among
 * those that contracts.md 8.3 names.
 */
class TrustedNetworkTest {
  private static final String TOKEN = "a-token-of-the-operator";
  private static final List<String> CONTENT_TYPES =
      List.of(
          "",
          "application/json",
          "application/x-protobuf",
          "application/grpc",
          "application/grpc-web");

  private static final Set<String> OPEN =
      Set.of("/", "/healthz", "/readyz", "/api/v1/login", "/page/x", "/page/assets/x");
  private static final Set<String> TRUSTED =
      Set.of("/metrics", "/api/v1/services", "/api/v1/prometheus/targets");
  private static final Set<String> EXPORTS =
      Arrays.stream(Signal.values()).map(GrpcReceiver::path).collect(Collectors.toSet());

  @TempDir private static Path data;
  private static TestDoor trusting;
  private static TestDoor wary;

  private static final ClientFactory PRIOR_KNOWLEDGE =
      ClientFactory.builder().useHttp2Preface(true).build();
  private static final Map<String, WebClient> CLIENTS = new ConcurrentHashMap<>();

  @BeforeAll
  static void open() throws StartException, IOException {
    trusting = open("trusting", "127.0.0.0/8");
    wary = open("wary", "10.0.0.0/8");
  }

  private static TestDoor open(String name, String trust) throws StartException, IOException {
    Path folder = Files.createDirectories(data.resolve(name));
    return TestDoor.open(
        folder, options -> TestDoor.options(folder, "127.0.0.1", TOKEN, List.of(trust), false));
  }

  @AfterAll
  static void close() {
    PRIOR_KNOWLEDGE.close();
    List.of(trusting, wary).parallelStream().forEach(TestDoor::close);
  }

  private enum Protocol {
    HTTP_1,
    HTTP_2,
    UPGRADED
  }

  private enum Port {
    API,
    OTLP_HTTP,
    OTLP_GRPC
  }

  private record Attempt(
      TestDoor door, Port port, String path, Protocol protocol, String contentType, String token) {
    @Override
    public String toString() {
      String who = token != null ? "token" : door == trusting ? "trusted" : "stranger";
      return who + " " + protocol + " " + port + " " + path + " " + contentType;
    }
  }

  @Test
  void trustedClientReachesOnlyWhatSendersAndScrapersNeed() throws Exception {
    List<Attempt> attempts = new ArrayList<>();
    for (TestDoor door : List.of(trusting, wary)) {
      for (Port port : Port.values()) {
        for (String path : paths(door.door.servers().get(port.ordinal()))) {
          for (Protocol protocol : Protocol.values()) {
            for (String type : CONTENT_TYPES) {
              attempts.add(new Attempt(door, port, path, protocol, type, null));
              if (door == wary) {
                attempts.add(new Attempt(door, port, path, protocol, type, TOKEN));
              }
            }
          }
        }
      }
    }
    List<String> wrong = new ArrayList<>();
    ExecutorService clients = Executors.newFixedThreadPool(16);
    List<Callable<ResponseHeaders>> calls = new ArrayList<>();
    attempts.forEach(attempt -> calls.add(() -> ask(attempt).join()));
    List<Future<ResponseHeaders>> answers = clients.invokeAll(calls);
    clients.shutdown();
    for (int i = 0; i < attempts.size(); i++) {
      ResponseHeaders answer = answers.get(i).get();
      if (isLetIn(answer) != mayEnter(attempts.get(i))) {
        wrong.add(attempts.get(i) + ": " + answer);
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(attempts).hasSizeGreaterThan(1_500);
    assertThat(paths(trusting.door.servers().get(0)))
        .contains("/api/v1/query", "/api/v1/runs/x", "/api/v1/experiments", "/nowhere");
  }

  /** A path that reads like a sender's and leads elsewhere. */
  @Test
  void pathsThatOnlyBeginLikeThoseOfSendersAreRefused() throws Exception {
    for (String path :
        List.of(
            "/metrics/../api/v1/runs",
            "/v1/../api/v1/runs",
            "/v1/%2e%2e/api/v1/runs",
            "//api/v1/runs",
            "/v1//../api/v1/runs",
            "/page/..%2fapi/v1/runs",
            "/metrics;/../api/v1/runs",
            "/metrics/",
            "/healthz/x")) {
      int status = RawHttp.get(trusting.door.url().getPort(), path, "Host: localhost").status();
      assertThat(status).as(path).isNotEqualTo(200);
    }
  }

  private static boolean mayEnter(Attempt attempt) {
    if (attempt.token() != null) {
      return true;
    }
    boolean trusted = attempt.door() == trusting;
    if (attempt.port() == Port.OTLP_GRPC) {
      return trusted && EXPORTS.contains(attempt.path());
    }
    return OPEN.contains(attempt.path())
        || trusted && (TRUSTED.contains(attempt.path()) || attempt.path().startsWith("/v1/"));
  }

  private static boolean isLetIn(ResponseHeaders answer) {
    return answer.status().code() != 401 && !"16".equals(answer.get("grpc-status"));
  }

  /** One path for each route of a port; of a run that there is not, so that answers are quick. */
  private static Set<String> paths(Server server) {
    return server.serviceConfigs().stream()
        .map(config -> config.route().patternString())
        .map(pattern -> pattern.replaceAll(":\\w+", "x"))
        .map(pattern -> pattern.equals("/*") ? "/nowhere" : pattern.replace("*", "x"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static CompletableFuture<ResponseHeaders> ask(Attempt attempt) {
    int port = attempt.door().door.servers().get(attempt.port().ordinal()).activeLocalPort();
    RequestHeadersBuilder headers = RequestHeaders.builder(HttpMethod.GET, attempt.path());
    if (!attempt.contentType().isEmpty()) {
      headers.add(HttpHeaderNames.CONTENT_TYPE, attempt.contentType());
    }
    if (attempt.token() != null) {
      headers.add(HttpHeaderNames.AUTHORIZATION, "Bearer " + attempt.token());
    }
    if (attempt.protocol() == Protocol.UPGRADED) {
      return H2cUpgrade.ask(port, headers.build());
    }
    boolean http2 = attempt.protocol() == Protocol.HTTP_2;
    String url = (http2 ? "h2c" : "h1c") + "://127.0.0.1:" + port;
    WebClient client =
        CLIENTS.computeIfAbsent(url, u -> WebClient.builder(u).factory(PRIOR_KNOWLEDGE).build());
    return client.execute(headers.build()).aggregate().thenApply(AggregatedHttpResponse::headers);
  }
}
