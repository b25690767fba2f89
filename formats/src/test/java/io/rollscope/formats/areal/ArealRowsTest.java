package io.rollscope.formats.areal;

import static io.rollscope.formats.areal.ArealSampleTest.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.core.stats.Durations.Summary;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionReport.SpanLine;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.formats.folder.ReadTraces;
import io.rollscope.formats.scan.Skipped.Example;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of older versions, damaged rows, and what sessions are called. */
class ArealRowsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  // ---- older versions --------------------------------------------------------------------------

  /** People keep traces of runs from before November 2025; AReaL's own tool crashes on them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "requests-pr509.jsonl",
        "sessions-pr539-r0.jsonl",
        "requests-pr539-description-r0.jsonl"
      })
  void a34_rowsOfOlderVersionsAreRead(String file) throws IOException {
    ReadTraces read = ReadTraces.all(ReadTraces.sample("areal/old/" + file));

    SessionsReport report = read.sessions(null);
    assertThat(read.skipped().count()).isZero();
    assertThat(read.reader().files())
        .extracting(f -> f.format().id())
        .containsExactly("areal-sessions");
    assertThat(report.records()).isEqualTo(24);
    assertThat(report.statusCounts())
        .isEqualTo(Map.of("accepted", 19, "rejected", 2, "dropped", 1, "failed", 1, "pending", 1));
    assertThat(report.reasonCounts())
        .isEqualTo(
            Map.of("should_accept_false", 2, "input_queue_full", 1, "workflow_exception", 1));
    assertThat(report.rankCounts()).isEqualTo(Map.of("0", 24));
    // no task: not guessed
    assertThat(read.sessionIds()).contains("r0-t?-s0", "r0-t?-s23");
    SessionReport first = read.session("r0-t?-s0");
    assertThat(first.task()).isNull();
    assertThat(first.siblings()).isEmpty();
    // monotonic times stay what they are
    assertThat(first.relativeClock()).isTrue();
    assertClose(first.startS(), 8738314.227833074);
    assertThat(report.steps()).isEmpty();
    assertThat(read.sessions(4).steps()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "requests-pr509.jsonl, queue_wait_s, queue_wait_s",
    "requests-pr509.jsonl, runner_wait_s, runner_wait_s",
    "requests-pr509.jsonl, execution_s, execution_s",
    "requests-pr509.jsonl, post_wait_s, post_wait_s",
    "requests-pr509.jsonl, total_s, total_s",
    "sessions-pr539-r0.jsonl, queue_wait_s, queue_wait_s",
    "sessions-pr539-r0.jsonl, runner_wait_s, runner_wait_s",
    "sessions-pr539-r0.jsonl, execution_s, execution_s",
    "sessions-pr539-r0.jsonl, post_wait_s, post_wait_s",
    "sessions-pr539-r0.jsonl, total_s, total_s",
    "sessions-pr539-r0.jsonl, generate_s, generate_s",
    "sessions-pr539-r0.jsonl, reward_calc_s, reward_s",
    "requests-pr539-description-r0.jsonl, queue_wait_s, queue_wait_s",
    "requests-pr539-description-r0.jsonl, post_wait_s, post_wait_s",
    "requests-pr539-description-r0.jsonl, reward_calc_s, reward_s",
  })
  void whatOlderRowsSayOfThemselvesIsWhatWeMeasure(String file, String theirs, String ours)
      throws IOException {
    Path source = ReadTraces.sample("areal/old/" + file);
    List<Double> values = new ArrayList<>();
    for (String line : Files.readAllLines(source)) {
      JsonNode value = JSON.readTree(line).path(theirs);
      if (value.isNumber()) {
        values.add(value.doubleValue());
      }
    }

    Summary measured = ReadTraces.all(source).sessions(null).metrics().get(ours);

    assertThat(measured.count()).isEqualTo(values.size());
    assertClose(measured.mean(), values.stream().mapToDouble(v -> v).average().orElseThrow());
    assertClose(measured.min(), values.stream().mapToDouble(v -> v).min().orElseThrow());
    assertClose(measured.max(), values.stream().mapToDouble(v -> v).max().orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(strings = {"requests-pr509.jsonl", "sessions-pr539-r0.jsonl"})
  void everyOlderRowIsMeasuredAsItSays(String file) throws IOException {
    Path source = ReadTraces.sample("areal/old/" + file);
    ReadTraces read = ReadTraces.all(source);

    for (String line : Files.readAllLines(source)) {
      JsonNode row = JSON.readTree(line);
      JsonNode id = row.has("session_id") ? row.get("session_id") : row.get("request_id");
      SessionReport session = read.session("r0-t?-s" + id.asText());
      assertThat(session.sourceStatus()).isEqualTo(row.get("status").textValue());
      if (row.path("total_s").isNumber()) {
        assertThat(session.finalised()).isTrue();
        assertClose(session.wallS(), row.get("total_s").doubleValue());
        assertClose(
            session.waits().queueS(),
            row.get("queue_wait_s").doubleValue() + row.get("runner_wait_s").doubleValue());
        assertClose(session.waits().barrierS(), row.get("post_wait_s").doubleValue());
      }
      double execution =
          session.spans().stream()
              .filter(s -> s.stage().equals("execution") && s.endS() != null)
              .mapToDouble(SpanLine::durationS)
              .sum();
      assertClose(execution, row.path("execution_s").asDouble(0));
    }
  }

  /** All versions in one folder, as a project that went through them has it. */
  @Test
  void versionsMayBeMixed() throws IOException {
    ReadTraces read = ReadTraces.all(ReadTraces.sample("areal/old"));

    SessionsReport report = read.sessions(null);
    assertThat(report.records()).isEqualTo(72);
    assertThat(report.statusCounts()).containsEntry("accepted", 57);
    assertThat(report.metrics().get("queue_wait_s").count()).isEqualTo(69);
    // The ids start again with each file.
    assertThat(read.sessionIds()).contains("r0-t?-s0", "r0-t?-s0#2", "r0-t?-s0#3");
  }

  /** The guide still shows rows of the current form with monotonic times. */
  @Test
  void currentRowsWithMonotonicTimesAreRelative() throws IOException {
    write("sessions-r0.jsonl", row(0, 0, "\"rank\": 0").replace("17636004", "79"));

    assertThat(ReadTraces.all(folder).session("r0-t0-s0").relativeClock()).isTrue();
  }

  // ---- damaged rows ----------------------------------------------------------------------------

  /** Two requests of one session run at once; AReaL's recorder mixes up their ends. */
  @Test
  void a18_overlappingGeneratesBecomeTwoSpansAgain() throws IOException {
    ReadTraces read =
        ReadTraces.all(ReadTraces.sample("areal/edge/sessions-overlapping-generate.jsonl"));

    SessionReport session = read.session("r0-t1-s0");

    assertThat(session.spans()).hasSize(2).allMatch(s -> s.endS() != null);
    assertThat(session.spans())
        .extracting(SpanLine::durationS)
        .satisfiesExactlyInAnyOrder(
            d -> assertThat(d).isCloseTo(0.1006, within(1e-4)),
            d -> assertThat(d).isCloseTo(0.0503, within(1e-4)));
    double sum = session.spans().stream().mapToDouble(SpanLine::durationS).sum();
    assertThat(sum).isCloseTo(0.150, within(0.002));
    double union = session.stages().stream().mapToDouble(SessionReport.StageTime::selfS).sum();
    assertThat(union).isCloseTo(0.100, within(0.002));
    assertThat(read.sessions(null).nullEndSpans()).isZero();
  }

  /** An exception in one sample finalises its siblings while they are in the middle of a phase. */
  @Test
  void aPhaseWithoutEndLastsUntilTheSessionIsFinalised() throws IOException {
    ReadTraces read = ReadTraces.all(ReadTraces.sample("areal/edge/sessions-null-end.jsonl"));

    SessionReport session = read.session("r0-t1-s0");
    assertThat(session.status()).isEqualTo("failed");
    assertThat(session.spans()).hasSize(1);
    assertThat(session.spans().get(0).endS()).isNull();
    assertThat(session.waits().outsideS()).isZero();
    assertClose(session.wallS(), 2.6702880859375e-05);
    assertThat(read.sessions(null).nullEndSpans()).isEqualTo(1);
    assertThat(read.sessions(null).metrics()).doesNotContainKey("generate_s");
  }

  @Test
  void a27_aTornLastRowIsReportedAndTheOthersCount() throws IOException {
    Example rows = onlyRefusal("areal/edge/sessions-torn-last-line.jsonl", 9);
    assertThat(rows.line()).isEqualTo(10);
    assertThat(rows.reason()).startsWith("torn last line: ");
    ReadTraces perf = ReadTraces.all(ReadTraces.sample("areal/edge/perf-torn-last-line.jsonl"));
    assertThat(perf.skipped().examples()).extracting(Example::line).containsExactly(34L);
    assertThat(perf.hotspots(Scope.ALL).spanCount()).isPositive();
  }

  private static Example onlyRefusal(String sample, int sessions) throws IOException {
    ReadTraces read = ReadTraces.all(ReadTraces.sample(sample));
    assertThat(read.sessionIds()).hasSize(sessions);
    assertThat(read.skipped().count()).isEqualTo(1);
    return read.skipped().examples().get(0);
  }

  /** A loss that became NaN is written as it is called in Python. */
  @Test
  void notANumberInArgumentsCostsOnlyItsLine() throws IOException {
    ReadTraces read = ReadTraces.all(ReadTraces.sample("areal/edge/perf-nan-infinity.jsonl"));

    assertThat(read.skipped().examples())
        .extracting(Example::line, Example::reason)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(4L, "not JSON: NaN (expected: a JSON value)"));
  }

  @Test
  void a33_aRowWithoutRankIsOfAnUnknownRank() throws IOException {
    write(
        "sessions-r0.jsonl",
        row(0, 0, "\"rank\": 0"),
        row(0, 1, "\"rank\": null"),
        row(1, 2, "\"x\": 0"));

    ReadTraces read = ReadTraces.all(folder);

    assertThat(read.skipped().count()).isZero();
    assertThat(read.sessionIds()).containsExactly("r0-t0-s0", "r?-t0-s1", "r?-t1-s2");
    assertThat(read.sessions(null).rankCounts()).isEqualTo(Map.of("0", 1, "unknown", 2));
    assertThat(read.session("r?-t0-s1").worker()).isNull();
    assertThat(read.sessions(1).steps()).hasSize(1);
  }

  /** Phases that AReaL does not know of, e.g. from a recorder that somebody extended. */
  @Test
  void phasesOfAnyNameAreSpans() throws IOException {
    write("sessions-r0.jsonl", row(0, 0, "\"rank\": 0").replace("\"generate\"", "\"run_agent\""));

    assertThat(ReadTraces.all(folder).sessions(null).spanCounts())
        .isEqualTo(Map.of("run_agent", 1));
  }

  /** A clock that was set back: no length is negative. */
  @Test
  void aPhaseThatEndsBeforeItStartsHasNoLength() throws IOException {
    write(
        "sessions-r0.jsonl",
        row(0, 0, "\"rank\": 0")
            .replace("\"end_ts\": 1763600404.5", "\"end_ts\": 1763600401.5")
            .replace("\"start_ts\": 1763600400.5", "\"start_ts\": 1763600402.5"));

    ReadTraces read = ReadTraces.all(folder);
    assertThat(read.session("r0-t0-s0").spans())
        .extracting(SpanLine::durationS)
        .containsExactly(0.0);
    assertThat(read.everyReport(1)).isNotEmpty();
  }

  // ---- what things are called ------------------------------------------------------------------

  @Test
  void sessionsAreCalledByRoleRankTaskAndNumber() throws IOException {
    write(
        "sessions-r0.jsonl",
        row(3, 12, "\"rank\": 0"),
        row(3, 12, "\"rank\": 0, \"role\": \"rollout\""),
        row(3, 12, "\"rank\": 7"));

    assertThat(ReadTraces.all(folder).sessionIds())
        .containsExactly("r0-t3-s12", "[rollout]r0-t3-s12", "r7-t3-s12");
    assertThat(ReadTraces.all(folder).sessions(null).roleCounts()).isEqualTo(Map.of("rollout", 1));
  }

  /** After a restart, ids begin at 0 again in the same file. */
  @Test
  void idsThatStartAgainAreNumbered() throws IOException {
    write(
        "sessions-r0.jsonl",
        row(0, 0, "\"rank\": 0"),
        row(0, 1, "\"rank\": 0"),
        row(0, 0, "\"rank\": 0"),
        row(0, 0, "\"rank\": 0"),
        row(0, 1, "\"rank\": 0"));

    assertThat(ReadTraces.all(folder).sessionIds())
        .containsExactly("r0-t0-s0", "r0-t0-s1", "r0-t0-s0#2", "r0-t0-s0#3", "r0-t0-s1#2");
  }

  @Test
  void rolesLieInFoldersOfTheirOwn() throws IOException {
    Path trial = folder.resolve("logs/me/exp7/trial3");
    write(
        "logs/me/exp7/trial3/session_tracer/rollout/sessions-r0.jsonl",
        row(0, 0, "\"rank\": 0, \"role\": \"rollout\""));
    write(
        "logs/me/exp7/trial3/session_tracer/eval-rollout/sessions-r0.jsonl",
        row(0, 0, "\"rank\": 0, \"role\": \"eval-rollout\""));
    write("logs/me/exp7/trial3/session_tracer/sessions-r1.jsonl", row(0, 0, "\"rank\": 1"));
    write(
        "logs/me/exp7/trial3/perf_tracer/actor/traces-r0.jsonl",
        perf("fsdp_engine.step", "\"rank\": 0, \"role\": \"actor\""));
    write(
        "logs/me/exp7/trial3/perf_tracer/master/traces-r0.jsonl",
        perf("train.rollout", "\"rank\": 0, \"role\": \"master\""));

    for (Path source : List.of(folder, trial, trial.resolve("session_tracer"))) {
      ReadTraces read = ReadTraces.all(source);
      assertThat(read.reader().runs().ids()).as(source.toString()).containsExactly("exp7/trial3");
      assertThat(read.sessionIds())
          .containsExactlyInAnyOrder("[rollout]r0-t0-s0", "[eval-rollout]r0-t0-s0", "r1-t0-s0");
      assertThat(read.sessions(null).roleCounts())
          .isEqualTo(Map.of("rollout", 1, "eval-rollout", 1));
    }
    assertThat(ReadTraces.all(trial).hotspots(Scope.ALL).stageStats())
        .filteredOn(s -> s.kind().equals("op"))
        .extracting(StageStats::stage)
        .containsExactlyInAnyOrder("fsdp_engine.step", "train.rollout");
  }

  @Test
  void severalTrialsAreSeveralRuns() throws IOException {
    write("logs/me/exp/a/session_tracer/sessions-r0.jsonl", row(0, 0, "\"rank\": 0"));
    write("logs/me/exp/b/session_tracer/sessions-r0.jsonl", row(0, 0, "\"rank\": 0"));
    write("logs/me/exp/b/perf_tracer/traces-r0.jsonl", perf("x", "\"rank\": 0"));

    ReadTraces read = ReadTraces.all(folder);

    assertThat(read.reader().runs().ids()).containsExactlyInAnyOrder("exp/a", "exp/b");
    assertThat(read.run("exp/a").table().findSession("r0-t0-s0")).isNotNegative();
    assertThat(read.run("exp/b").table().findSession("r0-t0-s0")).isNotNegative();
  }

  /** Ranks are written as numbers, fractions and texts; what is none is unknown. */
  @ParameterizedTest
  @CsvSource({
    "0,rank 0",
    "1.0,rank 1",
    "' 3 ',rank 3",
    "x,unknown rank",
    "NaN,unknown rank",
    "Infinity,unknown rank",
    "-inf,unknown rank",
    "'',unknown rank",
    "0x10,unknown rank",
    "1e400,unknown rank"
  })
  void ranksOfPerfEventsAreReadLeniently(String rank, String lane) throws IOException {
    write("traces-r0.jsonl", perf("x", "\"rank\": \"" + rank + "\""));

    ReadTraces read = ReadTraces.all(folder);

    assertThat(read.skipped().count()).isZero();
    assertThat(read.table().key(0)).isEqualTo(lane + " process 41 thread 42");
  }

  // ---- means -----------------------------------------------------------------------------------

  private void write(String name, String... lines) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(lines));
  }

  private static String row(int task, int session, String more) {
    return "{\"task_id\": "
        + task
        + ", \"session_id\": "
        + session
        + ", "
        + more
        + ", \"status\": \"accepted\", \"submit_ts\": 1763600400.5, \"finalized_ts\": 1763600408.5,"
        + " \"phases\": {\"generate\": [{\"start_ts\": 1763600400.5, \"end_ts\": 1763600404.5}]}}";
  }

  private static String perf(String name, String args) {
    return "{\"name\": \""
        + name
        + "\", \"ph\": \"X\", \"ts\": 1500, \"dur\": 20, \"pid\": 41, \"tid\": 42, \"args\": {"
        + args
        + "}}";
  }
}
