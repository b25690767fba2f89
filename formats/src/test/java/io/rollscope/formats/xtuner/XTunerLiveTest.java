package io.rollscope.formats.xtuner;

import static io.rollscope.formats.Samples.like;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.OpenSpanSummary;
import io.rollscope.core.view.LiveReport.Row;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.ReadSource;
import io.rollscope.formats.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is going on, as XTuner's own viewer tells it of the same files, thirty seconds later. */
class XTunerLiveTest {
  private static final String SAMPLE = "xtuner/run1";
  private static ReadSource run1;
  private static JsonNode meta;

  @BeforeAll
  static void read() throws IOException {
    run1 = ReadSource.of(Samples.folder(SAMPLE));
    meta = Samples.expected(SAMPLE, "meta.json");
  }

  private static JsonNode expected(String scope) throws IOException {
    return Samples.expected(SAMPLE, "viewer." + scope + ".json");
  }

  private static LiveReport report(Scope scope) {
    return run1.live(scope, meta.get("now_s").doubleValue());
  }

  @Test
  void everyLineOfEveryFileIsRead() {
    assertThat(run1.table().rows()).isEqualTo(meta.get("events").intValue());
    assertThat(run1.table().sessionCount()).isEqualTo(meta.get("traces").intValue());
    assertThat(run1.context().skippedLines().count()).isZero();
    assertThat(run1.run().id()).isEqualTo("run1");
    assertThat(run1.reader().files())
        .extracting(f -> f.path().getFileName().toString())
        .containsExactlyElementsOf(names(meta.get("files")));
    assertThat(run1.reader().files()).allMatch(f -> f.format().id().equals("xtuner"));
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void eventsAreCountedByStageStatusAndBatchAsTheyWereWritten() {
    Map<String, Integer> stages = new TreeMap<>();
    Map<String, Integer> statuses = new TreeMap<>();
    Map<String, Integer> batches = new TreeMap<>();
    for (int row = 0; row < run1.table().rows(); row++) {
      var at = run1.table().coordinatesOf(run1.table().coordinates(row));
      stages.merge(run1.table().nameOf(run1.table().name(row)).raw(), 1, Integer::sum);
      statuses.merge(at.sourceStatus(), 1, Integer::sum);
      batches.merge(at.batch(), 1, Integer::sum);
    }

    Map<String, Integer> expectedStages = new TreeMap<>();
    meta.get("events_by_stage")
        .properties()
        .forEach(
            e ->
                expectedStages.merge(
                    e.getKey().replaceFirst("\\.(start|end|error)$", ""),
                    e.getValue().intValue(),
                    Integer::sum));
    assertThat(stages).isEqualTo(expectedStages);
    assertThat(statuses).isEqualTo(counts(meta.get("events_by_status")));
    assertThat(batches).isEqualTo(counts(meta.get("events_by_batch_id")));
  }

  private static Map<String, Integer> counts(JsonNode object) {
    Map<String, Integer> counts = new TreeMap<>();
    object.properties().forEach(e -> counts.put(e.getKey(), e.getValue().intValue()));
    return counts;
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "latest"})
  void countsAndCurrentStagesAreTheSameInTheSameOrder(String scope) throws IOException {
    JsonNode expected = expected(scope);
    JsonNode tasks = expected.get("task_summary");

    LiveReport report = report(Scope.named(scope));

    assertThat(report.eventCount()).isEqualTo(expected.get("event_count").longValue());
    assertThat(report.rawEventCount()).isEqualTo(expected.get("raw_event_count").longValue());
    assertThat(report.taskSummary().totalTasks()).isEqualTo(tasks.get("total_tasks").intValue());
    assertThat(report.taskSummary().runningTasks())
        .isEqualTo(tasks.get("running_tasks").intValue());
    assertThat(report.taskSummary().completedTasks())
        .isEqualTo(tasks.get("completed_tasks").intValue());
    assertThat(List.copyOf(report.taskSummary().currentStageCounts().entrySet()))
        .containsExactlyElementsOf(
            tasks.get("current_stage_counts").properties().stream()
                .map(e -> entry(e.getKey(), e.getValue().intValue()))
                .toList());
  }

  /** By raw name; our order is how overdue they are, the original's how old. */
  @ParameterizedTest
  @ValueSource(strings = {"all", "latest"})
  void openSpansHaveTheSameAges(String scope) throws IOException {
    JsonNode expected = expected(scope).get("open_span_summaries");

    Map<String, OpenSpanSummary> summaries =
        report(Scope.named(scope)).openSpanSummaries().stream()
            .collect(Collectors.toMap(OpenSpanSummary::span, Function.identity()));

    assertThat(summaries).hasSize(expected.size());
    for (JsonNode original : expected) {
      OpenSpanSummary summary = summaries.get(original.get("span").textValue());
      assertThat(summary.stage()).isEqualTo(XTunerFormat.stageOf(summary.span()));
      assertThat(summary.openCount()).isEqualTo(original.get("open_count").intValue());
      assertSeconds(summary.oldestAgeS(), original, "oldest_age_s");
      assertSeconds(summary.p50AgeS(), original, "p50_age_s");
      assertSeconds(summary.p95AgeS(), original, "p95_age_s");
      assertThat(summary.oldestTraceId()).isEqualTo(original.get("oldest_trace_id").textValue());
    }
  }

  private static void assertSeconds(Double actual, JsonNode original, String field) {
    double expected = original.get(field).doubleValue();
    assertThat(actual).as(field).isCloseTo(expected, like(expected));
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "latest"})
  void everyRowIsTheSame(String scope) throws IOException {
    JsonNode expected = expected(scope).get("rows");

    Map<String, Row> rows =
        report(Scope.named(scope)).rows().stream()
            .collect(Collectors.toMap(Row::traceId, Function.identity()));

    assertThat(rows).hasSize(expected.size());
    for (JsonNode original : expected) {
      Row row = rows.get(original.get("trace_id").textValue());
      assertThat(row.session()).isEqualTo(row.traceId());
      assertThat(row.taskName()).isEqualTo(original.get("task_name").textValue());
      assertThat(row.sourceStatus()).isEqualTo(original.get("status").textValue());
      assertThat(row.latestStage()).isEqualTo(original.get("latest_stage").textValue());
      assertSeconds(row.latestTimestampS(), original, "latest_timestamp_s");
      assertThat(row.eventCount()).isEqualTo(original.get("event_count").intValue());
      assertThat(row.openSpan()).isEqualTo(original.get("open_span").textValue());
      if (row.openSpan() == null) {
        assertThat(row.openAgeS()).isNull();
        assertThat(row.stage()).isNull();
      } else {
        assertSeconds(row.openAgeS(), original, "open_age_s");
        assertThat(row.stage()).isEqualTo(XTunerFormat.stageOf(row.openSpan()));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "latest"})
  void rowsComeOverdueFirstThenByAgeThenById(String scope) {
    List<Row> open =
        report(Scope.named(scope)).rows().stream().filter(r -> r.openSpan() != null).toList();

    List<Row> sorted = new ArrayList<>(open);
    sorted.sort(
        (a, b) -> {
          double left = a.usualP95S() == null ? -1 : a.openAgeS() / a.usualP95S();
          double right = b.usualP95S() == null ? -1 : b.openAgeS() / b.usualP95S();
          int order = Double.compare(right, left);
          order = order == 0 ? Double.compare(b.openAgeS(), a.openAgeS()) : order;
          return order == 0 ? a.session().compareTo(b.session()) : order;
        });
    assertThat(open).isEqualTo(sorted).isNotEmpty();
    for (Row row : open) {
      // contracts.md 4.10 to 4.12: a floor of 5 s, and who only waits for a sibling is not meant.
      double usual = row.usualP95S();
      boolean late = row.openAgeS() > Math.max(2 * usual, usual + 5);
      assertThat(row.suspect()).isEqualTo(late && row.waitsFor() == null);
    }
  }

  // ---- what the original does not tell ---------------------------------------------------------

  @Test
  void theOriginalsCompletedAreToldApart() {
    assertThat(report(Scope.ALL).sessionSummary())
        .contains(
            entry("total", 576),
            entry("running", 24),
            entry("queued", 4),
            entry("failed", 23),
            entry("rejected", 212),
            entry("completed", 313))
        .contains(entry("cancelled", 0), entry("dropped", 0), entry("lost", 0));
    assertThat(report(Scope.LATEST).sessionSummary())
        .contains(
            entry("total", 192),
            entry("running", 20),
            entry("queued", 4),
            entry("failed", 7),
            entry("rejected", 84),
            entry("completed", 77));
  }

  @Test
  void statusesAreWhatTheSimulationKnowsToBeTrue() throws IOException {
    JsonNode truth = Samples.expected(SAMPLE, "truth.json");
    Map<String, String> statuses =
        report(Scope.ALL).rows().stream().collect(Collectors.toMap(Row::session, Row::status));

    List<String> open = new ArrayList<>();
    truth.get("open").forEach(group -> group.forEach(id -> open.add(id.textValue())));
    List<String> queued = new ArrayList<>();
    truth.get("queued").forEach(id -> queued.add(id.textValue()));
    assertThat(withStatus(statuses, "running")).containsExactlyInAnyOrderElementsOf(open);
    assertThat(withStatus(statuses, "queued")).containsExactlyInAnyOrderElementsOf(queued);
    assertThat(withStatus(statuses, "failed"))
        .hasSize(truth.get("generation_failed").intValue() + truth.get("judge_errors").intValue());
    assertThat(withStatus(statuses, "rejected"))
        .hasSize(4 * truth.get("filtered_groups").intValue());
  }

  private static List<String> withStatus(Map<String, String> statuses, String status) {
    return statuses.entrySet().stream()
        .filter(e -> e.getValue().equals(status))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The original's default scope hides it as soon as batch 3 has begun. */
  @Test
  void byDefaultTheHungGroupOfTheOlderBatchIsShown() {
    LiveReport report = report(Scope.ACTIVE);

    assertThat(report.rows())
        .filteredOn(r -> r.trainStep() == 2)
        .extracting(Row::session)
        .containsExactlyInAnyOrder(
            "dapo_math:124", "dapo_math:125", "dapo_math:126", "dapo_math:127");
    assertThat(report.sessionSummary())
        .contains(entry("total", 196), entry("running", 24), entry("queued", 4));
    assertThat(report.rows())
        .filteredOn(r -> r.trainStep() == 2)
        .allMatch(r -> r.suspect() == r.session().equals("dapo_math:125"))
        .allMatch(r -> r.status().equals("running"));
    assertThat(report(Scope.LATEST).rows()).noneMatch(r -> r.trainStep() == 2);
  }

  @Test
  void theOldestOpenEngineCallNamesItsWorker() {
    OpenSpanSummary engine =
        report(Scope.ALL).openSpanSummaries().stream()
            .filter(s -> s.stage().equals("engine.generate"))
            .findFirst()
            .orElseThrow();

    assertThat(engine.oldestSession()).isEqualTo("dapo_math:125");
    assertThat(engine.worker()).matches("rank \\d");
    assertThat(engine.usualP95S()).isBetween(1.0, 100.0);
    assertThat(engine.suspect()).isTrue();
  }

  /** Rank 5 of the sample is the slow one; which rank served a session is told by its spans. */
  @Test
  void sessionsReportCountsStatusesAndSteps() {
    var report = run1.sessions(Scope.ALL);

    assertThat(report.records()).isEqualTo(576);
    assertThat(report.statuses())
        .containsExactly(
            entry("completed", 313),
            entry("rejected", 212),
            entry("running", 24),
            entry("failed", 23),
            entry("queued", 4));
    assertThat(report.stepRule()).isEqualTo("training-steps");
    assertThat(report.steps()).extracting(s -> s.step()).containsExactly(1L, 2L, 3L);
    assertThat(report.steps()).allMatch(s -> s.sessions() == 192);
    assertThat(report.unassignedSessions()).isZero();
  }
}
