package io.rollscope.formats.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.BatchesView;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionsView;
import io.rollscope.formats.ReadSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What spans say of their session must not depend on the order in which they arrive. */
class OtlpSessionsTest {
  @TempDir Path folder;

  /** One request with one span of session "s"; times in seconds after 1,000. */
  private static String line(int id, String kind, String name, int from, int to, String more) {
    return """
        {"resourceSpans":[{"resource":{"attributes":[{"key":"rl.run.id","value":{"stringValue":"r"}}]},\
        "scopeSpans":[{"spans":[{"traceId":"%032x","spanId":"%016x","name":"%s",\
        "startTimeUnixNano":"%d000000000","endTimeUnixNano":"%d000000000","attributes":[\
        {"key":"rl.session.id","value":{"stringValue":"s"}},\
        {"key":"rl.kind","value":{"stringValue":"%s"}}%s]}]}]}]}"""
        .formatted(7, id, name, 1000 + from, to < 0 ? 0 : 1000 + to, kind, more);
  }

  private static String text(String key, String value) {
    return ",{\"key\":\"%s\",\"value\":{\"stringValue\":\"%s\"}}".formatted(key, value);
  }

  private ReadSource read(List<String> lines) throws IOException {
    Files.write(folder.resolve("traces.jsonl"), lines);
    return ReadSource.of(folder);
  }

  /** A sample that was rejected when it was tried again: the newest verdict holds. */
  @Test
  void ofTwoVerdictsTheNewestHoldsInWhateverOrderTheyCame() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(line(1, "session", "try 1", 0, 5, text("rl.status", "accepted")));
    lines.add(line(2, "session", "try 2", 6, 9, text("rl.status", "rejected")));
    lines.add(line(3, "phase", "generate", 1, 4, ""));

    SessionReport inOrder = read(lines).session("s");
    Collections.reverse(lines);
    SessionReport reversed = read(lines).session("s");

    for (SessionReport session : List.of(inOrder, reversed)) {
      assertThat(session.status()).isEqualTo("rejected");
      assertThat(session.startS()).isEqualTo(1000);
      assertThat(session.endS()).isEqualTo(1009);
      assertThat(session.finalised()).isTrue();
    }
  }

  /** What a call read is known when it begins, what it wrote when it has ended. */
  @Test
  void callsSayWhatTheyReadAndWroteThemselves() throws IOException {
    SpanTable table =
        read(List.of(
                line(1, "session", "session", 0, 10, text("gen_ai.usage.output_tokens", "99")),
                line(2, "phase", "generate", 2, -1, text("gen_ai.usage.input_tokens", "412")),
                line(2, "phase", "generate", 2, 6, text("completion_tokens", "88")),
                line(3, "phase", "judge", 7, 9, "")))
            .table();

    Map<String, String> tokens = new TreeMap<>();
    for (int row = 0; row < table.rows(); row++) {
      if (table.session(row) >= 0) {
        tokens.put(
            table.nameOf(table.name(row)).raw(),
            table.inputTokens(row) + " → " + table.outputTokens(row));
      }
    }
    assertThat(tokens)
        .isEqualTo(Map.of("session", "-1 → 99", "generate", "412 → 88", "judge", "-1 → -1"));
  }

  /** Either version of a span may say it; what is no time says nothing. */
  @Test
  void callsSayHowLongTheyWaitedInTheQueue() throws IOException {
    String key = "gen_ai.latency.time_in_queue";
    SpanTable table =
        read(List.of(
                line(1, "session", "session", 0, 10, ""),
                line(2, "phase", "a", 2, -1, text(key, "1.5")),
                line(2, "phase", "a", 2, 6, ""),
                line(3, "phase", "b", 2, -1, ""),
                line(3, "phase", "b", 2, 6, text(key, "2e-3")),
                line(
                    4,
                    "phase",
                    "c",
                    7,
                    9,
                    ",{\"key\":\"" + key + "\",\"value\":{\"doubleValue\":0.25}}"),
                line(
                    5,
                    "phase",
                    "d",
                    7,
                    9,
                    ",{\"key\":\"" + key + "\",\"value\":{\"intValue\":\"0\"}}"),
                line(6, "phase", "e", 7, 9, text(key, "-1")),
                line(7, "phase", "f", 7, 9, text(key, "1 s"))))
            .table();

    Map<String, Long> queued = new TreeMap<>();
    for (int row = 0; row < table.rows(); row++) {
      if (table.session(row) >= 0 && table.queuedNs(row) != Nanos.UNKNOWN) {
        queued.put(table.nameOf(table.name(row)).raw(), table.queuedNs(row));
      }
    }
    assertThat(queued)
        .isEqualTo(Map.of("a", 1_500_000_000L, "b", 2_000_000L, "c", 250_000_000L, "d", 0L));
  }

  /** The session span carries when it began and was decided; what it holds is work. */
  @Test
  void aSessionSpanGivesWallTimeAndVerdictAndIsNoWork() throws IOException {
    ReadSource source =
        read(
            List.of(
                line(1, "session", "session", 0, 10, text("rl.status", "accepted")),
                line(2, "phase", "generate", 2, 6, "")));

    SessionReport session = source.session("s");

    assertThat(session.status()).isEqualTo("accepted");
    assertThat(session.wallS()).isEqualTo(10);
    assertThat(session.waits().queueS()).isEqualTo(2);
    assertThat(session.waits().barrierS()).isEqualTo(4);
    assertThat(source.hotspots(Scope.ALL).spanCount()).isEqualTo(1);
  }

  private static String on(int rank) {
    return text("rl.worker.role", "rollout")
        + ",{\"key\":\"rl.worker.rank\",\"value\":{\"intValue\":\"%d\"}}".formatted(rank);
  }

  /** “9m 53s of spans lie outside their session”, but whose? */
  @Test
  void aSkewedClockNamesTheWorkerWhoseSpansLieOutsideTheirSession() throws IOException {
    HotspotsReport hotspots =
        read(List.of(
                line(1, "session", "sample", 10, 50, on(0)),
                line(2, "phase", "judge", 40, 55, on(0)),
                line(3, "phase", "generate", 4, 30, on(3)),
                line(4, "phase", "reward", 60, 62, on(10)),
                line(5, "phase", "tool", 2, 8, on(10))))
            .hotspots(Scope.ALL);

    assertThat(hotspots.waits().outsideS()).isEqualTo(5 + 6 + 8);
    assertThat(hotspots.outsideWorker()).isEqualTo("[rollout] rank 10");
  }

  @Test
  void ofTwoWorkersAsFarOutsideTheLeastIsNamedAndNoneWhereAllIsInside() throws IOException {
    String session = line(1, "session", "sample", 10, 50, on(0));
    List<String> equal =
        List.of(
            session,
            line(2, "phase", "generate", 5, 30, on(3)),
            line(3, "phase", "generate", 20, 55, on(2)));
    List<String> inside = List.of(session, line(2, "phase", "generate", 10, 50, on(3)));

    assertThat(read(equal).hotspots(Scope.ALL).outsideWorker()).isEqualTo("[rollout] rank 2");
    assertThat(read(inside).hotspots(Scope.ALL).outsideWorker()).isNull();
  }

  /** “90 % done after 4.36 s” of a step whose samples were nearly all done after 0.69 s. */
  @Test
  void verdictsThatComeWithTheGroupMakeNoTailAndNoStragglers() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < 10; n++) {
      int done = n == 9 ? 40 : 7;
      String step = ",{\"key\":\"rl.train_step\",\"value\":{\"intValue\":\"1\"}}";
      String sample =
          line(20 + n, "session", "sample", 0, 46, text("rl.status", "accepted") + step);
      String generate = line(40 + n, "phase", "generate", 0, done, "");
      for (String line : List.of(sample, generate)) {
        lines.add(line.replace("\"stringValue\":\"s\"", "\"stringValue\":\"s-%d\"".formatted(n)));
      }
    }
    ReadSource source = read(lines);

    BatchesReport.Batch batch =
        BatchesView.of(
                new SessionsView.Input(source.table(), Map.of(), source.run().barrierSpans(), null),
                Scope.ALL,
                10,
                source.context())
            .batches()
            .get(0);

    assertThat(batch.sessions()).isEqualTo(10);
    assertThat(batch.tailS()).isEqualTo(40 - 7);
    assertThat(batch.tailCostS()).isEqualTo(9 * (40 - 7));
    assertThat(batch.stragglers().get(0).session()).isEqualTo("s-9");
    assertThat(batch.stragglers().get(0).longestIn()).isEqualTo("generate");
    assertThat(batch.waits().barrierS()).isEqualTo(9 * (46 - 7) + (46 - 40));
  }

  /** Hung and cancelled samples were booked on the engine, which had the last word. */
  @Test
  void aSampleIsOfTheWorkerThatOwnsItAndNotOfTheEngineThatHadTheLastWord() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(line(1, "session", "sample", 0, 30, text("rl.worker.role", "agent")));
    lines.add(line(2, "phase", "generate", 2, 20, on(5)));
    lines.add(line(3, "phase", "generate", 21, 40, on(6)));
    for (int order = 0; order < 2; order++) {
      SessionReport session = read(lines).session("s");
      assertThat(session.worker()).isEqualTo("[agent]");
      assertThat(session.spans())
          .extracting(SessionReport.SpanLine::worker)
          .containsExactly("[agent]", "[rollout] rank 5", "[rollout] rank 6");
      Collections.reverse(lines);
    }
  }

  @Test
  void anOpenSessionSpanMeansRunning() throws IOException {
    SessionReport session =
        read(List.of(
                line(1, "session", "session", 0, -1, ""), line(2, "phase", "generate", 2, 6, "")))
            .session("s");

    assertThat(session.status()).isEqualTo("running");
    assertThat(session.finalised()).isFalse();
  }

  /** Kept with zero length. */
  @Test
  void aSpanThatEndsBeforeItBeginsHasNoLength() throws IOException {
    SessionReport session = read(List.of(line(2, "phase", "generate", 6, 2, ""))).session("s");

    assertThat(session.spans()).singleElement().matches(s -> s.durationS() == 0);
  }

  /** Only the session's own span names the step: hotspots of the newest step were empty. */
  @Test
  void scopesLatestAndBatchOfAFolderKeepAllSpansOfASession() throws IOException {
    String step = ",{\"key\":\"rl.train_step\",\"value\":{\"intValue\":\"3\"}}";
    ReadSource source =
        read(
            List.of(
                line(2, "phase", "generate", 2, 6, ""),
                line(1, "session", "session", 0, 10, step)));

    for (Scope scope : List.of(Scope.LATEST, Scope.ofBatch("train_step=3"))) {
      assertThat(source.hotspots(scope).stageStats())
          .singleElement()
          .matches(s -> s.stage().equals("generate") && s.selfS() == 4);
      assertThat(source.hotspots(scope).waits().queueS()).isEqualTo(2);
    }
    assertThat(source.session("s").spans()).allMatch(s -> s.trainStep() == 3);
  }

  private static String op(int id, int parent, String name, int from, int to, String more) {
    return """
        {"resourceSpans":[{"resource":{"attributes":[{"key":"rl.run.id","value":{"stringValue":"r"}}]},\
        "scopeSpans":[{"spans":[{"traceId":"%032x","spanId":"%016x"%s,"name":"%s",\
        "startTimeUnixNano":"%d000000000","endTimeUnixNano":"%d000000000","attributes":[\
        {"key":"rl.kind","value":{"stringValue":"op"}}%s]}]}]}]}"""
        .formatted(
            9,
            id,
            parent == 0 ? "" : ",\"parentSpanId\":\"%016x\"".formatted(parent),
            name,
            1000 + from,
            1000 + to,
            more);
  }

  /** train.step around train.forward had self = total, and shares added up to 123 %. */
  @Test
  void trainForwardInsideTrainStepIsNotCountedTwice() throws IOException {
    String step = ",{\"key\":\"rl.train_step\",\"value\":{\"intValue\":\"3\"}}";
    List<String> lines =
        new ArrayList<>(
            List.of(
                op(2, 1, "train.forward", 1, 4, ""),
                op(1, 0, "train.step", 0, 5, step),
                line(1, "session", "session", 0, 10, step)));
    for (int order = 0; order < 2; order++) {
      ReadSource source = read(lines);
      for (Scope scope : List.of(Scope.ALL, Scope.LATEST)) {
        assertThat(source.hotspots(scope).stageStats())
            .extracting(s -> s.stage() + " " + s.selfS() + " " + s.share())
            .containsExactlyInAnyOrder("train.forward 3.0 0.6", "train.step 2.0 0.4");
      }
      Collections.reverse(lines);
    }
  }

  private static String record(String event, int at) {
    return """
        {"resourceLogs":[{"resource":{"attributes":[{"key":"rl.run.id","value":{"stringValue":"r"}},\
        {"key":"service.instance.id","value":{"stringValue":"i"}}]},"scopeLogs":[{"logRecords":[\
        {"timeUnixNano":"%d000000000","eventName":"%s","attributes":[]}]}]}]}"""
        .formatted(1000 + at, event);
  }

  /** The records of a process overtake each other on their way: a retry after its goodbye. */
  @Test
  void anEndedProcessStaysDeadWhateverItsOrderUnlessSomethingLaterCame() throws IOException {
    String open =
        line(1, "session", "session", 0, -1, "")
            .replace(
                "\"attributes\":[{\"key\":\"rl.run.id\"",
                "\"attributes\":[{\"key\":\"service.instance.id\",\"value\":"
                    + "{\"stringValue\":\"i\"}},{\"key\":\"rl.run.id\"");
    List<String> lines =
        new ArrayList<>(
            List.of(open, record("rollscope.process.end", 9), record("rollscope.beat", 5)));
    for (int order = 0; order < 2; order++) {
      SessionReport session = read(lines).session("s");
      assertThat(session.status()).isEqualTo("lost");
      assertThat(session.endS()).isEqualTo(1009);
      Collections.reverse(lines);
    }
    lines.add(record("rollscope.beat", 12));
    for (int order = 0; order < 2; order++) {
      assertThat(read(lines).session("s").status()).isEqualTo("running");
      Collections.reverse(lines);
    }
  }

  /** XTuner's tracer knows no parents in other processes: the outermost span got all time. */
  @Test
  void engineGenerateInsideASampleByTimeHasItsOwnTime() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(line(1, "phase", "agent_loop.generate_sample", 0, 10, ""));
    lines.add(line(2, "phase", "engine.generate", 1, 6, ""));
    lines.replaceAll(
        l ->
            l.replace(
                "[{\"key\":\"rl.run.id\"",
                "[{\"key\":\"rollscope.source\",\"value\":{\"stringValue\":\"xtuner\"}},"
                    + "{\"key\":\"rl.run.id\""));

    assertThat(read(lines).session("s").stages())
        .extracting(s -> s.stage() + " " + s.selfS())
        .containsExactlyInAnyOrder("agent_loop.generate_sample 5.0", "engine.generate 5.0");
  }
}
