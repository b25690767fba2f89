package io.rollscope.formats.xtuner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionReport;
import io.rollscope.formats.ReadSource;
import io.rollscope.formats.Samples;
import io.rollscope.formats.folder.FolderReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OTLP-JSON lines as XTuner's main branch writes them, and what its own viewer says of them. */
class XTunerMainTest {
  private static final String SAMPLE = "xtuner/main-otlp";
  private static final double NOW = 1784366700;

  /** Payloads are rounded to three decimals, of times cut to microseconds. */
  private static final double ROUNDING = 0.000502;

  private static ReadSource main;
  private static JsonNode payload;
  private static JsonNode truth;

  @TempDir Path folder;

  @BeforeAll
  static void read() throws IOException {
    main = ReadSource.of(Samples.folder(SAMPLE));
    payload = Samples.expected(SAMPLE, "payload.json");
    truth = Samples.expected(SAMPLE, "truth.json");
  }

  @Test
  void everySpanIsReadAndTheRunIsTheOneTheResourceNames() {
    int inferred = truth.get("fate.running").intValue();

    assertThat(main.context().skippedLines().count()).isZero();
    assertThat(main.run().id()).isEqualTo(truth.get("run_id").textValue());
    assertThat(main.table().rows()).isEqualTo(payload.get("spans_loaded").intValue() + inferred);
    assertThat(main.reader().files()).allMatch(f -> f.format().id().equals("otlp"));
  }

  @ParameterizedTest
  @CsvSource({
    "all,all",
    "latest,latest",
    "train_step=11,11",
    "train_step=12,12",
    "train_step=13,13"
  })
  void stagesHaveTheSameCountsMeansAndMaxima(String scope, String requested) {
    Map<String, StageStats> stages =
        main.hotspots(scope(scope)).stageStats().stream()
            .collect(Collectors.toMap(StageStats::stage, Function.identity()));

    assertThat(stages.keySet()).doesNotContain(SpanName.NOT_YET_SEEN.stage());
    for (JsonNode original : summaries(requested)) {
      StageStats stage = stages.get(original.get("stage").textValue());
      assertThat(stage.count()).isEqualTo(original.get("span_count").intValue());
      assertThat(stage.avgS())
          .isCloseTo(original.get("avg_duration_s").doubleValue(), within(ROUNDING));
      assertThat(stage.maxS())
          .isCloseTo(original.get("max_duration_s").doubleValue(), within(ROUNDING));
    }
  }

  private static Scope scope(String name) {
    return name.contains("=") ? Scope.ofBatch(name) : Scope.named(name);
  }

  /** Without the pseudo-stages under which the original books errors of no span. */
  private static List<JsonNode> summaries(String requested) {
    List<JsonNode> real = new ArrayList<>();
    for (JsonNode s :
        payload.get("by_requested_train_step").get(requested).get("stage_duration_summaries")) {
      if (s.get("span_count").intValue() > 0) {
        real.add(s);
      }
    }
    assertThat(real).hasSize(4);
    return real;
  }

  /** Theirs are nearest-rank, ours interpolate: of the same durations both must follow. */
  @ParameterizedTest
  @CsvSource({"all,all", "latest,latest", "train_step=11,11", "train_step=12,12"})
  void percentilesOfBothKindsFollowFromTheSameDurations(String scope, String requested) {
    Map<String, List<Double>> durations = durations(scope(scope));
    Map<String, StageStats> stages =
        main.hotspots(scope(scope)).stageStats().stream()
            .collect(Collectors.toMap(StageStats::stage, Function.identity()));

    for (JsonNode original : summaries(requested)) {
      String name = original.get("stage").textValue();
      double[] seconds = durations.get(name).stream().mapToDouble(d -> d).toArray();
      assertThat(nearestRank(seconds, .5))
          .isCloseTo(original.get("p50_duration_s").doubleValue(), within(ROUNDING));
      assertThat(nearestRank(seconds, .95))
          .isCloseTo(original.get("p95_duration_s").doubleValue(), within(ROUNDING));
      assertThat(stages.get(name).p50S()).isCloseTo(linear(seconds, .5), within(1e-9));
      assertThat(stages.get(name).p95S()).isCloseTo(linear(seconds, .95), within(1e-9));
    }
  }

  @Test
  void nearestRankIsTheValueAtTheRoundedUpRank() {
    assertThat(nearestRank(new double[] {4, 3, 2, 1}, .5)).isEqualTo(2);
    assertThat(nearestRank(new double[] {4, 3, 2, 1}, .95)).isEqualTo(4);
  }

  private static double nearestRank(double[] values, double p) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    BigDecimal rank = BigDecimal.valueOf(p).multiply(BigDecimal.valueOf(sorted.length));
    return sorted[Math.max(1, rank.setScale(0, RoundingMode.CEILING).intValueExact()) - 1];
  }

  private static Map<String, List<Double>> durations(Scope scope) {
    SpanTable table = main.table();
    boolean[] kept = scope.kept(table);
    Map<String, List<Double>> durations = new TreeMap<>();
    SessionSpans spans = new SessionSpans(table);
    for (int s = 0; s < table.sessionCount(); s++) {
      spans.load(s, kept);
      for (int i = 0; i < spans.count(); i++) {
        if (!spans.isOpen(i)) {
          durations
              .computeIfAbsent(spans.stage(i), n -> new ArrayList<>())
              .add((spans.end(i) - spans.start(i)) / 1e9);
        }
      }
    }
    return durations;
  }

  // ---- sessions --------------------------------------------------------------------------------

  /** The original calls a sample completed whose judge failed; it knows 7 failed of 17. */
  @Test
  void statusesAreWhatTheSimulationKnowsToBeTrue() {
    int failed =
        truth.get("fate.judge_error").intValue()
            + truth.get("fate.httpfail").intValue()
            + truth.get("fate.worker_raises").intValue();
    int syncs = truth.get("spans_without_rollout_id").intValue();

    LiveReport report = main.live(Scope.ALL, NOW);

    assertThat(failed).isEqualTo(17);
    assertThat(report.sessionSummary())
        .contains(
            entry("total", truth.get("samples").intValue() + syncs),
            entry("failed", failed),
            entry("cancelled", truth.get("fate.abort").intValue()),
            entry("running", truth.get("fate.running").intValue()),
            entry("completed", truth.get("fate.ok").intValue() + syncs),
            entry("queued", 0));
  }

  @Test
  void everySampleIsASessionWithItsGroupStepAndTask() {
    for (JsonNode sample : payload.get("samples_all")) {
      String id = sample.get("rollout_id").asText();
      SessionReport session = main.session(id);

      assertThat(session.traceId()).isEqualTo(sample.get("trace_id").textValue());
      assertThat(session.task()).isEqualTo(sample.get("group_id").asText());
      assertThat(session.trainStep()).isEqualTo(sample.get("producer_future_step").longValue());
      assertThat(session.taskName()).isEqualTo(sample.get("task_name").textValue());
      assertThat(session.siblings()).hasSize(3);
      long seen =
          session.spans().stream()
              .filter(s -> !s.span().equals(SpanName.NOT_YET_SEEN.raw()))
              .count();
      assertThat(seen).isEqualTo(sample.get("span_count").longValue());
      boolean running = sample.get("status").textValue().equals("running");
      assertThat(session.status().equals("running")).isEqualTo(running);
    }
  }

  @Test
  void groupsAreTasks() {
    Set<Integer> tasks = new HashSet<>();
    for (int s = 0; s < main.table().sessionCount(); s++) {
      if (main.table().taskId(s) >= 0) {
        tasks.add(main.table().taskId(s));
      }
    }

    assertThat(tasks).hasSize(truth.get("groups").intValue());
  }

  /** Each step has its 68 samples and one weight sync of the trainer. */
  @Test
  void theStepsAreThoseTheSamplesName() {
    var report = main.sessions(Scope.ALL);

    assertThat(report.stepRule()).isEqualTo("training-steps");
    assertThat(report.steps()).extracting(s -> s.step()).containsExactly(11L, 12L, 13L);
    assertThat(report.steps()).allMatch(s -> s.sessions() == 69);
    assertThat(report.unassignedSessions()).isZero();
  }

  /** A span whose parent was never exported: the parent is still open, so the sample runs. */
  @Test
  void aSampleOfWhichOnlyInnerSpansAreThereIsRunningAndSaysSo() {
    List<LiveReport.Row> running =
        main.live(Scope.LATEST, NOW).rows().stream()
            .filter(r -> r.status().equals("running"))
            .toList();

    assertThat(running).hasSize(6).allMatch(r -> r.openSpan().equals("(not yet seen)"));
    assertThat(running).allMatch(r -> r.trainStep() == 13);
  }

  @Test
  void wholeSamplesHaveTheSameSpansIdsAndOutcomes() throws IOException {
    for (JsonNode sample : Samples.expected(SAMPLE, "samples.full.json")) {
      SessionSpans spans = new SessionSpans(main.table());
      spans.load(main.table().findSession(sample.get("rollout_id").asText()));
      Map<String, Integer> byId = new TreeMap<>();
      for (int i = 0; i < spans.count(); i++) {
        byId.put(String.format("%016x", spans.spanId(i)), i);
      }
      for (JsonNode original : sample.get("spans")) {
        int span = byId.get(original.get("span_id").textValue());
        JsonNode parent = original.get("parent_span_id");
        assertThat(spans.parentId(span))
            .isEqualTo(parent.isNull() ? 0 : Long.parseUnsignedLong(parent.textValue(), 16));
        assertThat(main.table().nameOf(spans.name(span)))
            .isEqualTo(
                new SpanName(original.get("name").textValue(), original.get("stage").textValue()));
        assertThat(spans.start(span) / 1_000).isEqualTo(original.get("start_time_us").longValue());
        assertThat((spans.end(span) - spans.start(span)) / 1e6)
            .isCloseTo(original.get("duration_ms").doubleValue(), within(.0015));
        boolean failed = original.get("status").textValue().equals("ERROR");
        assertThat(spans.outcome(span)).isEqualTo(failed ? Outcome.ERROR : Outcome.OK);
        if (failed) {
          assertThat(spans.error(span))
              .isEqualTo(
                  original.get("attributes").get("error.type").textValue()
                      + ": "
                      + original.get("attributes").get("error.message").textValue());
        }
      }
    }
  }

  // ---- other ways to write and read the same --------------------------------------------------

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Samples.folder(SAMPLE).resolve("traces.jsonl"));
  }

  private static void assertSame(ReadSource other) {
    assertThat(other.run().id()).isEqualTo(main.run().id());
    assertThat(other.live(Scope.ALL, NOW)).isEqualTo(main.live(Scope.ALL, NOW));
    assertThat(other.live(Scope.ACTIVE, NOW)).isEqualTo(main.live(Scope.ACTIVE, NOW));
    assertThat(other.hotspots(Scope.ALL)).isEqualTo(main.hotspots(Scope.ALL));
    assertThat(other.hotspots(Scope.LATEST)).isEqualTo(main.hotspots(Scope.LATEST));
    assertThat(other.sessions(Scope.ALL)).isEqualTo(main.sessions(Scope.ALL));
  }

  /** Python's JSON of protobuf keeps the names of the fields. */
  @Test
  void keysInSnakeCaseGiveTheSameResult() throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<String> snake = new ArrayList<>();
    for (String line : lines()) {
      snake.add(json.writeValueAsString(snakeCase(json.readTree(line))));
    }
    assertThat(snake.get(0)).contains("resource_spans", "start_time_unix_nano", "string_value");
    Files.write(folder.resolve("traces.jsonl"), snake);

    assertSame(ReadSource.of(folder));
  }

  /** Also with 64-bit numbers as numbers. */
  private static JsonNode snakeCase(JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode snake = object.objectNode();
      object
          .properties()
          .forEach(
              e -> {
                String key = e.getKey().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
                boolean number = key.equals("int_value") || key.endsWith("_time_unix_nano");
                JsonNode value = snakeCase(e.getValue());
                snake.set(key, number ? object.numberNode(value.asLong()) : value);
              });
      return snake;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode snake = array.arrayNode();
      array.forEach(e -> snake.add(snakeCase(e)));
      return snake;
    }
    return node;
  }

  /** The collector moves the file away at 64 MB; the original reads only what is left. */
  @Test
  void rotatedPiecesAreReadWithTheFileThatWasNamed() throws IOException {
    List<String> lines = lines();
    Path first = folder.resolve("traces-2026-07-18T09-20-00.000.jsonl");
    Path second = folder.resolve("traces-2026-07-18T09-25-00.000.jsonl");
    Files.write(first, lines.subList(0, 60));
    Files.write(second, lines.subList(60, 130));
    Files.write(folder.resolve("traces.jsonl"), lines.subList(130, lines.size()));
    Files.writeString(folder.resolve("traces-of-something-else.jsonl"), "{}\n");

    ReadSource rotated = ReadSource.of(folder.resolve("traces.jsonl"));

    assertThat(rotated.reader().files()).hasSize(3);
    assertSame(rotated);
  }

  /** The file is rotated while it is being followed. */
  @Test
  void aFileThatIsRotatedWhileBeingFollowedIsNotReadTwice() throws IOException {
    List<String> lines = lines();
    Path file = folder.resolve("traces.jsonl");
    Files.write(file, lines.subList(0, 100));
    FolderReader reader = ReadSource.open(file);
    assertThat(reader.poll()).isTrue();
    Files.move(file, folder.resolve("traces-2026-07-18T09-20-00.000.jsonl"));
    Files.write(file, lines.subList(100, lines.size()));

    assertThat(reader.poll()).isTrue();

    assertSame(ReadSource.of(reader));
  }

  /** Batch processors of many processes export when they like: children before parents. */
  @Test
  void theOrderOfTheLinesDoesNotMatter() throws IOException {
    List<String> lines = new ArrayList<>(lines());
    Collections.shuffle(lines, new Random(4711));
    Files.write(folder.resolve("traces.jsonl"), lines);

    assertSame(ReadSource.of(folder));
  }

  @Test
  void followingTheFileEndsWhereReadingItAtOnceEnds() throws IOException {
    List<String> lines = lines();
    Path file = folder.resolve("traces.jsonl");
    FolderReader reader = ReadSource.open(folder);
    for (int from = 0; from < lines.size(); from += 40) {
      Files.write(
          file,
          lines.subList(from, Math.min(lines.size(), from + 40)),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      reader.poll();
    }

    assertSame(ReadSource.of(reader));
  }

  /** An exporter that got no answer sends the request again. */
  @Test
  void linesThatWereExportedTwiceCountOnce() throws IOException {
    List<String> lines = new ArrayList<>(lines());
    lines.addAll(lines.subList(50, 120));
    Files.write(folder.resolve("traces.jsonl"), lines);

    assertSame(ReadSource.of(folder));
  }

  /** The definition: linear between the neighbours of position (n-1)·p. */
  private static double linear(double[] values, double p) {
    double[] sorted = Arrays.stream(values).sorted().toArray();
    double position = (sorted.length - 1) * p;
    int below = (int) Math.floor(position);
    int above = (int) Math.ceil(position);
    return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
  }
}
