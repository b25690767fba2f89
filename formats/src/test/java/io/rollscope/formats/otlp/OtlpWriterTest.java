package io.rollscope.formats.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.HotspotsView;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import io.rollscope.formats.output.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is exported and read back tells the same story. */
class OtlpWriterTest {
  @TempDir Path folder;

  @Test
  void xtunerSurvivesTheRoundTrip() throws Exception {
    assertRoundTrip("xtuner/run1");
  }

  @Test
  void arealSessionsSurviveTheRoundTrip() throws Exception {
    assertRoundTrip("areal/current/session_tracer");
  }

  private void assertRoundTrip(String sample) throws Exception {
    RunData before = read(sample(sample));
    RunData after = read(export(before, "traces.jsonl"));

    assertThat(after.id()).isEqualTo(before.id());
    assertThat(statuses(after.table())).isEqualTo(statuses(before.table()));
    assertThat(tasks(after.table())).isEqualTo(tasks(before.table()));
    assertSameStages(before.table(), after.table(), Scope.ALL);
    assertSameStages(before.table(), after.table(), Scope.LATEST);
  }

  private static void assertSameStages(SpanTable before, SpanTable after, Scope scope) {
    HotspotsReport expected = hotspots(before, scope);
    HotspotsReport actual = hotspots(after, scope);
    assertThat(actual.stageStats()).hasSameSizeAs(expected.stageStats());
    assertThat(actual.sessionCount()).isEqualTo(expected.sessionCount());
    assertThat(actual.spanCount()).isEqualTo(expected.spanCount());
    for (int i = 0; i < expected.stageStats().size(); i++) {
      StageStats e = expected.stageStats().get(i);
      StageStats a = actual.stageStats().get(i);
      assertThat(a)
          .usingRecursiveComparison()
          .withComparatorForType(
              (x, y) -> Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(y)) ? 0 : 1, Double.class)
          .isEqualTo(e);
    }
    assertThat(actual.waits().queueS()).isCloseTo(expected.waits().queueS(), within(1e-6));
    assertThat(actual.waits().gapS()).isCloseTo(expected.waits().gapS(), within(1e-6));
  }

  @Test
  void anExportIsReadBackAndExportedUnchanged() throws Exception {
    Path first = export(read(sample("xtuner/run1")), "first.jsonl");

    Path second = export(read(first), "second.jsonl");

    assertThat(spans(second)).isEqualTo(spans(first));
  }

  /** Spans without their points, which are not read back, by id. */
  private static Map<String, JsonNode> spans(Path file) throws IOException {
    Map<String, JsonNode> spans = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      for (JsonNode span :
          new ObjectMapper().readTree(line).at("/resourceSpans/0/scopeSpans/0/spans")) {
        Map<String, String> attributes = new TreeMap<>();
        span.get("attributes")
            .forEach(a -> attributes.put(a.get("key").asText(), a.get("value").toString()));
        // The stage of a root is its name.
        attributes.remove("rl.stage");
        JsonNode seen =
            new ObjectMapper()
                .createObjectNode()
                .put("ids", span.get("traceId") + " " + span.path("parentSpanId"))
                .put("times", span.get("startTimeUnixNano") + " " + span.get("endTimeUnixNano"))
                .put("status", span.path("status").toString())
                .put("attributes", attributes.toString());
        assertThat(spans.put(span.get("spanId").asText(), seen)).isNull();
      }
    }
    return spans;
  }

  @Test
  void exportingTwiceGivesTheSameIds() throws Exception {
    Path once = export(read(sample("xtuner/run1")), "once.jsonl");
    Path again = export(read(sample("xtuner/run1")), "again.jsonl");

    assertThat(once).hasSameBinaryContentAs(again);
  }

  @Test
  void linesAreExportRequestsOfAtMost200Spans() throws Exception {
    Path file = export(read(sample("areal/current/session_tracer")), "traces.jsonl");
    ObjectMapper json = new ObjectMapper();
    Set<String> ids = new HashSet<>();
    for (String line : Files.readAllLines(file)) {
      JsonNode request = json.readTree(line);
      assertThat(request.at("/resourceSpans/0/resource/attributes").toString())
          .contains("\"rl.run.id\"", "\"rollscope\"");
      JsonNode spans = request.at("/resourceSpans/0/scopeSpans/0/spans");
      assertThat(spans.size()).isBetween(1, 200);
      for (JsonNode span : spans) {
        assertThat(span.get("traceId").asText()).matches("[0-9a-f]{32}");
        assertThat(ids.add(span.get("spanId").asText())).isTrue();
      }
    }
    assertThat(ids).hasSize(816 + 1277 + 773 + 477);
  }

  @Test
  void eventsOnAProcessesOwnClockAreLeftOutAndCounted() throws Exception {
    RunData perf = read(sample("areal/current/perf_tracer"));

    try (OutputFile out = OutputFile.at(folder.resolve("traces.jsonl"), List.of())) {
      OtlpWriter.Result result = OtlpWriter.write(perf.table(), perf.id(), out);
      assertThat(result.spans()).isZero();
      assertThat(result.leftOut()).isEqualTo(1415 + 26);
    }
  }

  private static Path sample(String name) throws Exception {
    return Path.of(OtlpWriterTest.class.getResource("/samples/" + name).toURI());
  }

  private Path export(RunData run, String name) throws IOException {
    Path file = folder.resolve(name);
    try (OutputFile out = OutputFile.at(file, List.of())) {
      OtlpWriter.write(run.table(), run.id(), out);
      out.commit();
    }
    return file;
  }

  private static RunData read(Path source) throws IOException {
    FolderReader reader =
        new FolderReader(new SourcePath(source.toString()), null, null, Long.MAX_VALUE);
    reader.readAll();
    assertThat(reader.skipped().examples()).isEmpty();
    return reader.runs().newest();
  }

  private static Map<String, Status> statuses(SpanTable table) {
    Map<String, Status> statuses = new TreeMap<>();
    SessionSpans spans = new SessionSpans(table);
    for (int s = 0; s < table.sessionCount(); s++) {
      spans.load(s);
      statuses.put(table.key(s), SessionState.of(spans).status());
    }
    return statuses;
  }

  private static Map<String, String> tasks(SpanTable table) {
    Map<String, String> tasks = new TreeMap<>();
    for (int s = 0; s < table.sessionCount(); s++) {
      tasks.put(table.key(s), String.valueOf(table.task(s)));
    }
    return tasks;
  }

  private static HotspotsReport hotspots(SpanTable table, Scope scope) {
    return HotspotsView.of(
        table,
        scope,
        new ReportContext("source", "run", new ReportContext.SkippedLines(0, List.of())));
  }
}
