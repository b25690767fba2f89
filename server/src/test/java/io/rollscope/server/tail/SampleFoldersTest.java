package io.rollscope.server.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.HotspotsView;
import io.rollscope.core.view.LiveBoard;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import io.rollscope.formats.otlp.OtlpWriter;
import io.rollscope.formats.output.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What real folders tell a server is what is read from them directly. */
class SampleFoldersTest {
  private static final ReportContext CONTEXT =
      new ReportContext("source", "run", new ReportContext.SkippedLines(0, List.of()));

  @TempDir Path folder;

  @Test
  void aServerKnowsOfAnXTunerFolderWhatTheFolderSays() throws Exception {
    RunData expected = read("xtuner/run1");

    ToldSpans told = told("xtuner/run1");
    RunData actual = told.readBack(folder.resolve("traces.jsonl"));

    assertThat(actual.id()).isEqualTo("run1").isEqualTo(expected.id());
    assertSameStages(expected.table(), actual.table());
    assertThat(told.messages()).isEqualTo(told.byId().size());
    assertThat(told.open()).isEqualTo(openSpans(expected.table()));
    assertThat(told.byId().values())
        .filteredOn(t -> t.attribute("rl.group.inferred") != null)
        .hasSize(572)
        .extracting(t -> t.attribute("rl.group.inferred"))
        .contains("dapo_math:124");
    // XTuner records no parents, so nothing is said by a root that closed: those wait.
    Map<String, Status> statuses = statuses(expected.table());
    assertThat(statuses.values()).filteredOn(Status.QUEUED::equals).hasSize(4);
    statuses.replaceAll((key, status) -> status == Status.QUEUED ? Status.COMPLETED : status);
    assertThat(statuses(actual.table())).isEqualTo(statuses);
  }

  @Test
  void theLiveBoardOfAnXTunerFolderIsTheSame() throws Exception {
    RunData expected = read("xtuner/run1");
    RunData actual = told("xtuner/run1").readBack(folder.resolve("traces.jsonl"));

    long now = expected.table().newestInstant();
    LiveReport before = new LiveBoard(expected.table(), Scope.ALL).report(CONTEXT, now, 1000);
    LiveReport after = new LiveBoard(actual.table(), Scope.ALL).report(CONTEXT, now, 1000);

    assertThat(after.taskSummary()).isEqualTo(before.taskSummary());
    assertThat(after.openSpanSummaries())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("oldestTraceId")
        .isEqualTo(before.openSpanSummaries());
  }

  @Test
  void aServerKnowsOfArealSessionsWhatTheFolderSays() throws Exception {
    RunData expected = read("areal/current/session_tracer");

    ToldSpans told = told("areal/current/session_tracer");
    RunData actual = told.readBack(folder.resolve("traces.jsonl"));

    assertThat(told.byId()).hasSize(816 + 1277 + 773 + 477);
    assertThat(actual.id()).isEqualTo("areal/current").isEqualTo(expected.id());
    assertThat(statuses(actual.table())).isEqualTo(statuses(expected.table()));
    assertThat(reasons(actual.table())).isEqualTo(reasons(expected.table()));
    assertSameStages(expected.table(), actual.table());
    HotspotsReport.Waits waits = hotspots(expected.table()).waits();
    HotspotsReport.Waits seen = hotspots(actual.table()).waits();
    assertThat(seen.queueS()).isCloseTo(waits.queueS(), within(1e-6));
    assertThat(seen.barrierS()).isCloseTo(waits.barrierS(), within(1e-6));
    assertThat(seen.gapS()).isCloseTo(waits.gapS(), within(1e-6));
  }

  @Test
  void perfEventsAreLanesOnTheClockOfTheirProcess() throws Exception {
    ToldSpans told = told("areal/current/perf_tracer");

    assertThat(told.byId().values())
        .allSatisfy(
            t -> {
              assertThat(t.attribute("rl.lane")).matches("rank [01] process \\d+ thread \\d+");
              boolean point = t.attribute("rollscope.point") != null;
              assertThat(t.attribute("rl.kind")).isEqualTo(point ? "task" : "op");
              assertThat(t.attribute("rl.session.id")).isNull();
              assertThat(t.resourceAttribute("rollscope.clock"))
                  .matches("relative:perf_tracer/traces-r[01].jsonl");
              assertThat(t.resourceAttribute("rollscope.source")).isEqualTo("areal-perf");
            });
    long events = told.byId().values().stream().mapToLong(t -> t.span().getEventsCount()).sum();
    long points =
        told.byId().values().stream().filter(t -> t.attribute("rollscope.point") != null).count();
    assertThat(events + points).isEqualTo(26);
    assertThat(told.byId()).hasSize((int) (1415 + points));
    assertSameOps(read("areal/current/perf_tracer").table(), told);
  }

  private static void assertSameOps(SpanTable table, ToldSpans told) {
    Map<String, Long> expected = new TreeMap<>();
    SessionSpans spans = new SessionSpans(table);
    for (int s = 0; s < table.sessionCount(); s++) {
      spans.load(s);
      for (int i = 0; i < spans.count(); i++) {
        expected.merge(spans.stage(i), spans.end(i) - spans.start(i), Long::sum);
      }
    }
    Map<String, Long> actual = new TreeMap<>();
    told.byId().values().stream()
        .filter(t -> t.attribute("rollscope.point") == null)
        .map(ToldSpans.Told::span)
        .forEach(
            s ->
                actual.merge(
                    s.getName(), s.getEndTimeUnixNano() - s.getStartTimeUnixNano(), Long::sum));
    assertThat(actual).isEqualTo(expected);
  }

  @Test
  void olderArealRowsOnAClockOfTheirOwnSaySo() throws Exception {
    assertThat(told("areal/old").byId().values())
        .extracting(t -> t.resourceAttribute("rollscope.clock"))
        .contains("relative:old/requests-pr509.jsonl")
        .allMatch(clock -> clock.startsWith("relative:old/"));
    assertThat(told("areal/current/session_tracer").byId().values())
        .extracting(t -> t.resourceAttribute("rollscope.clock"))
        .containsOnlyNulls();
  }

  @Test
  void whatALineSaysBesideIsKept() throws Exception {
    assertThat(told("xtuner/run1").byId().values())
        .allSatisfy(
            t -> {
              assertThat(t.attribute("xtuner.uid")).matches("\\d+");
              assertThat(t.attribute("rl.session.id")).endsWith(":" + t.attribute("xtuner.uid"));
              assertThat(t.attribute("xtuner.trace_id")).isNull();
            });
    assertThat(
            told("areal/current/session_tracer").byId().values().stream()
                .map(t -> t.attribute("areal.counters.turns"))
                .filter(Objects::nonNull)
                .mapToLong(Long::parseLong)
                .sum())
        .isEqualTo(1296);
    assertThat(told("areal/current/perf_tracer").byId().values())
        .allSatisfy(t -> assertThat(t.attribute("areal.cat")).isNotEmpty());
  }

  @Test
  void idsAreThoseThatConvertGives() throws Exception {
    for (String sample : List.of("xtuner/run1", "areal/current/session_tracer")) {
      Path file = folder.resolve("converted.jsonl");
      RunData run = read(sample);
      try (OutputFile out = OutputFile.at(file, List.of())) {
        OtlpWriter.write(run.table(), run.id(), out);
        out.commit();
      }
      Set<String> converted =
          Pattern.compile("\"traceId\":\"(\\w+)\",\"spanId\":\"(\\w+)\"")
              .matcher(Files.readString(file))
              .results()
              .map(m -> m.group(1) + "/" + m.group(2))
              .collect(Collectors.toSet());
      assertThat(converted).containsAll(told(sample).byId().keySet());
      Files.delete(file);
    }
  }

  @Test
  void readingAFolderTwiceGivesTheSameIds() throws Exception {
    for (String sample : List.of("xtuner/run1", "areal/current", "areal/old")) {
      assertThat(told(sample).byId().keySet()).isEqualTo(told(sample).byId().keySet());
    }
  }

  @Test
  void aGivenRunIsSaidAsOne() throws Exception {
    MemorySink sink = new MemorySink();
    new Tails(sink).follow(Tails.sample("xtuner/run1"), "mine").poll();

    assertThat(ToldSpans.of(sink.taken()).byId().values())
        .allSatisfy(t -> assertThat(t.resourceAttribute("rl.run.id")).isEqualTo("mine"));
  }

  private static ToldSpans told(String sample) {
    MemorySink sink = new MemorySink();
    Tails tails = new Tails(sink);
    tails.follow(Tails.sample(sample)).poll();
    assertThat(tails.said).isEmpty();
    return ToldSpans.of(sink.taken());
  }

  private static RunData read(String sample) throws IOException {
    FolderReader reader =
        new FolderReader(
            new SourcePath(Tails.sample(sample).toString()), null, null, Long.MAX_VALUE);
    reader.readAll();
    return reader.runs().newest();
  }

  private static HotspotsReport hotspots(SpanTable table) {
    return HotspotsView.of(table, Scope.ALL, CONTEXT);
  }

  private static void assertSameStages(SpanTable expected, SpanTable actual) {
    HotspotsReport before = hotspots(expected);
    HotspotsReport after = hotspots(actual);
    assertThat(after.sessionCount()).isEqualTo(before.sessionCount());
    assertThat(after.spanCount()).isEqualTo(before.spanCount());
    assertThat(after.stageStats()).hasSameSizeAs(before.stageStats());
    for (int i = 0; i < before.stageStats().size(); i++) {
      StageStats stage = before.stageStats().get(i);
      assertThat(after.stageStats().get(i))
          .usingRecursiveComparison()
          .withComparatorForType(
              (x, y) -> Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(y)) ? 0 : 1, Double.class)
          .isEqualTo(stage);
    }
  }

  private static long openSpans(SpanTable table) {
    long open = 0;
    SessionSpans spans = new SessionSpans(table);
    for (int s = 0; s < table.sessionCount(); s++) {
      spans.load(s);
      for (int i = 0; i < spans.count(); i++) {
        open += spans.isOpen(i) ? 1 : 0;
      }
    }
    return open;
  }

  private static Map<String, Status> statuses(SpanTable table) {
    Map<String, Status> statuses = new TreeMap<>();
    SessionSpans spans = new SessionSpans(table);
    for (int s = 0; s < table.sessionCount(); s++) {
      spans.load(s);
      statuses.put(table.key(s), SessionState.statusOf(spans));
    }
    return statuses;
  }

  private static Map<String, String> reasons(SpanTable table) {
    Map<String, String> reasons = new TreeMap<>();
    for (int s = 0; s < table.sessionCount(); s++) {
      reasons.put(table.key(s), String.valueOf(table.reason(s)));
    }
    return reasons;
  }
}
