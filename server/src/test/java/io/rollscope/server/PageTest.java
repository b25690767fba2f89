package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the page is served; what it does is tested in a browser (tests/page). */
class PageTest {
  private static final String SCRIPT = "/page/assets/app-12345678.js";

  @TempDir private static Path data;
  private static TestDoor door;

  @BeforeAll
  static void open() throws StartException {
    door = TestDoor.open(data);
  }

  @AfterAll
  static void close() {
    door.close();
  }

  /** After an update the browser must not go on with the old page. */
  @Test
  void startPageIsAskedForAgainEachTime() throws Exception {
    HttpResponse<String> page = door.get("/");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(header(page, "content-type")).startsWith("text/html");
    assertThat(header(page, "cache-control")).isEqualTo("no-cache");
  }

  @Test
  void namesWithAHashAreKeptForEver() throws Exception {
    HttpResponse<String> script = door.get(SCRIPT);

    assertThat(header(script, "content-type")).startsWith("application/javascript");
    assertThat(header(script, "cache-control")).contains("immutable").contains("max-age=31536000");
  }

  @Test
  void scriptsAreCompressed() throws Exception {
    HttpResponse<String> script = door.send(door.api(SCRIPT).header("Accept-Encoding", "gzip"));

    assertThat(header(script, "content-encoding")).isEqualTo("gzip");
  }

  @Test
  void iconIsAPicture() throws Exception {
    assertThat(header(door.get("/page/icon.svg"), "content-type")).startsWith("image/svg+xml");
  }

  /** Text of a trace that got into the page as markup still could not run or send anything. */
  @Test
  void policyAllowsOwnFilesOnly() throws Exception {
    assertThat(header(door.get("/"), "content-security-policy"))
        .contains("default-src 'none'")
        .contains("script-src 'self';")
        .contains("style-src 'self';")
        .contains("connect-src 'self';")
        .doesNotContain("unsafe");
  }

  @Test
  void unknownFilesAreNotFound() throws IOException, InterruptedException {
    assertThat(door.get("/page/assets/none.js").statusCode()).isEqualTo(404);
    assertThat(door.get("/page/../api/Api.class").statusCode()).isEqualTo(400);
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }
}
