package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each refusal of contracts.md 8.1 to 8.3, by a real client. */
class AccessTest {
  private static final String TOKEN = "a-token-of-the-operator";
  private static final String RUNS = "/api/v1/runs";

  @TempDir private static Path data;
  private static TestDoor free;
  private static TestDoor locked;
  private static TestDoor trusting;
  private static TestDoor insecure;

  @BeforeAll
  static void open() throws StartException, IOException {
    free = TestDoor.open(folder("free"));
    locked = open("locked", "127.0.0.1", TOKEN, List.of(), false);
    trusting = open("trusting", "0.0.0.0", null, List.of("10.0.0.0/8", "127.0.0.0/8"), false);
    insecure = open("insecure", "0.0.0.0", null, List.of(), true);
    for (TestDoor door : List.of(free, locked, trusting, insecure)) {
      door.admin.runs.add(TestAdmin.run("r1"));
    }
  }

  private static TestDoor open(
      String name, String host, String token, List<String> trust, boolean insecure)
      throws StartException, IOException {
    Path folder = folder(name);
    return TestDoor.open(folder, options -> TestDoor.options(folder, host, token, trust, insecure));
  }

  private static Path folder(String name) throws IOException {
    return Files.createDirectories(data.resolve(name));
  }

  @AfterAll
  static void close() {
    List.of(free, locked, trusting, insecure).parallelStream().forEach(TestDoor::close);
  }

  private static HttpResponse<String> withToken(TestDoor door, String path, String token)
      throws IOException, InterruptedException {
    return door.send(door.api(path).header("Authorization", "Bearer " + token));
  }

  private static HttpRequest.Builder login(TestDoor door, String body) {
    return door.api("/api/v1/login").POST(BodyPublishers.ofString(body));
  }

  private static int otlp(TestDoor door, String... headers) throws Exception {
    HttpRequest.Builder request =
        door.otlp("/v1/traces")
            .header("Content-Type", "application/x-protobuf")
            .POST(BodyPublishers.ofByteArray(TestSpans.request(TestSpans.span(1))));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return door.send(request).statusCode();
  }

  @Test
  void loopbackWithoutATokenIsFree() throws Exception {
    assertThat(free.door.token()).isNull();
    assertThat(free.get(RUNS).statusCode()).isEqualTo(200);
    assertThat(otlp(free)).isEqualTo(200);
    assertThat(data.resolve("free/token")).doesNotExist();
  }

  @Test
  void withoutTheTokenNothingIsSaidOrTaken() throws Exception {
    HttpResponse<String> answer = locked.get(RUNS);

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.headers().firstValue("www-authenticate"))
        .contains("Bearer realm=\"rollscope\"");
    assertThat(answer.body()).startsWith("{\"error\":{\"code\":\"unauthenticated\"");
    assertThat(withToken(locked, RUNS, "wrong").statusCode()).isEqualTo(401);
    assertThat(locked.get("/metrics").statusCode()).isEqualTo(401);
    assertThat(locked.get("/no/such/path").statusCode()).isEqualTo(401);
    assertThat(otlp(locked)).isEqualTo(401);
    assertThat(locked.taken).isEmpty();
  }

  @Test
  void withTheTokenEverythingIs() throws Exception {
    assertThat(withToken(locked, RUNS, TOKEN).statusCode()).isEqualTo(200);
    assertThat(withToken(locked, "/metrics", TOKEN).statusCode()).isEqualTo(200);
    assertThat(otlp(locked, "Authorization", "bearer " + TOKEN)).isEqualTo(200);
  }

  @Test
  void pageAndProbesNeedNone() throws Exception {
    assertThat(locked.get("/").statusCode()).isEqualTo(200);
    assertThat(locked.get("/page/assets/app-12345678.js").statusCode()).isEqualTo(200);
    assertThat(locked.get("/healthz").body()).isEqualTo("{\"status\":\"ok\"}");
    assertThat(locked.get("/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void tokenIsTradedForACookieThatIsNotTheToken() throws Exception {
    HttpResponse<String> answer = locked.send(login(locked, "{\"token\":\"" + TOKEN + "\"}"));

    assertThat(answer.statusCode()).isEqualTo(204);
    String cookie = answer.headers().firstValue("set-cookie").orElseThrow();
    assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict").contains("Path=/");
    assertThat(cookie).doesNotContain(TOKEN);
    String pair = cookie.substring(0, cookie.indexOf(';'));
    assertThat(locked.send(locked.api(RUNS).header("Cookie", pair)).statusCode()).isEqualTo(200);
    assertThat(locked.send(locked.api(RUNS).header("Cookie", pair + "x")).statusCode())
        .isEqualTo(401);
  }

  @Test
  void loginWithAWrongTokenOrNoneIsRefused() throws Exception {
    assertThat(locked.send(login(locked, "{\"token\":\"wrong\"}")).statusCode()).isEqualTo(401);
    assertThat(locked.send(login(locked, "{}")).statusCode()).isEqualTo(400);
    assertThat(locked.send(login(locked, "no json")).statusCode()).isEqualTo(400);
    assertThat(locked.get("/api/v1/login").statusCode()).isEqualTo(405);
  }

  /** People restart servers; browsers should not notice. */
  @Test
  void loginSurvivesARestart() throws Exception {
    String cookie;
    try (TestDoor first = open("login", "127.0.0.1", TOKEN, List.of(), false)) {
      HttpResponse<String> answer = first.send(login(first, "{\"token\":\"" + TOKEN + "\"}"));
      cookie = answer.headers().firstValue("set-cookie").orElseThrow();
    }
    String value = cookie.substring(cookie.indexOf('=') + 1, cookie.indexOf(';'));
    try (TestDoor second = open("login", "127.0.0.1", TOKEN, List.of(), false)) {
      String pair = "rollscope_" + second.door.url().getPort() + "=" + value;
      assertThat(second.send(second.api(RUNS).header("Cookie", pair)).statusCode()).isEqualTo(200);
    }
    try (TestDoor third = open("login", "127.0.0.1", TOKEN + "2", List.of(), false)) {
      String pair = "rollscope_" + third.door.url().getPort() + "=" + value;
      assertThat(third.send(third.api(RUNS).header("Cookie", pair)).statusCode()).isEqualTo(401);
    }
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(data.resolve("login/login-key"))))
        .isEqualTo("rw-------");
  }

  /** Otherwise a week after the login everybody would have to look for the token. */
  @Test
  void oldCookieIsExchangedForANewOne() throws Exception {
    try (TestDoor door = open("renewed", "127.0.0.1", TOKEN, List.of(), false)) {
      HttpResponse<String> answer = door.send(login(door, "{\"token\":\"" + TOKEN + "\"}"));
      String cookie = answer.headers().firstValue("set-cookie").orElseThrow();
      String pair = cookie.substring(0, cookie.indexOf(';'));
      assertThat(door.send(door.api(RUNS).header("Cookie", pair)).headers().map())
          .doesNotContainKey("set-cookie");

      door.admin.aheadNs = Duration.ofDays(2).toNanos();

      assertThat(
              door.send(door.api(RUNS).header("Cookie", pair)).headers().firstValue("set-cookie"))
          .hasValueSatisfying(fresh -> assertThat(fresh).contains("HttpOnly").doesNotContain(pair));
    }
  }

  /** Fifty guesses in three seconds were possible. */
  @Test
  void whoGuessesTokensIsSlowedDown() throws Exception {
    try (TestDoor door = open("guessed", "127.0.0.1", TOKEN, List.of(), false)) {
      long began = System.nanoTime();
      for (int i = 0; i < 11; i++) {
        assertThat(withToken(door, RUNS, "guess-" + i).statusCode()).isEqualTo(401);
      }
      assertThat(door.send(login(door, "{\"token\":\"guess\"}")).statusCode()).isEqualTo(401);

      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(2));
      assertThat(withToken(door, RUNS, TOKEN).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void foreignAddressWithoutATokenGetsOneThatOnlyTheOwnerReads() throws Exception {
    Path file = data.resolve("trusting/token");

    assertThat(trusting.door.token()).hasSize(43);
    assertThat(Files.readString(file).strip()).isEqualTo(trusting.door.token());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(trusting.get(RUNS).statusCode()).isEqualTo(401);
    assertThat(withToken(trusting, RUNS, trusting.door.token()).statusCode()).isEqualTo(200);
  }

  @Test
  void generatedTokenStaysTheSameOverARestart() throws Exception {
    TestDoor first = open("restarted", "0.0.0.0", null, List.of(), false);
    String token = first.door.token();
    first.close();
    try (TestDoor second = open("restarted", "0.0.0.0", null, List.of(), false)) {
      assertThat(second.door.token()).isEqualTo(token);
    }
  }

  @Test
  void trustedNetworkMaySendAndScrapeAndNothingElse() throws Exception {
    assertThat(otlp(trusting)).isEqualTo(200);
    assertThat(trusting.get("/metrics").statusCode()).isEqualTo(200);
    assertThat(trusting.get("/api/v1/services").statusCode()).isEqualTo(200);
    assertThat(trusting.get("/api/v1/prometheus/targets").statusCode()).isEqualTo(405);
    assertThat(trusting.get(RUNS).statusCode()).isEqualTo(401);
    assertThat(trusting.get("/api/v1/experiments").statusCode()).isEqualTo(401);
    assertThat(
            trusting
                .send(trusting.api("/api/v1/query").POST(BodyPublishers.ofString("{}")))
                .statusCode())
        .isEqualTo(401);
  }

  @Test
  void insecureServerIsOpenButNeitherRunsSqlNorDeletes() throws Exception {
    assertThat(insecure.door.token()).isNull();
    assertThat(insecure.get(RUNS).statusCode()).isEqualTo(200);
    HttpResponse<String> sql =
        insecure.send(
            insecure.api("/api/v1/query").POST(BodyPublishers.ofString("{\"sql\":\"select 1\"}")));
    assertThat(sql.statusCode()).isEqualTo(403);
    assertThat(sql.body()).contains("expected: a server bound to loopback, or one with a token");
    assertThat(insecure.send(insecure.api(RUNS + "/r1").DELETE()).statusCode()).isEqualTo(403);
    assertThat(insecure.admin.deleted).isEmpty();
  }

  @Test
  void strangersNameInHostIsRefused() throws Exception {
    int port = free.door.url().getPort();

    assertThat(RawHttp.get(port, RUNS, "Host: evil.example").status()).isEqualTo(421);
    assertThat(RawHttp.get(port, "/", "Host: evil.example:" + port).status()).isEqualTo(421);
    assertThat(RawHttp.get(port, RUNS, "Host: 10.1.2.3:" + port).status()).isEqualTo(421);
    assertThat(
            RawHttp.send(
                    free.door.otlpHttp().getPort(), "POST /v1/traces", "", "Host: evil.example")
                .status())
        .isEqualTo(421);
    for (String ours :
        List.of("localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.2:80", "[::1]:5")) {
      assertThat(RawHttp.get(port, RUNS, "Host: " + ours).status()).as(ours).isEqualTo(200);
    }
  }

  @Test
  void serverBoundToAllAddressesGoesByAnyAddressAndByTheMachinesName() throws Exception {
    int port = insecure.door.url().getPort();
    String name = java.net.InetAddress.getLocalHost().getHostName();

    assertThat(RawHttp.get(port, RUNS, "Host: 10.1.2.3:" + port).status()).isEqualTo(200);
    assertThat(RawHttp.get(port, RUNS, "Host: [fd00::1]").status()).isEqualTo(200);
    assertThat(RawHttp.get(port, RUNS, "Host: " + name).status()).isEqualTo(200);
    assertThat(RawHttp.get(port, RUNS, "Host: evil.example").status()).isEqualTo(421);
    assertThat(RawHttp.get(port, RUNS, "Host: 10.1.2.3.evil.example").status()).isEqualTo(421);
  }

  @Test
  void trustedNetworkIsNoWayInForStrangersPages() throws Exception {
    int port = trusting.door.otlpHttp().getPort();

    assertThat(RawHttp.send(port, "POST /v1/traces", "", "Host: evil.example").status())
        .isEqualTo(421);
  }

  @Test
  void whoShowsTheTokenMayCallTheServerAsHisProxyDoes() throws Exception {
    int port = locked.door.url().getPort();

    assertThat(
            RawHttp.get(port, RUNS, "Host: rollscope.example", "Authorization: Bearer " + TOKEN)
                .status())
        .isEqualTo(200);
    assertThat(RawHttp.get(port, RUNS, "Host: rollscope.example").status()).isEqualTo(401);
  }

  @Test
  void pagesOfOtherOriginsAreRefusedWhateverTheyShow() throws Exception {
    for (String origin : List.of("http://evil.example", "null", "https://127.0.0.1", "file://")) {
      assertThat(free.send(free.api(RUNS).header("Origin", origin)).statusCode())
          .as(origin)
          .isEqualTo(403);
      assertThat(otlp(free, "Origin", origin)).as(origin).isEqualTo(403);
    }
    HttpResponse<String> withToken =
        locked.send(
            locked
                .api(RUNS)
                .header("Origin", "http://evil.example")
                .header("Authorization", "Bearer " + TOKEN));
    assertThat(withToken.statusCode()).isEqualTo(403);
  }

  @Test
  void ownPageIsOfOurOrigin() throws Exception {
    String own = free.door.url().toString();
    assertThat(free.send(free.api(RUNS).header("Origin", own)).statusCode()).isEqualTo(200);
  }

  @Test
  void noOtherOriginIsEverAllowedToRead() throws Exception {
    HttpResponse<String> preflight =
        free.send(
            free.api(RUNS)
                .method("OPTIONS", BodyPublishers.noBody())
                .header("Origin", "http://evil.example")
                .header("Access-Control-Request-Method", "POST"));

    assertThat(preflight.statusCode()).isEqualTo(403);
    assertThat(preflight.headers().map()).doesNotContainKey("access-control-allow-origin");
  }

  @Test
  void browsersAreToldToBeStrict() throws Exception {
    var headers = free.get("/").headers();

    assertThat(headers.firstValue("content-security-policy").orElse(""))
        .startsWith("default-src 'none'")
        .contains("frame-ancestors 'none'");
    assertThat(headers.firstValue("x-content-type-options")).contains("nosniff");
    assertThat(headers.firstValue("referrer-policy")).contains("no-referrer");
    assertThat(headers.firstValue("server")).isEmpty();
  }

  @Test
  void optionsThatMakeNoSenseAreNamed() {
    assertThatThrownBy(() -> open("bad", "127.0.0.1", null, List.of("10.0.0.0/99"), false))
        .isInstanceOf(StartException.class)
        .hasMessage("trust: 10.0.0.0/99 (expected: a prefix length from 0 to 32)");
    assertThatThrownBy(() -> open("bad", "no.such.host.invalid", null, List.of(), false))
        .isInstanceOf(StartException.class)
        .hasMessage("host: no.such.host.invalid (expected: an address or name of this machine)");
  }
}
