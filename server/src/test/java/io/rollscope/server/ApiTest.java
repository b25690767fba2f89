package io.rollscope.server;

import static java.net.http.HttpRequest.BodyPublishers.ofByteArray;
import static java.net.http.HttpRequest.BodyPublishers.ofString;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The API as a client sees it, with the real store behind it. */
class ApiTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** A slash, a space and letters of elsewhere, as people name their runs. */
  private static final String RUN = "gsm8k/trial ü";

  private static final String PATH =
      "/api/v1/runs/" + URLEncoder.encode(RUN, StandardCharsets.UTF_8).replace("+", "%20");

  @TempDir private static Path data;
  private static Collector collector;

  @BeforeAll
  static void start() throws Exception {
    collector = Collector.start(TestDoor.options(data, "127.0.0.1", null, List.of(), false));
    List<Span.Builder> spans = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      spans.add(
          TestSpans.span(i)
              .setName("generate")
              .addAttributes(TestSpans.text("rl.run.id", RUN))
              .addAttributes(TestSpans.text("rl.session.id", "s-" + i))
              .addAttributes(TestSpans.text("rl.batch.id", "b-" + (i % 2))));
    }
    spans.get(4).setEndTimeUnixNano(0);
    assertThat(
            send(HttpRequest.newBuilder(collector.otlpHttp().resolve("/v1/traces"))
                    .header("Content-Type", "application/x-protobuf")
                    .POST(ofByteArray(TestSpans.request(spans.toArray(Span.Builder[]::new)))))
                .statusCode())
        .isEqualTo(200);
    Waiting.until(() -> json("/api/v1/runs").path("runs").path(0).path("sessions").asInt() == 5);
  }

  @AfterAll
  static void stop() throws IOException {
    collector.close();
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(collector.url() + path));
  }

  private static HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
    return send(request(path));
  }

  private static JsonNode json(String path) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = get(path);
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    assertThat(answer.statusCode()).as(path + ": " + text).isEqualTo(200);
    return JSON.readTree(text);
  }

  private static List<String> keys(JsonNode object) {
    List<String> keys = new ArrayList<>();
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      keys.add(names.next());
    }
    return keys;
  }

  @Test
  void runsAreListed() throws Exception {
    JsonNode run = json("/api/v1/runs").path("runs").path(0);

    assertThat(run.path("run").asText()).isEqualTo(RUN);
    assertThat(keys(run))
        .containsExactly(
            "run",
            "project",
            "system",
            "state",
            "first_s",
            "last_s",
            "batches",
            "sessions",
            "spans",
            "open_spans");
    assertThat(json(PATH)).isEqualTo(run);
  }

  @Test
  void liveReportHasTheKeysOfTheCommandLine() throws Exception {
    JsonNode live = json(PATH + "/live?scope=all");

    assertThat(keys(live))
        .containsExactly(
            "generated_at_s",
            "past",
            "source",
            "run",
            "scope",
            "event_count",
            "raw_event_count",
            "session_summary",
            "task_summary",
            "open_span_summaries",
            "rows",
            "workers",
            "processes",
            "batch",
            "finished_last_minute",
            "overdue",
            "dropped",
            "dropped_by",
            "other_runs",
            "skipped_lines",
            "next_cursor");
    assertThat(live.path("source").asText()).isEqualTo(collector.url().toString());
    assertThat(live.path("session_summary").path("running").asInt()).isEqualTo(1);
    assertThat(keys(live.path("task_summary")))
        .containsExactly("total_tasks", "running_tasks", "completed_tasks", "current_stage_counts");
    assertThat(keys(live.path("open_span_summaries").path(0)))
        .containsExactly(
            "span",
            "stage",
            "open_count",
            "oldest_age_s",
            "p50_age_s",
            "p95_age_s",
            "usual_p95_s",
            "suspect",
            "oldest_trace_id",
            "oldest_session",
            "worker");
    assertThat(keys(live.path("rows").path(0)))
        .containsExactly(
            "trace_id",
            "session",
            "task_name",
            "status",
            "source_status",
            "stage",
            "latest_stage",
            "open_span",
            "open_age_s",
            "usual_p95_s",
            "suspect",
            "latest_timestamp_s",
            "event_count",
            "worker",
            "train_step",
            "task",
            "batch",
            "start_s",
            "waits_for");
    assertThat(live.path("rows").path(0).path("usual_p95_s").isNull()).isTrue();
  }

  @Test
  void pagesFollowEachOtherByCursor() throws Exception {
    List<String> sessions = new ArrayList<>();
    String cursor = "";
    int pages = 0;
    do {
      JsonNode page = json(PATH + "/live?scope=all&limit=2" + cursor);
      page.path("rows").forEach(row -> sessions.add(row.path("session").asText()));
      cursor =
          page.path("next_cursor").isNull() ? null : "&cursor=" + page.path("next_cursor").asText();
      pages++;
    } while (cursor != null);

    assertThat(pages).isEqualTo(3);
    assertThat(sessions).containsExactlyInAnyOrder("s-1", "s-2", "s-3", "s-4", "s-5");
  }

  @Test
  void cursorHoldsForItsOwnQuestionOnly() throws Exception {
    String cursor = json(PATH + "/live?scope=all&limit=2").path("next_cursor").asText();

    assertThat(get(PATH + "/live?scope=latest&limit=2&cursor=" + cursor).statusCode())
        .isEqualTo(400);
    assertThat(get(PATH + "/live?scope=all&cursor=nonsense").statusCode()).isEqualTo(400);
  }

  @Test
  void sessionsAreSummedUpAndListed() throws Exception {
    JsonNode sessions = json(PATH + "/sessions?scope=all&sort=session&limit=3");

    assertThat(sessions.path("records").asInt()).isEqualTo(5);
    assertThat(sessions.path("total").asInt()).isEqualTo(5);
    assertThat(sessions.path("rows")).hasSize(3);
    assertThat(sessions.path("rows").path(0).path("session").asText()).isEqualTo("s-1");
    JsonNode rest =
        json(
            PATH
                + "/sessions?scope=all&sort=session&limit=3&cursor="
                + URLEncoder.encode(sessions.path("next_cursor").asText(), StandardCharsets.UTF_8));
    assertThat(rest.path("rows")).hasSize(2);
    assertThat(rest.path("next_cursor").isNull()).isTrue();
  }

  @Test
  void sessionsByColumnAreInOrderOfStart() throws Exception {
    JsonNode all = json(PATH + "/sessions?scope=all&as=columns");
    assertThat(all.path("total").asInt()).isEqualTo(5);
    assertThat(all.path("left_out").asInt()).isZero();
    assertThat(all.path("session")).hasSize(5);
    for (int i = 0; i < 5; i++) {
      String session = all.path("session").path(i).asText();
      boolean runs = session.equals("s-5");
      String status = all.path("statuses").path(all.path("status").path(i).asInt()).asText();
      assertThat(status.equals("running")).as(session).isEqualTo(runs);
      assertThat(all.path("open_count").path(i).asInt()).isEqualTo(runs ? 1 : 0);
      int batch = all.path("batch").path(i).asInt();
      assertThat(all.path("batches").path(batch).asText())
          .isEqualTo("b-" + Integer.parseInt(session.substring(2)) % 2);
      assertThat(all.path("task").path(i).asInt()).isEqualTo(-1);
      assertThat(all.path("train_step").path(i).isNull()).isTrue();
    }
    List<Double> starts = new ArrayList<>();
    all.path("start_s").forEach(start -> starts.add(start.asDouble()));
    assertThat(starts).hasSize(5).isSorted();

    JsonNode some = json(PATH + "/sessions?scope=all&as=columns&budget=2");
    assertThat(some.path("session")).hasSize(2);
    assertThat(some.path("left_out").asInt()).isEqualTo(3);
  }

  @Test
  void sessionPagesComeWithoutSummaryForWhoWantsNone() throws Exception {
    JsonNode page = json(PATH + "/sessions?scope=all&summary=false&limit=2");

    assertThat(keys(page)).containsExactly("total", "rows", "next_cursor");
    assertThat(page.path("total").asInt()).isEqualTo(5);
    assertThat(page.path("rows")).hasSize(2);
    assertThat(page.path("next_cursor").isTextual()).isTrue();
  }

  @Test
  void reportsAnswer() throws Exception {
    JsonNode hotspots = json(PATH + "/hotspots?scope=all");
    assertThat(hotspots.path("stage_stats").path(0).path("stage").asText()).isEqualTo("generate");
    assertThat(hotspots.path("waits").path("queue_s").isNumber()).isTrue();
    assertThat(json(PATH + "/sessions/s-3").path("spans")).hasSize(1);
    assertThat(json(PATH + "/batches").path("batches")).hasSize(2);
    assertThat(json(PATH + "/errors?scope=all").path("errors")).isEmpty();
    assertThat(json(PATH + "/timeline?scope=all&by=session&budget=10").path("start_ns")).hasSize(5);
    JsonNode timeline = json(PATH + "/timeline?scope=all");
    assertThat(timeline.path("parent")).hasSize(5).allMatch(p -> p.asInt() == -1);
    assertThat(timeline.path("lane_info").path("batch")).hasSize(5);
    assertThat(timeline.path("lane_info").path("wall_s").path(0).isNumber()).isTrue();
    assertThat(json(PATH + "/occupancy?scope=all&buckets=7").path("alive")).hasSize(7);
    JsonNode trace = json("/api/v1/traces/" + TestSpans.TRACE).path("spans");
    assertThat(trace).hasSize(5).allMatch(span -> span.path("start_ns").isTextual());
    assertThat(trace.path(0).path("start_ns").asText()).matches("1\\d{18}");
    assertThat(trace.findValues("end_ns"))
        .haveExactly(1, new Condition<>(JsonNode::isNull, "open"));
    assertThat(trace.path(0).path("self_ns").isTextual()).isTrue();
    assertThat(json(PATH + "/hotspots?batch=b-1").path("session_count").asInt()).isEqualTo(3);
  }

  /** All of the run unless something is asked for: a step of before may be what went wrong. */
  @Test
  void findingsSayWhatIsWrongWithTheRun() throws Exception {
    JsonNode findings = json(PATH + "/findings");

    assertThat(keys(findings))
        .containsExactly(
            "source",
            "run",
            "scope",
            "as_of_s",
            "healthy",
            "sentence",
            "coverage",
            "findings",
            "not_judged",
            "other_runs",
            "skipped_lines");
    assertThat(findings.path("run").asText()).isEqualTo(RUN);
    assertThat(findings.path("scope").asText()).isEqualTo("all");
    assertThat(keys(findings.path("coverage")))
        .containsExactly("groups", "parents", "beats", "tokens", "engine_metrics", "steps");
    assertThat(json(PATH + "/findings?scope=active").path("scope").asText()).isEqualTo("active");
    assertThat(json(PATH + "/findings?batch=b-1&now=1794725800.5").path("as_of_s").asDouble())
        .isEqualTo(1794725800.5);
    assertThat(json(PATH + "/findings?batch=none").path("sentence").asText())
        .isEqualTo("Nothing can be judged: nothing is in scope.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/live?limit=5000 | limit: 5000 (expected: 1 to 1000)",
        "/live?limit=0 | limit: 0 (expected: 1 to 1000)",
        "/live?scope=some | scope: some (expected: active, latest or all)",
        "/live?sort=name | sort: name (expected: overdue)",
        "/live?limit=1&limit=2 | limit: 2 times (expected: once)",
        "/live?color=red | parameter: color (expected: scope, batch, now, status, stage, task, worker,"
            + " q, limit, cursor, sort)",
        "/hotspots?limit=5 | parameter: limit (expected: scope, batch, now, status, stage, task, worker,"
            + " q, detail)",
        "/hotspots?detail=all | detail: all (expected: nesting, workers, or both with a comma"
            + " between)",
        "/sessions?sort=name | sort: name (expected: start, end, wall, session or status, with -"
            + " for descending)",
        "/sessions?as=table | as: table (expected: rows or columns)",
        "/sessions?as=columns&budget=200001 | budget: 200001 (expected: 1 to 200000)",
        "/sessions?as=columns&budget=0 | budget: 0 (expected: 1 to 200000)",
        "/sessions?as=columns&limit=5 | limit: 5 (expected: none with as=columns)",
        "/sessions?budget=5 | budget: 5 (expected: none with as=rows)",
        "/sessions?summary=no | summary: no (expected: true or false)",
        "/timeline?from=yesterday | from: yesterday (expected: seconds since the epoch)",
        "/timeline?budget=200001 | budget: 200001 (expected: 1 to 200000)",
        "/timeline?by=color | lane: color (expected: session, worker, task or lane)",
        "/occupancy?buckets=9999 | buckets: 9999 (expected: 1 to 2000)",
        "/batches?scope=all | parameter: scope (expected: now, limit)",
        "/findings?limit=5 | parameter: limit (expected: scope, batch, now, step)",
        "/findings?scope=some | scope: some (expected: active, latest or all)",
        "/findings?now=later | now: later (expected: seconds since the epoch)",
        "/findings?step=one | step: one (expected: a whole number)",
        "/findings?step=1&scope=all | scope: all (expected: none with step)",
        "/findings?step=1&batch=b-1 | batch: b-1 (expected: none with step)",
        "/findings?step=1 | step: 1 (expected: a run that names its steps)"
      })
  void wrongParametersAreNamed(String question, String message) throws Exception {
    HttpResponse<byte[]> answer = get(PATH + question);

    assertThat(answer.statusCode()).isEqualTo(400);
    JsonNode error = JSON.readTree(answer.body()).path("error");
    assertThat(error.path("code").asText()).isEqualTo("bad_request");
    assertThat(error.path("message").asText()).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/runs/none",
    "/api/v1/runs/none/live",
    "/api/v1/runs/none/live/stream",
    "/api/v1/runs/none/hotspots",
    "/api/v1/runs/none/findings",
    "/api/v1/traces/00000000000000000000000000000001",
    "/api/v1/nothing",
    "/nothing"
  })
  void whatIsNotThereIsNotFound(String path) throws Exception {
    HttpResponse<byte[]> answer = get(path);

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(JSON.readTree(answer.body()).path("error").path("code").asText())
        .isEqualTo("not_found");
  }

  @Test
  void aSessionTellsWhatItsSpansSayAndWhatItWasDoing() throws Exception {
    JsonNode session = json(PATH + "/sessions/s-3");
    JsonNode span = session.path("spans").path(0);

    assertThat(span.path("span_id").asText()).matches("[0-9a-f]{16}");
    assertThat(span.path("kind").asText()).isEqualTo("phase");
    assertThat(span.path("critical").asBoolean()).isTrue();
    assertThat(span.path("attributes").isObject()).isTrue();
    assertThat(span.path("attributes_cut").asBoolean()).isFalse();
    assertThat(session.path("segments")).hasSize(1);
    JsonNode segment = session.path("segments").path(0);
    assertThat(segment.path(0)).isEqualTo(session.path("start_s"));
    assertThat(segment.path(1)).isEqualTo(session.path("end_s"));
    assertThat(segment.path(2).asText()).isEqualTo("generate");
  }

  @Test
  void aSessionIsDownloadedAsAChromeTrace() throws Exception {
    HttpResponse<byte[]> answer = get(PATH + "/sessions/s-3/chrome");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-disposition"))
        .contains("attachment; filename=\"s-3.trace.json\"");
    JsonNode events = JSON.readTree(answer.body()).path("traceEvents");
    assertThat(events.findValuesAsText("name"))
        .contains("generate")
        .doesNotContain("last heard of");
    assertThat(get(PATH + "/sessions/none/chrome").statusCode()).isEqualTo(404);
    assertThat(get(PATH + "/sessions/s-3/chrome?as=x").statusCode()).isEqualTo(400);
  }

  @Test
  void unknownSessionIsNotFound() throws Exception {
    assertThat(get(PATH + "/sessions/none").statusCode()).isEqualTo(404);
  }

  @Test
  void answersAreCompressedForWhoAsks() throws Exception {
    HttpResponse<byte[]> plain = get(PATH + "/sessions?scope=all");
    HttpResponse<byte[]> gzip =
        send(request(PATH + "/sessions?scope=all").header("Accept-Encoding", "br, gzip;q=0.5"));

    assertThat(gzip.headers().firstValue("content-encoding")).contains("gzip");
    assertThat(gzip.headers().firstValue("vary")).contains("Accept-Encoding");
    byte[] unpacked = new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes();
    assertThat(JSON.readTree(unpacked).path("records"))
        .isEqualTo(JSON.readTree(plain.body()).path("records"));
    assertThat(gzip.body().length).isLessThan(plain.body().length / 2);
  }

  @Test
  void whatDidNotChangeIsNotSentAgain() throws Exception {
    String tag = get(PATH).headers().firstValue("etag").orElseThrow();
    assertThat(tag).startsWith("W/\"");

    HttpResponse<byte[]> again = send(request(PATH).header("If-None-Match", tag));

    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(send(request(PATH).header("If-None-Match", "W/\"x\"")).statusCode()).isEqualTo(200);
  }

  @Test
  void headAnswersWithoutABody() throws Exception {
    HttpResponse<byte[]> head =
        send(request(PATH + "/live").method("HEAD", HttpRequest.BodyPublishers.noBody()));

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(Integer.parseInt(head.headers().firstValue("content-length").orElseThrow()))
        .isGreaterThan(100);
  }

  @Test
  void otherMethodsAreNotAllowed() throws Exception {
    HttpResponse<byte[]> answer = send(request(PATH + "/live").POST(ofString("")));

    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).contains("GET, HEAD");
  }

  @Test
  void questionThatIsTooLongIsRefused() throws Exception {
    HttpResponse<byte[]> answer =
        send(request("/api/v1/query").POST(ofString("x".repeat((1 << 20) + 1))));

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(JSON.readTree(answer.body()).path("error").path("code").asText())
        .isEqualTo("too_large");
  }

  @Test
  void sqlIsAnsweredWithColumnsAndRows() throws Exception {
    HttpResponse<byte[]> answer = sql("select session, status from sessions order by 1 limit 2");

    JsonNode result = JSON.readTree(answer.body());
    assertThat(result.path("columns").findValuesAsText("name"))
        .containsExactly("session", "status");
    assertThat(result.path("rows").path(0).path(0).asText()).isEqualTo("s-1");
    assertThat(result.path("truncated").asBoolean()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select * from read_csv('/etc/passwd')",
        "copy (select 1) to '/tmp/out.csv'",
        "attach '/tmp/x.db'",
        "install httpfs",
        "set enable_external_access = true",
        "selec 1",
        "select 1; select 2"
      })
  void sqlThatReachesOutIsRefused(String sql) throws Exception {
    HttpResponse<byte[]> answer = sql(sql);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(answer.body()).path("error").path("code").asText())
        .isEqualTo("sql_error");
  }

  private static HttpResponse<byte[]> sql(String sql) throws IOException, InterruptedException {
    return send(
        request("/api/v1/query")
            .POST(ofString(JSON.createObjectNode().put("sql", sql).toString())));
  }

  @Test
  void ownMetricsAreThere() throws Exception {
    String metrics = new String(get("/metrics").body(), StandardCharsets.UTF_8);

    assertThat(metrics)
        .contains("rollscope_requests_total{signal=\"traces\",status=\"200\",transport=\"http\"} ")
        .contains("rollscope_open_spans 1.0")
        .contains("rollscope_fsync_seconds_bucket{le=\"+Inf\"}")
        .contains("rollscope_recovery_cut_bytes 0.0")
        .contains("rollscope_journal_queue_frames 0.0");
  }

  @Test
  void deletedRunIsGone() throws Exception {
    byte[] other =
        TestSpans.request(
            TestSpans.span(77).addAttributes(TestSpans.text("rl.run.id", "short-lived")));
    send(
        HttpRequest.newBuilder(collector.otlpHttp().resolve("/v1/traces"))
            .header("Content-Type", "application/x-protobuf")
            .POST(ofByteArray(other)));
    Waiting.until(() -> get("/api/v1/runs/short-lived").statusCode() == 200);

    HttpResponse<byte[]> answer = send(request("/api/v1/runs/short-lived").DELETE());

    assertThat(JSON.readTree(answer.body()).path("deleted_spans").asInt()).isEqualTo(1);
    assertThat(get("/api/v1/runs/short-lived").statusCode()).isEqualTo(404);
    assertThat(get(PATH).statusCode()).isEqualTo(200);
  }
}
