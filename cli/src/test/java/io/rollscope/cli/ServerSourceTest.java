package io.rollscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server as a source. What it answers is what the same command printed as JSON for a folder, so
 * that tables and CSV can be compared with the folder's.
 */
class ServerSourceTest {
  private static final String RUNS =
      "{\"runs\":[{\"run\":\"old\",\"state\":\"finished\",\"last_s\":5.0},"
          + "{\"run\":\"team/run 1\",\"state\":\"live\",\"last_s\":3.0,\"open_spans\":7}]}";
  private static final String RUN = "/api/v1/runs/team%2Frun%201";

  @TempDir Path folder;
  private FakeServer server;
  private Path run;

  @BeforeEach
  void startServer() throws IOException {
    run = Traces.xtuner(folder, "run1");
    server = new FakeServer().on("/api/v1/runs", RUNS);
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  static Stream<String> commands() {
    return Stream.of(
        "live SRC --once", "diagnose SRC", "hotspots SRC", "sessions SRC", "session SRC gsm8k:2");
  }

  private CommandRun run(String command, Object source, Object... more) {
    Stream<Object> words =
        Stream.of(command.split(" ")).map(w -> w.equals("SRC") ? source.toString() : w);
    return CommandRun.of(Stream.concat(words, Stream.of(more)).toArray());
  }

  private static String answerPath(String command) {
    String what = command.substring(0, command.indexOf(' '));
    return RUN
        + "/"
        + switch (what) {
          case "session" -> "sessions/gsm8k%3A2";
          case "diagnose" -> "findings";
          default -> what;
        };
  }

  /** The same question about the same data has the same answer, wherever the data is. */
  @ParameterizedTest
  @MethodSource("commands")
  void printsWhatAFolderPrints(String command) {
    CommandRun json = run(command, run, "--format", "json");
    server.on(answerPath(command), json.out());

    CommandRun same = run(command, server.url(), "--format", "json");
    assertThat(same.code()).as(same.err()).isZero();
    assertThat(same.out()).isEqualTo(json.out());
    assertThat(run(command, server.url(), "--format", "csv").out().replaceAll("\\d{2,}\\.\\d+", ""))
        .isEqualTo(run(command, run, "--format", "csv").out().replaceAll("\\d{2,}\\.\\d+", ""));
    assertThat(run(command, server.url()).outLines().size())
        .isEqualTo(run(command, run).outLines().size());
  }

  /**
   * A folder has lines, a server spans: two numbers of one name were taken for a loss of events.
   */
  @Test
  void aFolderCountsEventsAndAServerSpans() {
    CommandRun json = run("live SRC --once", run, "--format", "json");
    assertThat(run("live SRC --once", run).outLines().get(0)).endsWith(" events");
    server.on(
        RUN + "/live",
        json.out()
            .replaceFirst("\"source\" : \"[^\"]*\"", "\"source\" : \"" + server.url() + "\""));

    assertThat(run("live SRC --once", server.url()).outLines().get(0)).endsWith(" spans");
  }

  /** Several trainings report to one server: the one that is alive is meant. */
  @Test
  void ofSeveralRunsTheNewestLiveOneIsMeantAndTheOthersAreNamed() {
    server.on(RUN + "/hotspots", run("hotspots SRC", run, "--format", "json").out());

    CommandRun done = run("hotspots SRC", server.url());

    assertThat(done.code()).isZero();
    assertThat(done.err()).isEqualTo("note: other runs here: old (choose with --run)\n");
    assertThat(server.requests())
        .containsExactly("GET /api/v1/runs?limit=1000", "GET " + RUN + "/hotspots?scope=active");
  }

  @Test
  void aNamedRunAndBatchAreAskedFor() {
    server.on("/api/v1/runs/old/hotspots", run("hotspots SRC", run, "--format", "json").out());

    CommandRun done = run("hotspots SRC", server.url(), "--run", "old", "--batch", "train_step=1");

    assertThat(done.code()).as(done.err()).isZero();
    assertThat(server.requests().get(1))
        .isEqualTo("GET /api/v1/runs/old/hotspots?batch=train_step%3D1");
  }

  /** A step is named by its number; the server knows which batch that is. */
  @Test
  void aStepIsAskedForByItsBatch() {
    server
        .on(RUN + "/batches", "{\"batches\":[{\"batch\":\"b-7\",\"train_step\":7}]}")
        .on(RUN + "/findings", run("diagnose SRC", run, "--format", "json").out());

    CommandRun done = run("diagnose SRC", server.url(), "--step", "7", "--now", "1781000100.5");

    assertThat(done.code()).as(done.err()).isZero();
    assertThat(server.requests())
        .endsWith("GET " + RUN + "/findings?batch=b-7&now=1781000100.500000000");
    assertThat(run("diagnose SRC", server.url(), "--step", "8").err())
        .isEqualTo("rollscope: step: 8 (expected: one of 7)\n");
  }

  @Test
  void anUnknownBatchIsRefusedWithThoseThereAre() {
    server
        .on(RUN + "/hotspots", "{\"run\":\"team/run 1\",\"session_count\":0}")
        .on(RUN + "/batches", "{\"batches\":[{\"batch\":\"train_step=1\"}]}");

    assertThat(run("hotspots SRC", server.url(), "--batch", "7").err())
        .isEqualTo("rollscope: --batch: 7 (expected: one of train_step=1)\n");
  }

  @Test
  void anUnknownRunIsRefusedWithThoseThereAre() {
    assertThat(run("hotspots SRC", server.url(), "--run", "older").err())
        .isEqualTo("rollscope: --run: older (expected: one of team/run 1, old)\n");
  }

  @Test
  void aServerWithoutRunsSaysSo() {
    server.on("/api/v1/runs", "{\"runs\":[]}");

    CommandRun done = run("live SRC --once", server.url());

    assertThat(done.code()).isEqualTo(1);
    assertThat(done.err()).startsWith("rollscope: run: none on " + server.url() + " (expected: ");
  }

  /** The way people type it. */
  @Test
  void hostAndPortSuffice() {
    server.on(RUN + "/hotspots", run("hotspots SRC", run, "--format", "json").out());

    assertThat(run("hotspots SRC", "127.0.0.1:" + server.port()).code()).isZero();
    assertThat(run("hotspots SRC", server.url() + "/").code()).isZero();
  }

  @Test
  void theTokenIsSent() {
    server.on(RUN + "/hotspots", run("hotspots SRC", run, "--format", "json").out());

    run("hotspots SRC", server.url(), "--token", "secret");

    assertThat(server.requests()).allMatch(r -> r.endsWith(" Bearer secret"));
  }

  @Test
  void aMissingAndAWrongTokenAreToldApart() {
    server.on("/api/v1/runs", 401, "{\"error\":{\"code\":\"token\",\"message\":\"no\"}}");

    assertThat(run("hotspots SRC", server.url()).err())
        .startsWith("rollscope: server: " + server.url() + " wants a token (expected: ");
    assertThat(run("hotspots SRC", server.url(), "--token", "x").err())
        .startsWith("rollscope: server: " + server.url() + " refuses the token (expected: ");
  }

  /** Nothing listens there, which is how most people first meet the command. */
  @ParameterizedTest
  @MethodSource("commands")
  void aServerThatIsNotThereEndsWithOneAndSaysHowToStartOne(String command) {
    server.close();

    CommandRun done = run(command, server.url());

    assertThat(done.code()).isEqualTo(1);
    assertThat(done.out()).isEmpty();
    assertThat(done.err())
        .isEqualTo(
            "rollscope: server: "
                + server.url()
                + " does not answer (expected: a running server; rollscope server start starts"
                + " one)\n");
  }

  @Test
  void anErrorOfTheApiIsOneLine() {
    server.on(
        RUN + "/hotspots",
        400,
        "{\"error\":{\"code\":\"bad_batch\",\"message\":\"batch: x (expected: one of 1, 2)\"}}");

    CommandRun done = run("hotspots SRC", server.url(), "--batch", "x");

    assertThat(done.code()).isEqualTo(1);
    assertThat(done.err()).isEqualTo("rollscope: batch: x (expected: one of 1, 2)\n");
  }

  /** Another program listens on that port. */
  @Test
  void aServerThatIsNoneOfOursIsToldApart() throws IOException {
    try (FakeServer other = new FakeServer()) {
      assertThat(run("hotspots SRC", other.url()).err())
          .isEqualTo(
              "rollscope: server: "
                  + other.url()
                  + " answers with status 404 (expected: the API of a Rollscope server)\n");
      other.on("/api/v1/runs", "<html>");
      assertThat(run("hotspots SRC", other.url()).err())
          .startsWith("rollscope: server: " + other.url() + " answers with no JSON (expected: ");
    }
  }

  @Test
  void queryPrintsTableJsonAndCsv() {
    server.on(
        "/api/v1/query",
        "{\"columns\":[{\"name\":\"stage\",\"type\":\"VARCHAR\"},{\"name\":\"n\",\"type\":\"BIGINT\"}],"
            + "\"rows\":[[\"judge, fast\",9223372036854775807],[null,2.5]],\"truncated\":true}");

    CommandRun table = CommandRun.of("query", "select \"a\"", "--url", server.url());

    assertThat(table.outLines())
        .containsExactly(
            "stage                          n",
            "judge, fast  9223372036854775807",
            "-                            2.5");
    assertThat(table.err()).isEqualTo("note: there are more rows than 2; these are the first\n");
    assertThat(CommandRun.of("query", "select 1", "--url", server.url(), "--format", "csv").out())
        .isEqualTo("stage,n\n\"judge, fast\",9223372036854775807\n,2.5\n");
    assertThat(CommandRun.of("query", "select 1", "--url", server.url(), "--format", "json").out())
        .contains("9223372036854775807", "\"truncated\" : true");
    assertThat(server.requests().get(0))
        .contains("POST /api/v1/query")
        .contains("select \\\"a\\\"");
  }

  /** A large run has more sessions than the API gives at once; JSON is for machines and has all. */
  @Test
  void liveAsJsonHasAllPages() {
    String page = run("live SRC --once --scope all", run, "--format", "json").out().strip();
    String first = page.substring(0, page.length() - 1) + ", \"next_cursor\": \"c1\"}";
    server.on(RUN + "/live", first);
    server.onQuery("cursor=c1", page.replace("gsm8k:", "math:"));

    CommandRun all = run("live SRC --once --scope all", server.url(), "--format", "csv");

    assertThat(all.outLines()).hasSize(9);
    assertThat(all.out()).contains("gsm8k:3", "math:3");
    assertThat(run("live SRC --once --scope all", server.url()).out()).contains("math:3");
  }
}
