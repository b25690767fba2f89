package io.rollscope.formats.xtuner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Event;
import io.rollscope.core.model.Worker;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.OpenSpanSummary;
import io.rollscope.core.view.LiveReport.Row;
import io.rollscope.core.view.LiveReport.TaskSummary;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionReport.SpanLine;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.formats.ReadSource;
import io.rollscope.formats.folder.FolderReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What XTuner's own tests and code say, by the numbers of our list of them. Items 1 to 4, 20, 22
 * and 23 are about recording inside XTuner's process or about its page, and have no counterpart
 * here.
 */
class XTunerAcceptanceTest {
  private static final String PRODUCER = "xtuner.producer.generate_group";
  private static final String PUT = "xtuner.producer.put_generated_group";
  private static final String GROUP = "xtuner.agent_loop.generate_group";
  private static final String SAMPLE = "xtuner.agent_loop.generate_sample";
  private static final String CONTROLLER = "xtuner.rollout_controller.generate";
  private static final String WORKER = "xtuner.rollout_worker.generate";
  private static final String ENGINE = "xtuner.rollout_engine.generate";
  private static final String JUDGER = "xtuner.judger.judge";

  @TempDir Path folder;
  private TraceLines lines;

  @BeforeEach
  void begin() {
    lines = new TraceLines(folder);
  }

  private ReadSource read() throws IOException {
    return ReadSource.of(folder);
  }

  private static Map<String, StageStats> byStage(HotspotsReport report) {
    Map<String, StageStats> stages = new java.util.LinkedHashMap<>();
    report.stageStats().forEach(s -> stages.put(s.stage(), s));
    return stages;
  }

  private static OpenSpanSummary open(LiveReport report, String span) {
    return report.openSpanSummaries().stream()
        .filter(s -> s.span().equals(span))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void acceptance05_aLivePayloadOfTheLatestBatch() throws IOException {
    lines.batch(1).start("gsm8k:1", CONTROLLER, 5);
    lines.batch(2).start("gsm8k:2", CONTROLLER, 10).start("gsm8k:3", JUDGER, 12);
    lines.span("gsm8k:4", PUT, 13, 15);

    LiveReport report = read().live(Scope.LATEST, 30);

    assertThat(report.rawEventCount()).isEqualTo(5);
    assertThat(report.eventCount()).isEqualTo(4);
    assertThat(report.taskSummary())
        .isEqualTo(new TaskSummary(3, 2, 1, Map.of("rollout.generate", 1, "judger", 1)));
    assertThat(report.rows())
        .extracting(Row::session)
        .containsExactlyInAnyOrder("gsm8k:2", "gsm8k:3", "gsm8k:4");
    assertThat(open(report, CONTROLLER).oldestAgeS()).isEqualTo(20);
    assertThat(open(report, CONTROLLER).oldestTraceId()).isEqualTo("gsm8k:2");
    assertThat(open(report, JUDGER).oldestAgeS()).isEqualTo(18);
    // The original hides gsm8k:1, which hangs in an older batch; our default scope does not.
    assertThat(read().live(Scope.ACTIVE, 30).rows()).extracting(Row::session).contains("gsm8k:1");
  }

  @Test
  void acceptance06_nestedSpansHaveTheirOrderDepthsAndStatistics() throws IOException {
    lines.batch(1).span("gsm8k:1", PRODUCER, 0, 1);
    lines
        .batch(2)
        .start("gsm8k:2", PRODUCER, 100)
        .start("gsm8k:2", GROUP, 101)
        .start("gsm8k:2", SAMPLE, 102)
        .start("gsm8k:2", CONTROLLER, 103)
        .start("gsm8k:2", WORKER, 104)
        .span("gsm8k:2", ENGINE, 105, 108)
        .end("gsm8k:2", WORKER, 109)
        .end("gsm8k:2", CONTROLLER, 110)
        .span("gsm8k:2", JUDGER, 111, 115)
        .end("gsm8k:2", SAMPLE, 116)
        .end("gsm8k:2", GROUP, 117)
        .end("gsm8k:2", PRODUCER, 118);
    lines.span("gsm8k:3", CONTROLLER, 1000, 1010);

    ReadSource source = read();
    HotspotsReport latest = source.hotspots(Scope.LATEST);
    SessionReport nested = source.session("gsm8k:2");

    assertThat(latest.taskCount()).isEqualTo(2);
    assertThat(source.hotspots(Scope.ALL).taskCount()).isEqualTo(3);
    assertThat(nested.spans())
        .extracting(SpanLine::stage, SpanLine::depth)
        .containsExactly(
            tuple("producer.generate", 0),
            tuple("agent_loop.generate_group", 1),
            tuple("agent_loop.generate_sample", 2),
            tuple("rollout.generate", 3),
            tuple("rollout_worker.generate", 4),
            tuple("engine.generate", 5),
            tuple("judger", 3));
    // Each task on its own axis: its first span begins where the task does.
    assertThat(nested.spans().get(0).startS()).isEqualTo(nested.startS());
    StageStats engine = byStage(latest).get("engine.generate");
    assertThat(List.of(engine.avgS(), engine.p95S(), engine.maxS())).containsOnly(3.0);
    StageStats controller = byStage(latest).get("rollout.generate");
    assertThat(controller.count()).isEqualTo(2);
    assertThat(controller.avgS()).isEqualTo(8.5);
    assertThat(controller.maxS()).isEqualTo(10);
    assertThat(controller.p95S()).isCloseTo(9.85, within(1e-9));
  }

  /** A sample of every kind of line. */
  @Test
  void acceptance07_theSampleOfTheFormat() throws IOException {
    String batch =
        "\"train_step\":3,\"model_step\":2,\"producer_future_step\":4,"
            + "\"produce_batch_id\":\"train_step=3/model_step=2/producer_future_step=4\"";
    String seven = ",\"task_name\":\"gsm8k\",\"uid\":7,\"session_uid\":1007";
    double t = 1780000000;
    lines
        .batch(batch + ",\"status\":\"init\"" + seven)
        .start("gsm8k:7", PRODUCER, t)
        .start("gsm8k:7", WORKER, t + 1)
        .batch(batch + ",\"status\":\"completed\"" + seven)
        .end("gsm8k:7", WORKER, t + 5, 4.0)
        .end("gsm8k:7", PRODUCER, t + 6, 6.0)
        .batch(batch + ",\"status\":\"init\",\"task_name\":\"gsm8k\",\"uid\":8")
        .start("gsm8k:8", JUDGER, t + 2)
        .error("gsm8k:8", JUDGER, t + 3.5, "TimeoutError: judge took too long")
        .batch(batch)
        .end("unknown:9", "xtuner.producer.sample_group", t + .5, .5)
        .start("gsm8k:10", CONTROLLER, t + 4);

    ReadSource source = read();
    LiveReport live = source.live(Scope.ALL, t + 10);
    HotspotsReport hotspots = source.hotspots(Scope.ALL);

    assertThat(live.eventCount()).isEqualTo(8);
    assertThat(live.taskSummary())
        .isEqualTo(new TaskSummary(4, 1, 3, Map.of("rollout.generate", 1)));
    assertThat(live.rows())
        .extracting(Row::session)
        .containsExactly("gsm8k:10", "gsm8k:7", "gsm8k:8", "unknown:9");
    assertThat(hotspots.spanCount()).isEqualTo(5);
    assertThat(hotspots.stageStats())
        .extracting(
            StageStats::stage, StageStats::p95S, StageStats::openCount, StageStats::errorCount)
        .containsExactly(
            tuple("producer.generate", 6.0, 0, 0),
            tuple("rollout_worker.generate", 4.0, 0, 0),
            tuple("rollout.generate", 2.0, 1, 0),
            tuple("judger", 1.5, 0, 1),
            tuple("sampler", 0.5, 0, 0));
    // What a better system should add.
    assertThat(live.sessionSummary())
        .contains(entry("failed", 1), entry("queued", 1), entry("completed", 1));
  }

  @Test
  void acceptance08_theNewestOpenSpanIsWhereATaskStands() throws IOException {
    lines.start("a", PRODUCER, 1).start("a", ENGINE, 5);

    LiveReport report = read().live(Scope.ALL, 10);

    assertThat(report.rows().get(0).stage()).isEqualTo("engine.generate");
    assertThat(report.rows().get(0).openAgeS()).isEqualTo(5);
    assertThat(report.taskSummary().currentStageCounts())
        .containsExactly(entry("engine.generate", 1));
    assertThat(open(report, PRODUCER).oldestAgeS()).isEqualTo(9);
    assertThat(open(report, ENGINE).oldestAgeS()).isEqualTo(5);
  }

  @Test
  void acceptance09_agesOfOpenSpansAreInterpolated() throws IOException {
    lines.start("a", JUDGER, 9).start("b", JUDGER, 8).start("c", JUDGER, 7).start("d", JUDGER, 6);

    OpenSpanSummary summary = open(read().live(Scope.ALL, 10), JUDGER);

    assertThat(summary.p50AgeS()).isEqualTo(2.5);
    assertThat(summary.p95AgeS()).isCloseTo(3.85, within(1e-9));
    assertThat(summary.oldestTraceId()).isEqualTo("d");
  }

  @Test
  void acceptance10_depthFollowsFromTime() throws IOException {
    lines.span("overlap", "p", 0, 2).span("overlap", "q", 1, 3);
    lines.span("touch", "p", 0, 1).span("touch", "q", 1, 3);
    lines.start("same", "p", 0).start("same", "p", 1).end("same", "p", 2).end("same", "p", 3);

    ReadSource source = read();

    assertThat(source.session("overlap").spans()).extracting(SpanLine::depth).containsExactly(0, 1);
    assertThat(source.session("touch").spans()).extracting(SpanLine::depth).containsExactly(0, 0);
    assertThat(source.session("same").spans())
        .extracting(SpanLine::startS, SpanLine::endS, SpanLine::depth)
        .containsExactly(tuple(0.0, 3.0, 0), tuple(1.0, 2.0, 1));
  }

  @Test
  void acceptance11_anEndWithoutAStart() throws IOException {
    lines.end("a", JUDGER, 7).end("b", JUDGER, 7, .5);

    ReadSource source = read();

    assertThat(source.session("a").spans()).isEmpty();
    assertThat(source.session("b").spans())
        .extracting(SpanLine::startS, SpanLine::endS)
        .containsExactly(tuple(6.5, 7.0));
    assertThat(source.hotspots(Scope.ALL).taskCount()).isEqualTo(1);
    assertThat(source.hotspots(Scope.ALL).sessionCount()).isEqualTo(2);
  }

  @Test
  void acceptance12_aRetryIsTwoSpans() throws IOException {
    lines
        .start("a", ENGINE, 0)
        .error("a", ENGINE, 1, "TimeoutError: engine")
        .span("a", ENGINE, 2, 5);

    StageStats engine = byStage(read().hotspots(Scope.ALL)).get("engine.generate");

    assertThat(engine.count()).isEqualTo(2);
    assertThat(engine.errorCount()).isEqualTo(1);
    assertThat(engine.totalS()).isEqualTo(4);
    assertThat(engine.avgS()).isEqualTo(2);
    assertThat(engine.p95S()).isCloseTo(2.9, within(1e-9));
    assertThat(engine.maxS()).isEqualTo(3);
  }

  @Test
  void acceptance13_scopeFallsBackToStepsThenToEverything(@TempDir Path more) throws IOException {
    lines.batch("\"train_step\":1").event("one", "x", 9, "");
    lines.batch("\"train_step\":2").event("two", "x", 1, "");
    lines.batch("").event("none", "x", 10, "");
    assertThat(latest(folder)).containsExactly("two");

    Path ids = Files.createDirectory(more.resolve("ids"));
    TraceLines named = new TraceLines(ids);
    named.batch("\"produce_batch_id\":\"z\"").event("z", "x", 1, "");
    named.batch("\"produce_batch_id\":\"y\"").event("y", "x", 2, "");
    assertThat(latest(ids)).containsExactly("y");
    // An event with an id but no step beats one with a step but no id.
    named.batch("\"train_step\":2").event("step", "x", 3, "");
    assertThat(latest(ids)).containsExactly("y");

    Path nothing = Files.createDirectory(more.resolve("nothing"));
    new TraceLines(nothing).event("a", "x", 1, "").event("b", "x", 2, "");
    assertThat(latest(nothing)).containsExactlyInAnyOrder("a", "b");

    assertThatThrownBy(() -> Scope.named("foo")).hasMessageContaining("foo");
  }

  private static List<String> latest(Path source) throws IOException {
    return ReadSource.of(source).live(Scope.LATEST, 100).rows().stream().map(Row::session).toList();
  }

  @Test
  void acceptance14_aLowerStepRecordedLaterIsNotTheLatest() throws IOException {
    lines.batch(9).event("nine", "x", 2, "");
    lines.batch(1).event("one", "x", 100, "");

    assertThat(latest(folder)).containsExactly("nine");
  }

  @Test
  void acceptance15_aTornLastLineWaitsOrIsCountedAndGarbageIsSkipped() throws IOException {
    String torn = "{\"trace_id\":\"b\",\"stage\":\"x.start\",";
    lines.start("a", "x", 1).line("no JSON at all").raw(torn);

    FolderReader following = ReadSource.open(folder);
    following.poll();
    ReadSource live = ReadSource.of(following);
    assertThat(live.table().rows()).isEqualTo(1);
    assertThat(live.context().skippedLines().count()).as("garbage").isEqualTo(1);

    ReadSource once = read();
    assertThat(once.table().rows()).isEqualTo(1);
    assertThat(once.context().skippedLines().count()).as("garbage and torn line").isEqualTo(2);
    assertThat(once.context().skippedLines().examples().get(1).reason())
        .startsWith("torn last line: ");

    lines.raw("\"timestamp_s\":2.0}\n");
    following.poll();
    live = ReadSource.of(following);
    assertThat(live.table().rows()).isEqualTo(2);
    assertThat(live.context().skippedLines().count()).isEqualTo(1);
    assertThat(live.live(Scope.ALL, 10).rows()).extracting(Row::session).containsExactly("a", "b");
  }

  @Test
  void acceptance16_valuesAreTakenAsTheOriginalLoaderTakesThem() throws IOException {
    String big = "170141183460469231731687303715884105728";
    lines
        .line("{\"trace_id\":5,\"stage\":\"x\",\"timestamp_s\":\"1.5\",\"bogus\":1}")
        .line("{\"stage\":\"x\",\"timestamp_s\":1}")
        .line("{\"trace_id\":\"a\",\"stage\":\"x\",\"timestamp_s\":\"zz\"}")
        .event("gsm8k:" + big, "x", 3, ",\"uid\":" + big);

    ReadSource source = read();
    LiveReport report = source.live(Scope.ALL, 10);

    assertThat(report.skippedLines().count()).isEqualTo(2);
    Row five = report.rows().get(1);
    assertThat(five.session()).isEqualTo("5");
    assertThat(five.latestTimestampS()).isEqualTo(1.5);
    assertThat(five.latestStage()).isEqualTo("x");
    assertThat(five.taskName()).isNull();
    assertThat(five.sourceStatus()).isNull();
    assertThat(five.trainStep()).isNull();
    SessionReport big128 = source.session("gsm8k:" + big);
    assertThat(big128.traceId()).isEqualTo("gsm8k:" + big);
    assertThat(big128.events()).singleElement().asString().contains("\"uid\":" + big);
  }

  /** What we write ourselves, for simulated runs, keeps to the original's ids. */
  @Test
  void acceptance17_idsAreMadeAsTheOriginalMakesThem() throws IOException {
    try (XTunerWriter writer = new XTunerWriter(folder, 1)) {
      writer.write(point("unknown:3", null, 1L, null, 2L));
      writer.write(point("t:4", "t", null, null, null));
      assertThatThrownBy(() -> writer.write(point("t:", "t", 1L, 1L, 1L)))
          .isInstanceOf(IllegalArgumentException.class);
    }

    ReadSource source = read();

    SessionReport unnamed = source.session("unknown:3");
    assertThat(unnamed.batch()).isEqualTo("train_step=1/model_step=none/producer_future_step=2");
    assertThat(unnamed.taskName()).isNull();
    assertThat(source.session("t:4").batch()).isNull();
    assertThat(source.table().sessionCount()).isEqualTo(2);
  }

  private static Event point(String session, String task, Long train, Long model, Long future) {
    Coordinates at = new Coordinates(null, train, model, future, null, task, Worker.UNKNOWN, null);
    return new Event.Point(session, "x", 1_000_000_000L, at, Map.of());
  }

  /**
   * The original's limits (3 events in all, 2 per trace in the item) are those of a store in the
   * recording process, which we do not have. What we promise instead: files are the record, and no
   * event of theirs is evicted. 300 is beyond the original's default of 256 per trace.
   */
  @Test
  void acceptance18_noEventOfALongTraceIsEvicted() throws IOException {
    for (int i = 0; i < 300; i++) {
      lines.event("a:1", "s" + i, i, "");
    }
    lines.event("b:1", "s0", 300, "").event("b:1", "s1", 301, "");

    ReadSource source = read();

    assertThat(source.session("a:1").events()).hasSize(300);
    assertThat(source.session("b:1").events()).hasSize(2);
    assertThat(source.live(Scope.ALL, 400).eventCount()).isEqualTo(302);
  }

  /** Pixels are the page's business; the report keeps the span, and an empty folder is no error. */
  @Test
  void acceptance19_spansWithoutLengthAreKeptAndEmptyInputIsAnEmptyReport(@TempDir Path empty)
      throws IOException {
    lines.start("a", PRODUCER, 0).span("a", JUDGER, 500, 500).end("a", PRODUCER, 1000);

    SessionReport session = read().session("a");
    HotspotsReport nothing = ReadSource.of(empty).hotspots(Scope.ALL);

    assertThat(session.spans())
        .extracting(SpanLine::stage, SpanLine::durationS, SpanLine::depth)
        .containsExactly(tuple("producer.generate", 1000.0, 0), tuple("judger", 0.0, 1));
    assertThat(byStage(read().hotspots(Scope.ALL)).get("judger").count()).isEqualTo(1);
    assertThat(nothing.timelineStartS()).isZero();
    assertThat(nothing.timelineEndS()).isEqualTo(1);
    assertThat(nothing.stageStats()).isEmpty();
    assertThat(nothing.taskCount()).isZero();
    assertThat(nothing.spanCount()).isZero();
    assertThat(nothing.maxTaskDurationS()).isZero();
  }

  /** XTuner main: the step is the producer's, the latest is the default. */
  @Test
  void acceptance21_theLatestOfTwoStepsIsSelected() throws IOException {
    Files.write(
        folder.resolve("traces.jsonl"), List.of(otlp(1, "rollout.one"), otlp(2, "rollout.two")));

    ReadSource source = read();
    LiveReport latest = source.live(Scope.LATEST, 100);
    SessionsReport all = source.sessions(Scope.ALL);

    assertThat(latest.rows()).extracting(Row::session).containsExactly("2");
    assertThat(latest.rows().get(0).trainStep()).isEqualTo(2);
    assertThat(all.steps()).extracting(SessionsReport.Step::step).containsExactly(1L, 2L);
    assertThat(source.hotspots(Scope.LATEST).stageStats())
        .extracting(StageStats::stage)
        .containsExactly("rollout.two");
  }

  private static String otlp(int step, String stage) {
    return """
        {"resourceSpans":[{"resource":{"attributes":[{"key":"run.id","value":{"stringValue":"r"}}]},\
        "scopeSpans":[{"spans":[{"traceId":"%1$032x","spanId":"%1$016x","parentSpanId":"",\
        "name":"span","startTimeUnixNano":"%1$d000000000","endTimeUnixNano":"%1$d500000000",\
        "attributes":[{"key":"xtuner.rollout_id","value":{"intValue":"%1$d"}},\
        {"key":"xtuner.producer_future_step","value":{"intValue":"%1$d"}},\
        {"key":"xtuner.stage","value":{"stringValue":"%2$s"}}]}]}]}]}"""
        .formatted(step, stage);
  }
}
