package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.rollscope.otlp.TraceRequestBuilder;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs and sessions with names that nobody thought of: what is taken can be shown and deleted. */
class OddIdsTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final List<String> REFUSED =
      List.of(
          "..",
          "a/..",
          "../b",
          "a/../b",
          "a\\..\\b",
          "..;",
          "a\nb",
          "a\0b",
          "a\u007fb",
          "a\tb",
          "\r");
  private static final List<String> TAKEN =
      List.of(
          ".",
          "...",
          "..a",
          "a..",
          "a/..b/c",
          "a/./b",
          "/",
          "a//b",
          "/a",
          "a/",
          "%2e%2e",
          "%",
          "%00",
          "a?b",
          "a#b",
          "a;b=c",
          "a&b",
          "a+b",
          "a b",
          " ",
          "*",
          ":",
          "{run}",
          "~",
          "\\",
          "é",
          "日本",
          "\ud83d\ude00",
          "\u200b",
          "a:../b",
          "live",
          "sessions");

  @TempDir private static Path data;
  private static RealServer server;

  @BeforeAll
  static void start() throws StartException {
    server = RealServer.start(data);
  }

  @AfterAll
  static void close() throws Exception {
    server.close();
  }

  private static byte[] span(long trace, String run, String session) {
    long now = System.currentTimeMillis() * 1_000_000;
    return new TraceRequestBuilder()
        .resource()
        .attribute("service.name", "trainer")
        .attribute("rl.run.id", run)
        .attribute("rl.session.id", session)
        .span(trace, trace, 1, 0, "generate", now - 2_000_000_000L, now)
        .build();
  }

  private static ExportTracePartialSuccess send(byte[] request) throws Exception {
    HttpResponse<byte[]> answer =
        CLIENT.send(
            HttpRequest.newBuilder(URI.create(server.collector.otlpHttp() + "/v1/traces"))
                .header("Content-Type", "application/x-protobuf")
                .POST(BodyPublishers.ofByteArray(request))
                .build(),
            BodyHandlers.ofByteArray());
    assertThat(answer.statusCode()).isEqualTo(200);
    return parsed(answer.body());
  }

  private static ExportTracePartialSuccess parsed(byte[] body)
      throws InvalidProtocolBufferException {
    return ExportTraceServiceResponse.parseFrom(body).getPartialSuccess();
  }

  private static HttpResponse<String> call(String method, String path) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(server.collector.url() + "/api/v1/runs/" + path))
            .method(method, BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
  }

  @Test
  void idThatCannotBeAskedForIsRefusedAndCounted() throws Exception {
    long trace = 1;
    for (String id : REFUSED) {
      for (byte[] request : List.of(span(trace++, id, "s"), span(trace++, "r", id))) {
        ExportTracePartialSuccess answer = send(request);
        assertThat(answer.getRejectedSpans()).as(id).isEqualTo(1);
        assertThat(answer.getErrorMessage()).contains("run or session: cannot be asked for");
      }
    }
  }

  /** A run that is not named is called as its sender. */
  @Test
  void senderThatCannotBeAskedForIsRefusedWhenItNamesNoRun() throws Exception {
    long now = System.currentTimeMillis() * 1_000_000;
    byte[] request =
        new TraceRequestBuilder()
            .resource()
            .attribute("service.name", "..")
            .span(9, 9, 1, 0, "generate", now - 2_000_000_000L, now)
            .build();

    assertThat(send(request).getRejectedSpans()).isEqualTo(1);
  }

  @Test
  void everyOtherIdCanBeShownAndDeleted() throws Exception {
    long trace = 1_000;
    List<String> wrong = new ArrayList<>();
    for (String id : TAKEN) {
      assertThat(send(span(trace++, id, id)).getRejectedSpans()).as(id).isZero();
    }
    String last = encoded(TAKEN.get(TAKEN.size() - 1));
    Waiting.until(() -> call("GET", last).statusCode() == 200);
    for (String id : TAKEN) {
      String run = encoded(id);
      int shown = call("GET", run).statusCode();
      int session = call("GET", run + "/sessions/" + run).statusCode();
      if (shown != 200 || session != 200) {
        wrong.add("'" + id + "': " + shown + " " + session);
      }
    }
    assertThat(wrong).isEmpty();
    for (String id : List.of(".", "a/./b", "%2e%2e", "\\")) {
      assertThat(call("DELETE", encoded(id)).statusCode()).as(id).isEqualTo(200);
      assertThat(call("GET", encoded(id)).statusCode()).as(id).isEqualTo(404);
    }
  }
}
