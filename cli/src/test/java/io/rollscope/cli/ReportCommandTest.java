package io.rollscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as one file. What a browser does with it is tested in tests/page. */
class ReportCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PLACE = "id=\"rollscope-report\">";

  @TempDir Path folder;

  private static String html(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  private static JsonNode data(Path file) throws IOException {
    String html = html(file);
    int from = html.indexOf(PLACE) + PLACE.length();
    byte[] zipped = Base64.getDecoder().decode(html.substring(from, html.indexOf('<', from)));
    return JSON.readTree(new GZIPInputStream(new ByteArrayInputStream(zipped)));
  }

  private static CommandRun done(Object... arguments) {
    CommandRun done = CommandRun.of(arguments);
    assertThat(done.code()).as(done.err()).isZero();
    return done;
  }

  private static JsonNode json(Object... arguments) throws IOException {
    return JSON.readTree(done(arguments).out());
  }

  @Test
  void ofAnXTunerFolderItLiesInItAndShowsTheLatestBatch() throws IOException {
    Path run = Traces.xtuner(folder, "run1");
    CommandRun done = done("report", run);
    Path file = run.resolve("producer_trace_hotspots.html");
    assertThat(done.err()).contains("4 sessions and 4 spans in ").contains(file.toString());
    assertThat(done.out()).isEmpty();
    assertThat(data(file).path("scope").asText()).isEqualTo("latest");
    assertThat(run.toFile().list()).as("no temporary files").hasSize(2);
  }

  @Test
  void carriesTheReportsThatOtherCommandsPrint() throws IOException {
    Path run = Traces.xtuner(folder, "run1");
    Path file = folder.resolve("r.html");
    done("report", run, "--scope", "all", "-o", file, "--now", "1781000100");
    JsonNode data = data(file);
    assertThat(data.path("hotspots"))
        .isEqualTo(json("hotspots", run, "--scope", "all", "--format", "json"));
    assertThat(data.path("sessions_summary"))
        .isEqualTo(json("sessions", run, "--scope", "all", "--format", "json"));
    assertThat(data.path("live"))
        .isEqualTo(json("live", run, "--scope", "all", "--now", "1781000100", "--format", "json"));
    assertThat(data.path("findings"))
        .isEqualTo(
            json("diagnose", run, "--scope", "all", "--now", "1781000100", "--format", "json"));
    assertThat(data.at("/details/gsm8k:2/reason")).asString().contains("bad answer");
    assertThat(data.path("sampled").isNull()).isTrue();
    assertThat(data.path("timeline").path("name")).hasSize(4);
    assertThat(data.path("now_s").asDouble()).isEqualTo(1781000100);
  }

  /** Without --now the board is as of the last event, not of today. */
  @Test
  void theBoardIsThatOfTheLastEvent() throws IOException {
    Path run = Traces.xtuner(folder, "run1");
    Path file = folder.resolve("r.html");
    done("report", run, "-o", file);
    assertThat(data(file).at("/live/rows/0/open_age_s").asDouble()).isEqualTo(5);
  }

  @Test
  void ofOtherFoldersItIsAboutAllAndTellsStepsAsAsked() throws IOException {
    Path file = folder.resolve("r.html");
    done("report", Traces.areal(folder, "trial"), "-B", "2", "-o", file);
    JsonNode data = data(file);
    assertThat(data.path("scope").asText()).isEqualTo("all");
    assertThat(data.at("/sessions_summary/step_rule").asText()).isEqualTo("areal-batch-size");
    assertThat(data.at("/run_info/system").asText()).isEqualTo("areal");
  }

  /** Nothing that a sampled program wrote into a trace may end or begin an element. */
  @Test
  void textOfTracesStaysText() throws IOException {
    String evil = "</script><script>alert(1)</script><!-- '\\\"\\u2028 ]]>";
    List<String> lines = new ArrayList<>();
    lines.add(Traces.event(evil, "xtuner.judger.judge.start", 1, "generating", null));
    lines.add(Traces.event(evil, "xtuner.judger.judge.error", 2, "failed", evil));
    Path run =
        Traces.write(
            folder, "<img src=x onerror=alert(2)> & \"x\"", "producer_trace_1.jsonl", lines);
    done("report", run);
    Path file = run.resolve("producer_trace_hotspots.html");
    String html = html(file);
    assertThat(html).doesNotContain("alert(1)").doesNotContain("<img").doesNotContain("<!--");
    assertThat(html)
        .contains(
            "<title>&lt;img src=x onerror=alert(2)&gt; &amp; &quot;x&quot; – Rollscope report</title>");
    assertThat(html.split("<script", -1)).hasSize(3);
    JsonNode data = data(file);
    String told = data.at("/sessions/session/0").asText();
    assertThat(told).startsWith("</script><script>alert(1)</script><!-- '\"\u2028");
    assertThat(data.at("/timeline/errors/0").asText()).isEqualTo(told);
  }

  @Test
  void whatIsWrongIsSaidInOneLineAndLeavesNothing() throws IOException {
    Path run = Traces.xtuner(folder, "run1");
    Path target = folder.resolve("r.html");
    Object[][] wrong = {
      {2, "-B: 0 (expected: ", "report", run, "-o", target, "-B", "0"},
      {2, "--scope: some (expected: ", "report", run, "-o", target, "--scope", "some"},
      {2, "--now: NaN (expected: ", "report", run, "-o", target, "--now", "NaN"},
      {2, "--batch: 7 (expected: either", "report", run, "--batch", "7", "--scope", "all"},
      {1, "--batch: 7 (expected: one of train_step=1)", "report", run, "--batch", "7"},
      {1, "source: nowhere (expected: ", "report", "nowhere"},
      {2, "-o: " + folder + " (expected: a file", "report", run, "-o", folder},
      {
        1,
        "(expected: not one of the inputs)",
        "report",
        run,
        "-o",
        run.resolve("producer_trace_1_0001_000000.jsonl")
      },
    };
    for (Object[] line : wrong) {
      CommandRun failed = CommandRun.of(List.of(line).subList(2, line.length).toArray());
      assertThat(failed.code()).as(failed.err()).isEqualTo(line[0]);
      assertThat(failed.errLines()).hasSize(1);
      assertThat(failed.err()).startsWith("rollscope: ").contains((String) line[1]);
    }
    assertThat(target).doesNotExist();
    assertThat(run.toFile().list()).hasSize(1);
  }
}
