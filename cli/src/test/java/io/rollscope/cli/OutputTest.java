package io.rollscope.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands print, in each format. Names of JSON keys are a promise to other programs. */
class OutputTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Path SPOOL =
      Path.of("../formats/src/test/resources/samples/rollscope/spool");

  @TempDir Path folder;

  private static JsonNode json(Object... arguments) throws IOException {
    CommandRun done = CommandRun.of(arguments);
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(done.out()).endsWith("}\n");
    return JSON.readTree(done.out());
  }

  private static List<String> keys(JsonNode node) {
    List<String> keys = new ArrayList<>();
    node.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  /** "source unknown 192" puzzled: it is a word of Rollscope for what nobody said. */
  @Test
  void whatNoSourceSaidIsNotListedAsItsWord() {
    assertThat(CommandRun.of("sessions", SPOOL, "--scope", "all").outLines())
        .contains("source   failed 1  rejected 1")
        .noneMatch(line -> line.contains("unknown"));
  }

  /**
   * Session and task spans are stored, too: "4,784 spans" of an import are not those of the stages.
   */
  @Test
  void hotspotsSayWhichSpansTheyCount() {
    assertThat(CommandRun.of("hotspots", SPOOL, "--scope", "all").outLines().get(0))
        .contains("  7 spans of stages  ");
  }

  /** The table printed the last 10 of 19 batches and did not say so. */
  @Test
  void sessionsSayHowManyBatchesTheyLeaveOut() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int step = 1; step <= 19; step++) {
      for (String what : List.of("start", "end")) {
        lines.add(
            Traces.event("t:" + step, "xtuner.judger.judge." + what, 10 * step, "completed", null)
                .replace("\"train_step\":1", "\"train_step\":" + step)
                .replace("\"train_step=1\"", "\"train_step=" + step + "\""));
      }
    }
    Path run = Traces.write(folder, "run1", "producer_trace_1_0001_000000.jsonl", lines);

    List<String> all = CommandRun.of("sessions", run, "--scope", "all").outLines();

    assertThat(all).contains("… 9 more before these");
    assertThat(all).filteredOn(line -> line.startsWith("train_step=")).hasSize(10);
    assertThat(all).anyMatch(line -> line.startsWith("train_step=19 "));
  }

  /** A judge that hung once for a minute was the last line: its p95 is small. */
  @Test
  void whatTookTheTimeIsTheFirstLineOfHotspots() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < 40; n++) {
      int judged = n == 0 ? 61 : 1;
      lines.add(event(n, "rollout_engine.generate.start", 0));
      lines.add(event(n, "rollout_engine.generate.end", 1));
      lines.add(event(n, "judger.judge.start", 1));
      lines.add(event(n, "judger.judge.end", judged));
    }
    Path run = Traces.write(folder, "run1", "producer_trace_1_0001_000000.jsonl", lines);

    List<String> table = CommandRun.of("hotspots", run).outLines();
    JsonNode stages = json("hotspots", run, "--format", "json").get("stage_stats");

    assertThat(table.get(3)).startsWith("judger ");
    assertThat(table.get(4)).startsWith("engine.generate ");
    assertThat(stages.at("/0/stage").asText()).isEqualTo("engine.generate");
  }

  private static String event(int n, String what, int second) {
    return Traces.event("t:" + n, "xtuner." + what, second, "completed", null);
  }

  /** “longest session 6.87 s” and a total of 1m 15s in one output: two lengths, each named. */
  @Test
  void theLongestSessionOfAnOldArealTrialSaysWhichOfItsLengthsItIs() {
    Path old = SPOOL.resolve("../../areal/old");
    assertThat(CommandRun.of("hotspots", old, "--scope", "all").outLines().get(0))
        .endsWith("  longest session 6.87 s from first to last span");
    List<String> sessions = CommandRun.of("sessions", old, "--scope", "all").outLines();
    assertThat(sessions)
        .anyMatch(l -> l.startsWith("total_s (to verdict) ") && l.endsWith("1m 15s"));
    assertThat(sessions).anyMatch(l -> l.startsWith("work_s (work) ") && l.endsWith("1m 14s"));
    assertThat(sessions).anyMatch(l -> l.startsWith("execution_s ") && l.endsWith("6.43 s"));
  }

  /** `live` had 32 hex digits and nothing to tell samples by. */
  @Test
  void liveNamesTheTasksOfItsSessions() {
    List<String> lines = CommandRun.of("live", SPOOL, "--once").outLines();
    assertThat(lines).anyMatch(line -> line.matches("session +task +status .*"));
    assertThat(lines).anyMatch(line -> line.matches("0abc0{27}3 +gsm8k +running .*"));
  }

  /** 16 phases were written when the trial ended: they had not been open for a year. */
  @Test
  void phasesOpenAtTheEndOfAnArealTrialAreAsOldAsTheyWereThen() throws IOException {
    JsonNode live =
        json("live", SPOOL.resolve("../../areal/current"), "--once", "--format", "json");
    assertThat(live.at("/session_summary/running").asInt()).isEqualTo(16);
    assertThat(live.at("/session_summary/total").asInt()).isEqualTo(816);
    assertThat(live.get("overdue").size()).isZero();
    assertThat(live.at("/open_span_summaries/0/oldest_age_s").asDouble())
        .isCloseTo(0.0042, within(0.0001));
  }

  // ---- JSON ------------------------------------------------------------------------------------

  @Test
  void keysOfLive() throws IOException {
    JsonNode live =
        json("live", Traces.xtuner(folder, "run1"), "--now", "1781000100", "--format", "json");

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
            "skipped_lines");
    assertThat(keys(live.get("session_summary")))
        .containsExactly(
            "total",
            "running",
            "queued",
            "completed",
            "accepted",
            "rejected",
            "failed",
            "dropped",
            "cancelled",
            "lost");
    assertThat(keys(live.get("task_summary")))
        .containsExactly("total_tasks", "running_tasks", "completed_tasks", "current_stage_counts");
    assertThat(keys(live.at("/open_span_summaries/0")))
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
    assertThat(keys(live.at("/rows/0")))
        .containsExactlyInAnyOrder(
            "trace_id",
            "session",
            "task_name",
            "status",
            "source_status",
            "stage",
            "latest_stage",
            "open_span",
            "open_age_s",
            "latest_timestamp_s",
            "event_count",
            "worker",
            "train_step",
            // beyond the contract
            "usual_p95_s",
            "suspect",
            "task",
            "batch",
            "start_s",
            "waits_for");
    assertThat(keys(live.get("skipped_lines"))).containsExactly("count", "examples");
  }

  @Test
  void valuesOfLive() throws IOException {
    JsonNode live =
        json("live", Traces.xtuner(folder, "run1"), "--now", "1781000100", "--format", "json");

    assertThat(live.get("generated_at_s").doubleValue()).isEqualTo(1781000100);
    assertThat(live.get("source").textValue()).isEqualTo(folder.resolve("run1").toString());
    assertThat(live.get("run").textValue()).isEqualTo("run1");
    assertThat(live.get("raw_event_count").intValue()).isEqualTo(7);
    assertThat(live.at("/session_summary/total").intValue()).isEqualTo(4);
    assertThat(live.at("/session_summary/running").intValue()).isEqualTo(1);
    assertThat(live.at("/session_summary/completed").intValue()).isEqualTo(2);
    assertThat(live.at("/session_summary/failed").intValue()).isEqualTo(1);
    assertThat(live.at("/task_summary/completed_tasks").intValue()).isEqualTo(3);
    assertThat(live.at("/task_summary/current_stage_counts/engine.generate").intValue())
        .isEqualTo(1);
    JsonNode open = live.at("/open_span_summaries/0");
    assertThat(open.get("span").textValue()).isEqualTo("xtuner.rollout_engine.generate");
    assertThat(open.get("oldest_age_s").doubleValue()).isEqualTo(98.75);
    assertThat(open.get("usual_p95_s").isNull()).isTrue();
    assertThat(live.at("/rows/0/session").textValue()).isEqualTo("gsm8k:3");
    assertThat(live.at("/rows/0/worker").textValue()).isEqualTo("rank 5");
  }

  @Test
  void keysOfHotspots() throws IOException {
    JsonNode hotspots = json("hotspots", Traces.xtuner(folder, "run1"), "--format", "json");

    assertThat(keys(hotspots))
        .containsExactlyInAnyOrder(
            "source",
            "run",
            "scope",
            "task_count",
            "session_count",
            "span_count",
            "timeline_start_s",
            "timeline_end_s",
            "max_task_duration_s",
            "stage_stats",
            "waits",
            "skipped_lines",
            // beyond the contract
            "clock_disagrees",
            "outside_worker",
            "other_runs",
            "errors",
            "buckets_s",
            "nesting",
            "workers",
            "workers_left_out");
    assertThat(keys(hotspots.at("/stage_stats/0")))
        .containsExactlyInAnyOrder(
            "stage",
            "count",
            "open_count",
            "error_count",
            "total_s",
            "self_s",
            "avg_s",
            "p50_s",
            "p95_s",
            "p99_s",
            "max_s",
            "distribution",
            "share",
            // beyond the contract
            "kind");
    assertThat(keys(hotspots.get("waits")))
        .containsExactly(
            "queue_s", "gap_s", "siblings_s", "barrier_s", "unaccounted_s", "outside_s");
  }

  @Test
  void keysOfFindings() throws IOException {
    JsonNode findings = json("diagnose", Traces.xtuner(folder, "run1"), "--format", "json");

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
    assertThat(findings.get("scope").textValue()).isEqualTo("all");
    assertThat(keys(findings.get("coverage")))
        .containsExactly("groups", "parents", "beats", "tokens", "engine_metrics", "steps");
  }

  @Test
  void aDiagnosisIsOfAStepAndAsOfATime() throws IOException {
    Path run = Traces.xtuner(folder, "run1");

    JsonNode findings =
        json("diagnose", run, "--step", "1", "--now", "1781000100.5", "--format", "json");

    assertThat(findings.get("scope").textValue()).isEqualTo("batch train_step=1");
    assertThat(findings.get("as_of_s").doubleValue()).isEqualTo(1781000100.5);
    assertThat(findings.at("/coverage/steps").intValue()).isEqualTo(1);
    assertThat(CommandRun.of("diagnose", run, "--step", "2"))
        .isEqualTo(new CommandRun(1, "", "rollscope: step: 2 (expected: one of 1)\n"));
    assertThat(CommandRun.of("diagnose", run, "--batch", "x"))
        .isEqualTo(
            new CommandRun(1, "", "rollscope: --batch: x (expected: one of train_step=1)\n"));
  }

  /** What AReaL counted in a row is of use when looking at one session. */
  @Test
  void aSessionShowsWhatItsLineSaysAndAddsUp() throws IOException {
    JsonNode sessions = json("live", Traces.areal(folder, "trial"), "--once", "--format", "json");
    String id = sessions.at("/rows/0/session").asText();

    JsonNode session = json("session", folder.resolve("trial"), id, "--format", "json");

    assertThat(session.at("/session").asText()).isEqualTo(id);
    assertThat(session.at("/attributes/submit_ts").isMissingNode()).isFalse();
    double parts = 0;
    for (JsonNode stage : session.get("stages")) {
      parts += stage.get("self_s").asDouble();
    }
    for (String wait : List.of("queue_s", "gap_s", "siblings_s", "barrier_s", "unaccounted_s")) {
      parts += session.get("waits").get(wait).asDouble();
    }
    assertThat(parts).isCloseTo(session.get("wall_s").asDouble(), within(1e-9));
  }

  @Test
  void keysOfSessions() throws IOException {
    JsonNode sessions =
        json("sessions", Traces.areal(folder, "trial"), "-B", "2", "--format", "json");

    assertThat(keys(sessions))
        .containsExactlyInAnyOrder(
            "records",
            "status_counts",
            "statuses",
            "reason_counts",
            "rank_counts",
            "role_counts",
            "metrics",
            "span_counts",
            "counters",
            "null_end_spans",
            "step_rule",
            "steps",
            "unassigned_sessions",
            "skipped_lines",
            // beyond the contract
            "source",
            "run",
            "scope",
            "step_note",
            "batches",
            "other_runs",
            "errors");
    assertThat(keys(sessions.at("/metrics/total_s")))
        .containsExactly("count", "mean", "min", "max", "p25", "p50", "p75", "p90", "p95", "p99");
    assertThat(keys(sessions.at("/steps/0")))
        .containsExactlyInAnyOrder(
            "step",
            "end_offset_s",
            "sessions",
            // beyond the contract
            "accepted");
    assertThat(sessions.get("step_rule").textValue()).isEqualTo("areal-batch-size");
    assertThat(sessions.at("/status_counts/accepted").intValue()).isEqualTo(3);
    assertThat(sessions.at("/reason_counts/returned_none").intValue()).isEqualTo(1);
    assertThat(sessions.at("/counters/turns").intValue()).isEqualTo(8);
  }

  @Test
  void theStepRuleIsNamed() throws IOException {
    Path trial = Traces.areal(folder, "trial");
    Path run = Traces.xtuner(folder, "run1");

    assertThat(json("sessions", trial, "--format", "json").get("step_rule").textValue())
        .isEqualTo("none");
    assertThat(json("sessions", run, "--format", "json").get("step_rule").textValue())
        .isEqualTo("training-steps");
  }

  @Test
  void skippedLinesAreInTheJson() throws IOException {
    Path run = Traces.xtuner(folder, "run1");
    Files.writeString(run.resolve("producer_trace_2.jsonl"), "bad\n");

    JsonNode skipped = json("hotspots", run, "--format", "json", "--quiet").get("skipped_lines");

    assertThat(skipped.get("count").intValue()).isEqualTo(1);
    assertThat(keys(skipped.at("/examples/0"))).containsExactly("file", "line", "reason");
    assertThat(skipped.at("/examples/0/line").intValue()).isEqualTo(1);
  }

  @Test
  void oneSessionAsJson() throws IOException {
    JsonNode session =
        json("session", Traces.xtuner(folder, "run1"), "gsm8k:2", "--format", "json");

    assertThat(session.get("status").textValue()).isEqualTo("failed");
    assertThat(session.get("reason").textValue()).isEqualTo("ValueError: bad answer");
    assertThat(session.get("wall_s").doubleValue()).isEqualTo(4.0);
    assertThat(session.get("events")).hasSize(2);
    assertThat(JSON.readTree(session.at("/events/1").textValue()).get("stage").textValue())
        .isEqualTo("xtuner.judger.judge.error");
  }

  /** jq, pandas and a browser read it. */
  @ParameterizedTest
  @ValueSource(strings = {"live --now 1781000100", "hotspots", "sessions"})
  void everyScopeIsJson(String call) throws IOException {
    Path run = Traces.xtuner(folder, "run1");
    String[] words = call.split(" ");
    for (String scope : List.of("active", "latest", "latest-produce-batch", "all")) {
      List<Object> args =
          new ArrayList<>(List.of(words[0], run, "--format", "json", "--scope", scope));
      args.addAll(List.of(words).subList(1, words.length));
      String word = json(args.toArray()).get("scope").textValue();
      assertThat(word).isEqualTo(scope.startsWith("latest") ? "latest" : scope);
    }
    List<Object> args =
        new ArrayList<>(List.of(words[0], run, "--format", "JSON", "--batch", "train_step=1"));
    args.addAll(List.of(words).subList(1, words.length));
    assertThat(json(args.toArray()).get("scope").textValue()).isEqualTo("batch train_step=1");
  }

  // ---- CSV -------------------------------------------------------------------------------------

  @Test
  void csvHasTheNamesOfTheJson() throws IOException {
    Path run = Traces.xtuner(folder, "run1");

    assertThat(CommandRun.of("hotspots", run, "--format", "csv").outLines())
        .hasSize(3)
        .first()
        .isEqualTo(
            "stage,kind,count,open_count,error_count,total_s,self_s,avg_s,p50_s,p95_s,p99_s,max_s,share");
    assertThat(CommandRun.of("sessions", run, "--format", "csv").outLines())
        .first()
        .isEqualTo("metric,count,mean,min,max,p25,p50,p75,p90,p95,p99");
    assertThat(CommandRun.of("live", run, "--once", "--format", "csv").outLines())
        .hasSize(5)
        .first()
        .isEqualTo(
            "trace_id,session,task_name,status,source_status,stage,latest_stage,open_span,open_age_s,"
                + "usual_p95_s,suspect,latest_timestamp_s,event_count,worker,train_step,"
                + "task,batch,start_s,waits_for");
    assertThat(CommandRun.of("session", run, "gsm8k:2", "--format", "csv").outLines())
        .hasSize(2)
        .last()
        .asString()
        .contains("judger", "error", "ValueError: bad answer");
  }

  /** A model's output ends up in names and errors; a spreadsheet must not run it. */
  @ParameterizedTest
  @ValueSource(strings = {"=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "\\t=1", "\\r=1"})
  void formulasAreDefusedInCsv(String text) throws IOException {
    Path run =
        Traces.write(
            folder,
            "run1",
            "x.jsonl",
            List.of(Traces.event("a", text + ".start", 1, "init", null)));

    String line = CommandRun.of("hotspots", run, "--format", "csv").out().split("\n", 2)[1];

    assertThat(line.replaceFirst("^\"", "")).startsWith("'");
  }

  @Test
  void quotesCommasAndLineEndsAreQuotedInCsv() throws IOException {
    Path run =
        Traces.write(
            folder,
            "run1",
            "x.jsonl",
            List.of(Traces.event("a", "x,\\\"y\\\"\\nz.start", 1, "init", null)));

    assertThat(CommandRun.of("hotspots", run, "--format", "csv").out())
        .contains("\n\"x,\"\"y\"\"\nz\",phase,1,");
  }

  // ---- hostile texts ---------------------------------------------------------------------------

  private static final String HOSTILE =
      "\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\u202egnp\\u2066x\\u200f\\u061c\\u0000";

  private Path hostileRun() throws IOException {
    String id = "id" + HOSTILE;
    return Traces.write(
        folder,
        "run1",
        "x.jsonl",
        List.of(
            Traces.event(id, "stage" + HOSTILE + ".start", 1, "status" + HOSTILE, null),
            Traces.event(id, "other" + HOSTILE + ".start", 2, "failed", null),
            Traces.event(id, "other" + HOSTILE + ".error", 3, "failed", "Error" + HOSTILE),
            "{\"trace_id\": {\"" + HOSTILE + "\": 1}}",
            "bad\u001b[31m"));
  }

  /** What models and users write reaches the terminal of whoever looks. */
  @ParameterizedTest
  @ValueSource(strings = {"table", "csv"})
  void nothingInATraceSteersTheTerminal(String format) throws IOException {
    Path run = hostileRun();
    String id = "id\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnp\u2066x\u200f\u061c\u0000";
    for (List<Object> call :
        List.of(
            List.<Object>of("live", run, "--once"),
            List.<Object>of("hotspots", run),
            List.<Object>of("sessions", run),
            List.<Object>of("session", run, id))) {
      List<Object> args = new ArrayList<>(call);
      args.addAll(List.of("--format", format));

      CommandRun done = CommandRun.of(args.toArray());

      assertThat(done.code()).as(done.err()).isZero();
      requireHarmless(done.out());
      requireHarmless(done.err());
    }
  }

  @Test
  void nothingInAnErrorSteersTheTerminal() throws IOException {
    Path run = hostileRun();
    for (List<Object> call :
        List.of(
            List.<Object>of("session", run, "id"),
            List.<Object>of("session", run, "x\u001b[31m"),
            List.<Object>of("hotspots", folder.resolve("a\u001b[31m\nb")),
            List.<Object>of("hotspots", run, "--scope", "\u001b[31m\n"),
            List.<Object>of("hotspots", run, "--\u001b[31m"),
            List.<Object>of("\u001b[31m\n"))) {
      CommandRun done = CommandRun.of(call.toArray());

      assertThat(done.code()).isNotZero();
      assertThat(done.errLines()).hasSize(1);
      requireHarmless(done.err());
    }
  }

  private static void requireHarmless(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean steering =
          (Character.isISOControl(c) && c != '\n')
              || (c >= '\u202a' && c <= '\u202e')
              || (c >= '\u2066' && c <= '\u2069')
              || "\u200e\u200f\u061c\u2028\u2029".indexOf(c) >= 0;
      assertThat(steering).as("U+%04X at %d of %s", (int) c, i, text).isFalse();
    }
  }

  @Test
  void jsonKeepsHostileTextsAsEscapes() throws IOException {
    CommandRun done = CommandRun.of("hotspots", hostileRun(), "--format", "json", "--quiet");

    assertThat(done.out()).doesNotContain("\u001b", "\u0007");
    assertThat(JSON.readTree(done.out()).at("/errors/0/error").textValue())
        .startsWith("Error\u001b[2J");
  }

  // ---- pipes -----------------------------------------------------------------------------------

  /** In tests, as in pipes, there is no terminal: no colours, nothing cut. */
  @Test
  void aPipeGetsPlainAndWholeLines() throws IOException {
    String longName = "x".repeat(300);
    Path run =
        Traces.write(
            folder,
            "run1",
            "x.jsonl",
            List.of(Traces.event(longName, longName + ".start", 1, "init", null)));

    CommandRun done = CommandRun.of("live", run, "--once");

    assertThat(done.out()).doesNotContain("\u001b").contains(longName);
    assertThat(done.err()).isEmpty();
  }

  /** A worker's buffer was full while the network was slow. */
  @Test
  void liveNamesTheWorkersThatDroppedSomething() {
    CommandRun live = CommandRun.of("live", SPOOL, "--now", "1780000020");

    assertThat(live.outLines())
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains(
                        "dropped  1,209 spans, 3 starts, 1 metric",
                        "by [rollout] rank 0 gpu-1 pid 101: 1,204 spans, 3 starts"));
  }

  /** Ray's errors are coloured and longer than a terminal: every row was padded to the longest. */
  @Test
  void aLongColouredErrorMakesNoTableWide() throws IOException {
    String error = "RayTaskError: \\u001b[36mray::work()\\u001b[39m " + "x".repeat(2_000) + " end";
    Path run =
        Traces.write(
            folder,
            "run1",
            "x.jsonl",
            List.of(
                Traces.event("s1", "xtuner.judger.judge.start", 1, "init", null),
                Traces.event("s1", "xtuner.judger.judge.error", 2, "failed", error)));

    CommandRun hotspots = CommandRun.of("hotspots", run, "--scope", "all");
    CommandRun session = CommandRun.of("session", run, "s1");
    CommandRun sessions = CommandRun.of("sessions", run, "--scope", "all");

    assertThat(hotspots.outLines()).allSatisfy(line -> assertThat(line.length()).isLessThan(200));
    assertThat(hotspots.out()).contains("RayTaskError: ray::work() xxx", "xxx end");
    assertThat(session.outLines().get(0))
        .startsWith("s1  failed (source: failed)  RayTaskError: ray::work() xxx")
        .endsWith("xxx end")
        .hasSizeLessThan(160);
    assertThat(session.outLines().stream().filter(line -> !line.startsWith("{")))
        .allSatisfy(line -> assertThat(line.length()).isLessThan(260));
    assertThat(sessions.outLines()).allSatisfy(line -> assertThat(line.length()).isLessThan(200));
    assertThat(hotspots.out() + session.outLines().get(0)).doesNotContain("[36m", "\uFFFD");
  }

  private static String attribute(String key, String value) {
    return "{\"key\":\"" + key + "\",\"value\":" + value + "}";
  }

  private static String span(int id, int parent, String name, String... attributes) {
    return "{\"traceId\":\"5b8efff798038103d269b633813fc60c\",\"spanId\":\"%016x\",\"parentSpanId\":\"%s\",\"name\":\"%s\",\"startTimeUnixNano\":\"17810000%02d000000000\",\"endTimeUnixNano\":\"1781000090000000000\",\"attributes\":[%s]}"
        .formatted(
            id,
            parent == 0 ? "" : "%016x".formatted(parent),
            name,
            10 + id,
            String.join(",", attributes));
  }

  /** What a session was given, and what its calls cost. */
  @Test
  void rewardAndTokensAreShown() throws IOException {
    String request =
        "{\"resourceSpans\":[{\"resource\":{\"attributes\":["
            + attribute("rl.run.id", "{\"stringValue\":\"r\"}")
            + "]},\"scopeSpans\":[{\"spans\":["
            + span(2, 1, "generate", attribute("prompt_tokens", "{\"intValue\":\"1412\"}"))
            + ","
            + span(
                3, 1, "generate", attribute("gen_ai.usage.output_tokens", "{\"intValue\":\"88\"}"))
            + ","
            + span(
                1,
                0,
                "session",
                attribute("rl.kind", "{\"stringValue\":\"session\"}"),
                attribute("rl.session.id", "{\"stringValue\":\"s1\"}"),
                attribute("rl.train_step", "{\"intValue\":\"3\"}"),
                attribute("rl.reward", "{\"doubleValue\":0.7}"))
            + "]}]}]}";
    Path run = Traces.write(folder, "r", "spans.jsonl", List.of(request));

    assertThat(CommandRun.of("session", run, "s1").outLines().get(1))
        .endsWith("reward 0.7  1,412 → 88 tokens");
    JsonNode session = json("session", run, "s1", "--format", "json");
    assertThat(session.get("reward").doubleValue()).isEqualTo(0.7);
    assertThat(session.get("input_tokens").longValue()).isEqualTo(1412);
    assertThat(session.get("output_tokens").longValue()).isEqualTo(88);
    List<String> table = CommandRun.of("sessions", run).outLines();
    assertThat(table).anyMatch(line -> line.matches("reward +1 +0\\.7 .* 0\\.7"));
    assertThat(table).anyMatch(line -> line.matches("input_tokens +1 +1,412 .* 1,412"));
    assertThat(table).anyMatch(line -> line.matches("batch .* mean reward +output tokens"));
    assertThat(table).anyMatch(line -> line.matches("train_step=3 .* 0\\.7 +88"));
    JsonNode sessions = json("sessions", run, "--format", "json");
    assertThat(sessions.at("/metrics/output_tokens/mean").doubleValue()).isEqualTo(88);
    assertThat(sessions.at("/metrics/reward/p50").doubleValue()).isEqualTo(0.7);
    assertThat(sessions.at("/batches/0/reward").doubleValue()).isEqualTo(0.7);
    assertThat(sessions.at("/batches/0/input_tokens").longValue()).isEqualTo(1412);
  }
}
