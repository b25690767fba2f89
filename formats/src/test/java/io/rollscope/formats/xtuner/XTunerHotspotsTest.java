package io.rollscope.formats.xtuner;

import static io.rollscope.formats.Samples.like;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionReport.SpanLine;
import io.rollscope.formats.ReadSource;
import io.rollscope.formats.Samples;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the time went, as XTuner's own hotspot tool tells it of the same files. */
class XTunerHotspotsTest {
  private static final String SAMPLE = "xtuner/run1";
  private static ReadSource run1;

  @BeforeAll
  static void read() throws IOException {
    run1 = ReadSource.of(Samples.folder(SAMPLE));
  }

  private static JsonNode expected(String kind, String scope) throws IOException {
    return Samples.expected(SAMPLE, kind + "." + scope + ".json");
  }

  /** The last event of the run, which is one of the latest batch. */
  private static long now() throws IOException {
    return Nanos.fromSeconds(
        Samples.expected(SAMPLE, "meta.json").get("last_timestamp_s").doubleValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "latest"})
  void stagesHaveTheSameNumbersInTheSameOrder(String scope) throws IOException {
    JsonNode expected = expected("hotspots", scope).get("stage_stats");

    List<StageStats> stages = run1.hotspots(Scope.named(scope)).stageStats();

    assertThat(stages).hasSameSizeAs(expected);
    for (int i = 0; i < stages.size(); i++) {
      StageStats stage = stages.get(i);
      JsonNode original = expected.get(i);
      assertThat(stage.stage()).isEqualTo(original.get("stage").textValue());
      assertThat(stage.kind()).isEqualTo("phase");
      assertThat(stage.count()).isEqualTo(original.get("count").intValue());
      assertThat(stage.openCount()).isEqualTo(original.get("open_count").intValue());
      assertThat(stage.errorCount()).isEqualTo(original.get("error_count").intValue());
      assertSeconds(stage.totalS(), original, "total_s");
      assertSeconds(stage.avgS(), original, "avg_s");
      assertSeconds(stage.p50S(), original, "p50_s");
      assertSeconds(stage.p95S(), original, "p95_s");
      assertSeconds(stage.maxS(), original, "max_s");
      assertThat(stage.p99S()).isBetween(stage.p95S(), stage.maxS());
    }
  }

  private static void assertSeconds(double actual, JsonNode original, String field) {
    double expected = original.get(field).doubleValue();
    assertThat(actual).as(field).isCloseTo(expected, like(expected));
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "latest"})
  void totalsAndTimelineAreTheSame(String scope) throws IOException {
    JsonNode expected = expected("hotspots", scope);

    HotspotsReport report = run1.hotspots(Scope.named(scope));

    assertThat(report.taskCount()).isEqualTo(expected.get("task_count").intValue());
    assertThat(report.sessionCount()).isEqualTo(expected.get("task_count").intValue());
    assertThat(report.spanCount()).isEqualTo(expected.get("span_count").intValue());
    assertSeconds(report.timelineStartS(), expected, "timeline_start_s");
    assertSeconds(report.timelineEndS(), expected, "timeline_end_s");
    assertSeconds(report.maxTaskDurationS(), expected, "max_task_duration_s");
    assertThat(report.skippedLines().count()).isZero();
  }

  /** What the original lacks: where sessions wait, and which stage really took the time. */
  @ParameterizedTest
  @ValueSource(strings = {"all", "latest"})
  void selfTimesAndWaitsSumUpToTheWallTime(String scope) {
    HotspotsReport report = run1.hotspots(Scope.named(scope));

    double self = report.stageStats().stream().mapToDouble(StageStats::selfS).sum();
    double share = report.stageStats().stream().mapToDouble(StageStats::share).sum();
    double waits =
        report.waits().queueS()
            + report.waits().gapS()
            + report.waits().siblingsS()
            + report.waits().barrierS()
            + report.waits().unaccountedS();
    assertThat(waits).isPositive();
    assertThat(self / share).isCloseTo(self + waits, like(self + waits));
    // No submission and no finalisation is recorded, so nothing can lie outside or after.
    assertThat(report.waits().outsideS()).isZero();
    assertThat(report.waits().barrierS()).isZero();
  }

  /** The page used to say that nearly half of all time is work of generate_group. */
  @Test
  void waitingForSiblingsIsNoWorkOfGenerateGroup() {
    HotspotsReport report = run1.hotspots(Scope.ALL);

    assertThat(report.waits().siblingsS()).isCloseTo(11_297.087470296, within(1e-8));
    assertThat(report.stageStats())
        .filteredOn(s -> s.stage().equals("agent_loop.generate_group"))
        .singleElement()
        .satisfies(s -> assertThat(s.selfS()).isLessThan(0.1));
  }

  /** contracts.md 2.12: no group is recorded, but samples of one are begun at once. */
  @Test
  void samplesBegunAtOnceAreAnInferredGroup() {
    Map<Integer, Integer> sizes = new HashMap<>();
    for (int s = 0; s < run1.table().sessionCount(); s++) {
      sizes.merge(run1.table().inferredGroup(s), 1, Integer::sum);
      assertThat(run1.table().task(s)).isNull();
    }

    assertThat(sizes.remove(-1)).isEqualTo(4);
    assertThat(sizes).hasSize(143);
    assertThat(sizes.values()).containsOnly(4);
    SessionReport report = run1.session("dapo_math:124");
    assertThat(report.inferredGroup()).isEqualTo("dapo_math:124");
    assertThat(report.siblings())
        .extracting(SessionReport.Sibling::session)
        .containsExactlyInAnyOrder("dapo_math:125", "dapo_math:126", "dapo_math:127");
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "latest"})
  void everyTaskHasTheSameExtentDepthAndNumberOfSpans(String scope) throws IOException {
    boolean[] kept = Scope.named(scope).kept(run1.table());
    SessionSpans spans = new SessionSpans(run1.table());

    for (JsonNode row : expected("hotspots", scope).get("rows")) {
      spans.load(run1.table().findSession(row.get("trace_id").textValue()), kept);
      long start = Long.MAX_VALUE;
      long end = Long.MIN_VALUE;
      int deepest = 0;
      for (int i : spans.drawOrder(now())) {
        start = Math.min(start, spans.start(i));
        end = Math.max(end, spans.end(i, now()));
        deepest = Math.max(deepest, spans.depth(i));
      }
      assertThat(spans.count()).as("%s", row).isEqualTo(row.get("span_count").intValue());
      assertSeconds(Nanos.toSeconds(start), row, "start_s");
      assertSeconds(Nanos.toSeconds(end), row, "end_s");
      assertSeconds(Nanos.toSeconds(end - start), row, "duration_s");
      assertThat(56 + 22 * (deepest + 1)).isEqualTo(row.get("row_height_px").intValue());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "latest"})
  void everySpanOfTheChosenTasksIsTheSame(String scope) throws IOException {
    boolean[] kept = Scope.named(scope).kept(run1.table());
    SessionSpans spans = new SessionSpans(run1.table());
    JsonNode rows = expected("hotspots.spans", scope).get("rows");
    assertThat(rows.size()).isGreaterThan(8);

    for (JsonNode row : rows) {
      spans.load(run1.table().findSession(row.get("trace_id").textValue()), kept);
      int[] order = spans.drawOrder(now());
      assertThat(order).hasSize(row.get("spans").size());
      for (int k = 0; k < order.length; k++) {
        assertSameSpan(spans, order[k], row.get("spans").get(k), now());
      }
    }
  }

  private static void assertSameSpan(SessionSpans spans, int i, JsonNode original, long now) {
    String where = original.toString();
    assertThat(spans.table().nameOf(spans.name(i)).raw())
        .isEqualTo(original.get("span").textValue());
    assertThat(spans.stage(i)).isEqualTo(original.get("display_stage").textValue());
    assertSeconds(Nanos.toSeconds(spans.start(i)), original, "start_s");
    assertSeconds(Nanos.toSeconds(spans.end(i, now)), original, "end_s");
    assertSeconds(Nanos.toSeconds(spans.end(i, now) - spans.start(i)), original, "duration_s");
    assertThat(word(spans.outcome(i))).as(where).isEqualTo(original.get("outcome").textValue());
    assertThat(spans.depth(i)).as(where).isEqualTo(original.get("depth").intValue());
    assertThat(spans.at(i).taskName()).isEqualTo(original.get("task_name").textValue());
    assertThat(spans.at(i).sourceStatus()).isEqualTo(original.get("status").textValue());
    assertThat(spans.at(i).trainStep()).isEqualTo(integer(original, "train_step"));
    assertThat(spans.at(i).worker().rank()).isEqualTo(integer(original, "worker_rank"));
    assertThat(spans.error(i)).isEqualTo(original.get("error_msg").textValue());
  }

  private static String word(Outcome outcome) {
    return switch (outcome) {
      case OK -> "end";
      case ERROR -> "error";
      default -> "open";
    };
  }

  private static Long integer(JsonNode original, String field) {
    return original.get(field).isNull() ? null : original.get(field).longValue();
  }

  /** The same spans as people see them: {@code rollscope session}. */
  @Test
  void aSessionsReportShowsTheSameSpans() throws IOException {
    for (JsonNode row : expected("hotspots.spans", "all").get("rows")) {
      SessionReport report = run1.session(row.get("trace_id").textValue());

      assertThat(report.spans()).hasSameSizeAs(row.get("spans"));
      for (int k = 0; k < report.spans().size(); k++) {
        SpanLine line = report.spans().get(k);
        JsonNode original = row.get("spans").get(k);
        assertThat(line.stage()).isEqualTo(original.get("display_stage").textValue());
        assertThat(line.depth()).isEqualTo(original.get("depth").intValue());
        assertSeconds(line.startS(), original, "start_s");
        assertSeconds(line.durationS(), original, "duration_s");
        boolean open = original.get("outcome").textValue().equals("open");
        assertThat(line.endS() == null).isEqualTo(open);
        Long rank = integer(original, "worker_rank");
        assertThat(line.worker()).isEqualTo(rank == null ? null : "rank " + rank);
        assertThat(line.error()).isEqualTo(original.get("error_msg").textValue());
        assertThat(line.clockDisagrees()).isFalse();
      }
      double self = report.spans().stream().mapToDouble(SpanLine::selfS).sum();
      double waits =
          report.waits().gapS() + report.waits().siblingsS() + report.waits().unaccountedS();
      assertThat(self + waits).isCloseTo(report.wallS(), like(report.wallS()));
    }
  }
}
