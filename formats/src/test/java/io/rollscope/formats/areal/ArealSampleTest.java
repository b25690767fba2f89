package io.rollscope.formats.areal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.core.model.Worker;
import io.rollscope.core.stats.Durations.Summary;
import io.rollscope.core.steps.ClockAlignment;
import io.rollscope.core.steps.ClockAlignment.Offset;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SessionsReport.Step;
import io.rollscope.formats.folder.ReadTraces;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The sample of a whole trial against what AReaL's own tools computed, and against the truth. */
class ArealSampleTest {
  private static ReadTraces read;
  private static JsonNode expected;
  private static SessionsReport sessions;
  private static SessionsReport byBatchSize;
  private static HotspotsReport hotspots;

  @BeforeAll
  static void readSample() throws IOException {
    read = ReadTraces.all(ReadTraces.sample("areal/current"));
    expected =
        new ObjectMapper()
            .readTree(ReadTraces.sample("areal/current/expected/analysis.json").toFile());
    sessions = read.sessions(null);
    byBatchSize = read.sessions(60);
    hotspots = read.hotspots(Scope.ALL);
  }

  static void assertClose(double actual, double expected) {
    assertThat(actual).isCloseTo(expected, within(1e-6 * Math.max(1, Math.abs(expected))));
  }

  @Test
  void allFourFilesAreOneRunNamedByExperimentAndTrial() {
    assertThat(read.reader().files()).hasSize(4);
    assertThat(read.reader().runs().ids()).containsExactly("areal/current");
    assertThat(read.skipped().count()).isZero();
  }

  /** What the converter wrote lies beside the traces; it is no trace line file. */
  @Test
  void resultsOfToolsBesideTheTracesAreLeftAlone() {
    assertThat(read.reader().unrecognised()).isEmpty();
  }

  // ---- sessions --------------------------------------------------------------------------------

  @Test
  void a28_816RowsByStatusReasonAndRank() {
    assertThat(sessions.records()).isEqualTo(expected.get("records").intValue()).isEqualTo(816);
    assertThat(sessions.statusCounts())
        .isEqualTo(
            Map.of("accepted", 720, "rejected", 48, "failed", 16, "dropped", 16, "pending", 16));
    assertThat(sessions.reasonCounts())
        .isEqualTo(
            Map.of(
                "rejected", 32, "returned_none", 16, "workflow_exception", 16, "queue_full", 16));
    assertThat(sessions.rankCounts()).isEqualTo(Map.of("0", 408, "1", 408));
    assertThat(sessions.rankCounts()).isEqualTo(counts("rank_counts"));
    Map<String, Integer> pairs = new TreeMap<>();
    expected
        .get("status_reason_counts")
        .properties()
        .forEach(
            e ->
                pairs.merge(
                    e.getKey().replaceAll("\\|.*", ""), e.getValue().intValue(), Integer::sum));
    assertThat(sessions.statusCounts()).isEqualTo(pairs);
  }

  @Test
  void pendingRowsAreRunningOrQueued() {
    assertThat(sessions.statuses())
        .containsEntry("accepted", 720)
        .containsEntry("rejected", 48)
        .containsEntry("failed", 16)
        .containsEntry("dropped", 16);
    int running = sessions.statuses().getOrDefault("running", 0);
    int queued = sessions.statuses().getOrDefault("queued", 0);
    assertThat(running + queued).isEqualTo(16);
    LiveReport live = read.live(Scope.ALL);
    assertThat(live.sessionSummary()).containsEntry("total", 816).containsEntry("running", running);
  }

  @Test
  void a29_stepsByTheirRuleAndByTheTrainer() {
    assertThat(byBatchSize.stepRule()).isEqualTo("areal-batch-size");
    assertThat(byBatchSize.steps()).extracting(Step::sessions).containsExactly(284, 332, 184);
    assertThat(byBatchSize.steps()).extracting(Step::step).containsExactly(0L, 1L, 2L);
    JsonNode ends = expected.get("step_timepoints_s");
    for (int k = 0; k < 3; k++) {
      assertClose(byBatchSize.steps().get(k).endOffsetS(), ends.get(k).doubleValue());
    }
    assertThat(byBatchSize.unassignedSessions())
        .isEqualTo(expected.get("unassigned_sessions").intValue());
    assertThat(byBatchSize.stepNote()).isEqualTo("2 ranks, 30 tasks per rank and step");
    // + what the steps really consumed
    assertThat(sessions.stepRule()).isEqualTo("training-steps");
    assertThat(sessions.steps()).extracting(Step::accepted).containsExactly(240, 240, 240);
    assertThat(sessions.steps()).extracting(Step::step).containsExactly(0L, 1L, 2L);
  }

  @Test
  void a30_latenciesOfAllFinalisedSessions() {
    Summary total = sessions.metrics().get("total_s");
    assertThat(total.count()).isEqualTo(800);
    assertThat(total.p50()).isCloseTo(12.694, within(5e-4));
    assertThat(total.p95()).isCloseTo(23.751, within(5e-4));
    assertThat(total.max()).isCloseTo(34.761, within(5e-4));
    long above =
        read.sessionIds().stream()
            .map(read::session)
            .filter(s -> s.finalised() && s.wallS() > total.p95())
            .count();
    assertThat(above)
        .isEqualTo(expected.at("/latency_chart/points_above_p95").intValue())
        .isEqualTo(40);
  }

  @TestFactory
  List<DynamicTest> everyQuantileIsTheirs() {
    Map<String, Function<Summary, Number>> columns = new LinkedHashMap<>();
    columns.put("count", Summary::count);
    columns.put("mean", Summary::mean);
    columns.put("min", Summary::min);
    columns.put("max", Summary::max);
    columns.put("p25", Summary::p25);
    columns.put("p50", Summary::p50);
    columns.put("p75", Summary::p75);
    columns.put("p90", Summary::p90);
    columns.put("p95", Summary::p95);
    columns.put("p99", Summary::p99);
    return expected
        .get("duration_quantiles_linear_interpolation_all_sessions")
        .properties()
        .stream()
        .flatMap(
            metric ->
                columns.entrySet().stream()
                    .map(
                        column ->
                            DynamicTest.dynamicTest(
                                metric.getKey() + " " + column.getKey(),
                                () ->
                                    assertClose(
                                        column
                                            .getValue()
                                            .apply(sessions.metrics().get(metric.getKey()))
                                            .doubleValue(),
                                        metric.getValue().get(column.getKey()).doubleValue()))))
        .toList();
  }

  @Test
  void a31_spansCountersAndWhatEndsTooLate() {
    assertThat(sessions.spanCounts())
        .isEqualTo(Map.of("generate", 1277, "reward", 773, "toolcall", 477));
    assertThat(sessions.spanCounts()).isEqualTo(counts("span_counts"));
    assertThat(sessions.nullEndSpans())
        .isEqualTo(expected.get("null_end_spans").intValue())
        .isEqualTo(23);
    assertThat(sessions.counters()).isEqualTo(Map.of("turns", 1296L, "tool_errors", 21L));
    List<SessionReport> late =
        read.sessionIds().stream()
            .map(read::session)
            .filter(s -> s.waits().outsideS() > 0)
            .toList();
    assertThat(late)
        .hasSize(expected.get("sessions_where_phase_ends_after_finalized").intValue())
        .hasSize(7);
    double outside = late.stream().mapToDouble(s -> s.waits().outsideS()).sum();
    assertClose(hotspots.waits().outsideS(), outside);
  }

  @Test
  void a32_aBatchSizeThatMakesNoStepsSaysWhy() {
    SessionsReport tooSmall = read.sessions(1);
    assertThat(tooSmall.steps()).isEmpty();
    assertThat(tooSmall.unassignedSessions()).isEqualTo(816);
    assertThat(tooSmall.stepNote()).isEqualTo("batch size 1 is below the number of ranks, 2");
    assertThat(tooSmall.metrics()).isEqualTo(sessions.metrics());
    SessionsReport tooBig = read.sessions(600);
    assertThat(tooBig.steps()).isEmpty();
    assertThat(tooBig.stepNote()).isEqualTo("not every rank completed 300 tasks");
  }

  /** Fast samples wait for the slowest of their task: AReaL draws it as idle. */
  @Test
  void waitingForTheSlowestSampleIsABarrierWait() {
    List<SessionReport> accepted =
        read.sessionIds().stream()
            .map(read::session)
            .filter(s -> s.status().equals("accepted"))
            .toList();
    double barrier = accepted.stream().mapToDouble(s -> s.waits().barrierS()).sum();
    double total = accepted.stream().mapToDouble(SessionReport::wallS).sum();

    assertThat(accepted).hasSize(720);
    assertClose(
        barrier / 720,
        expected.at("/straggler_wait/mean_s_between_own_last_phase_and_finalized").doubleValue());
    assertClose(barrier / total, expected.at("/straggler_wait/share_of_total_s").doubleValue());
  }

  @Test
  void samplesOfOneTaskAreSiblingsOnTheirRankOnly() {
    SessionReport session = read.session("r1-t0-s0");

    assertThat(session.task()).isEqualTo("0");
    assertThat(session.worker()).isEqualTo("rank 1");
    assertThat(session.siblings()).hasSize(3).allMatch(s -> s.session().startsWith("r1-t0-s"));
  }

  @Test
  void timesAreUnixSeconds() {
    SessionReport session = read.session("r0-t0-s0");

    assertThat(session.relativeClock()).isFalse();
    assertClose(session.startS(), 1763600400.0);
    assertClose(session.endS(), 1763600407.913821);
    assertThat(session.finalised()).isTrue();
  }

  // ---- perf events -----------------------------------------------------------------------------

  @TestFactory
  List<DynamicTest> everyPerfEventIsCounted() {
    Map<String, StageStats> ops =
        hotspots.stageStats().stream()
            .filter(s -> s.kind().equals("op"))
            .collect(Collectors.toMap(StageStats::stage, s -> s));
    return expected.at("/perf/by_name_count_total_dur_us").properties().stream()
        .map(
            e ->
                DynamicTest.dynamicTest(
                    e.getKey(),
                    () -> {
                      StageStats op = ops.get(e.getKey());
                      assertThat(op.count()).isEqualTo(e.getValue().get(0).intValue());
                      assertClose(op.totalS(), e.getValue().get(1).longValue() / 1e6);
                    }))
        .toList();
  }

  @Test
  void perfEventsAreAllThereIsOfThem() {
    int complete =
        hotspots.stageStats().stream()
            .filter(s -> s.kind().equals("op"))
            .mapToInt(StageStats::count)
            .sum();
    int exceptions =
        hotspots.stageStats().stream()
            .filter(s -> s.kind().equals("op"))
            .mapToInt(StageStats::errorCount)
            .sum();

    assertThat(complete).isEqualTo(expected.at("/perf/by_ph/X").intValue());
    assertThat(exceptions).isEqualTo(expected.at("/perf/events_with_exception_arg").intValue());
    SpanTable table = read.table();
    assertThat(
            IntStream.range(0, table.sessionCount())
                .filter(table::isLane)
                .map(table::rowCount)
                .sum())
        .as("complete events and instants")
        .isEqualTo(
            expected.at("/perf/by_ph/X").intValue() + expected.at("/perf/by_ph/i").intValue());
  }

  /** Rank 1's tracer was started 1.734 s after rank 0's. */
  @Test
  void clocksOfTheRanksAreAlignedByBarriers() {
    Map<Worker, Offset> offsets = ClockAlignment.of(read.run().barrierSpans());

    double offset = offsets.get(new Worker(null, 1L)).offsetNs() / 1e9;
    assertThat(offsets.get(new Worker(null, 0L)).offsetNs()).isZero();
    assertThat(offset)
        .isCloseTo(
            expected.at("/ground_truth/rank1_tracer_origin_minus_rank0_s").doubleValue(),
            within(0.005));
  }

  // ---- all of it -------------------------------------------------------------------------------

  @Test
  void timeOfSessionsAddsUpToTheirWallTime() {
    double wall =
        read.sessionIds().stream().map(read::session).mapToDouble(SessionReport::wallS).sum();
    double stages =
        hotspots.stageStats().stream()
            .filter(s -> s.kind().equals("phase"))
            .mapToDouble(StageStats::selfS)
            .sum();
    HotspotsReport.Waits w = hotspots.waits();

    assertClose(stages + w.queueS() + w.gapS() + w.barrierS() + w.unaccountedS(), wall);
  }

  /** Session rows name no batch: there is none to choose. */
  @Test
  void everyScopeIsTheWholeTrial() throws IOException {
    ReadTraces rows = ReadTraces.all(ReadTraces.sample("areal/current/session_tracer"));
    for (Scope scope : List.of(Scope.ALL, Scope.ACTIVE, Scope.LATEST)) {
      assertThat(rows.hotspots(scope).sessionCount()).as(scope.word()).isEqualTo(816);
      assertThat(rows.live(scope).sessionSummary()).as(scope.word()).containsEntry("total", 816);
    }
    assertThat(read.hotspots(Scope.ACTIVE).sessionCount()).isEqualTo(816);
  }

  private static Map<String, Integer> counts(String key) {
    Map<String, Integer> counts = new TreeMap<>();
    expected.get(key).properties().forEach(e -> counts.put(e.getKey(), e.getValue().intValue()));
    return counts;
  }
}
