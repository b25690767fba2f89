package io.rollscope.store.query;

import static io.rollscope.store.query.SmallRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.ErrorsReport;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.NestingNode;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.HotspotsReport.WorkerStats;
import io.rollscope.core.view.OccupancyReport;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionFilter;
import io.rollscope.core.view.SessionListReport;
import io.rollscope.core.view.SessionListReport.Row;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.TimelineReport;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportsTest {
  private Tables tables;
  private Reports reports;

  /** Two batches of three sessions, of which one has been running since second 20. */
  @BeforeEach
  void write() throws Exception {
    tables = new Tables();
    SmallRun run = new SmallRun(tables, "run");
    run.session("a", "b1", 1, 10);
    run.session("b", "b1", 1, 11);
    run.session("c", "b1", 1, 11);
    run.session("d", "b2", 2, 20);
    run.session("e", "b2", 2, 20);
    run.running("f", "b2", 2, 20, 30);
    new SmallRun(tables, "other").session("a", "b1", 1, 10);
    tables.flush();
    reports = new Reports(tables.snapshots(), "source");
  }

  @AfterEach
  void close() throws Exception {
    tables.close();
  }

  private static Question ask(Scope scope) {
    return Question.of("run", scope, 30 * SECOND);
  }

  private static Question ask(SessionFilter filter) {
    return new Question("run", Scope.ALL, filter, 30 * SECOND);
  }

  @Test
  void errorsAreGroupedByCauseWithExamples() throws Exception {
    assertThat(reports.errors(ask(Scope.ALL), 10))
        .isEqualTo(
            new ErrorsReport(
                "source",
                "run",
                "all",
                List.of(
                    new ErrorsReport.Group(
                        "reward",
                        "Timeout: too slow",
                        5,
                        5,
                        12,
                        22,
                        List.of("a", "b", "c", "d", "e"))),
                0));
    assertThat(
            reports.errors(ask(new SessionFilter(null, "generate", null, null, null)), 10).errors())
        .isEmpty();
  }

  @Test
  void occupancyAddsUpToTheSessionsAlive() throws Exception {
    OccupancyReport told = reports.occupancy(ask(Scope.ALL), 10 * SECOND, 30 * SECOND, 20);
    assertThat(told.sessions()).isEqualTo(6);
    assertThat(told.alive()).startsWith(1, 3, 2, 0).endsWith(1, 1);
    assertThat(told.stages().get("generate")).startsWith(1, 2, 0, 0).endsWith(1);
    assertThat(told.stages().get("reward")).startsWith(0, 1, 2, 0).endsWith(0);
  }

  @Test
  void occupancyOfARealRunAddsUpToo() throws Exception {
    for (Scope scope : List.of(Scope.ALL, Scope.ACTIVE, Scope.LATEST)) {
      try (StoredFolder stored = StoredFolder.of("xtuner/run1", scope)) {
        OccupancyReport told = stored.reports().occupancy(stored.question(scope), null, null, 100);
        assertThat(told.leftOut()).isZero();
        List<double[]> places = new ArrayList<>(told.stages().values());
        places.addAll(told.waits().values());
        for (int b = 0; b < 100; b++) {
          int bucket = b;
          double sum = places.stream().mapToDouble(p -> p[bucket]).sum();
          assertThat(sum).isCloseTo(told.alive()[b], within(1e-6));
        }
        String stage = told.stages().keySet().iterator().next();
        double occupied = 0;
        for (double mean : told.stages().get(stage)) {
          occupied += mean * told.bucketNs() / 1e9;
        }
        double self =
            stored.reports().hotspots(stored.question(scope)).stageStats().stream()
                .filter(s -> s.stage().equals(stage))
                .mapToDouble(s -> s.selfS())
                .sum();
        assertThat(occupied).isCloseTo(self, within(1e-3));
      }
    }
  }

  @Test
  void spansOfASessionSayTheirOwnAttributesWithinBounds() throws Exception {
    SmallRun run = new SmallRun(tables, "wordy");
    run.session("s", "b", 1, 10);
    Map<String, String> many = new TreeMap<>();
    for (int i = 0; i < 201; i++) {
      many.put(String.format("key %03d", i), "x".repeat(1_001));
    }
    for (int i = 0; i < 12; i++) {
      run.span("s", "b", 1L, "tool", (20 + i) * SECOND, (21 + i) * SECOND, "ok", null, many);
    }
    tables.flush();
    List<SessionReport.SpanLine> spans =
        reports.session("wordy", "s", 40 * SECOND).orElseThrow().spans();

    assertThat(spans.get(0).attributes()).isEqualTo(Map.of("a", "old"));
    assertThat(spans.get(1).attributes()).isEqualTo(Map.of("a", "new", "b", "1"));
    assertThat(spans.get(1).attributesCut()).isFalse();
    assertThat(spans.get(2).attributes())
        .hasSize(200)
        .containsEntry("key 000", "x".repeat(1_000) + "…");
    assertThat(spans.get(2).attributesCut()).isTrue();
    assertThat(spans.get(13).attributes()).isEmpty();
    assertThat(spans.get(13).attributesCut()).isTrue();
  }

  @Test
  void hotspotsTellDistributionNestingAndWorkers() throws Exception {
    SmallRun run = new SmallRun(tables, "nested");
    run.session("g", "b3", 3, 40);
    run.inside("g", "b3", "tool", 40, 40.5, run.idOf(1));
    run.inside("g", "b3", "search", 40.1, 40.2, run.idOf(3));
    run.inside("g", "b3", "tool", 40.6, 40.6, run.idOf(1));
    run.running("h", "b3", 3, 41, 45);
    tables.flush();
    Question question = Question.of("nested", Scope.ALL, 45 * SECOND);
    HotspotsReport told = reports.hotspots(question, Detail.ALL);

    assertThat(told.nesting())
        .containsExactly(
            new NestingNode("generate", -1, 2, 5, 1),
            new NestingNode("tool", 0, 2, 0.5, 0.5),
            new NestingNode("search", 1, 1, 0.1, 0.1),
            new NestingNode("reward", -1, 1, 1, 1));
    assertThat(told.workers().get(0))
        .isEqualTo(new WorkerStats("[actor] rank 3", "generate", 2, 1, 0, 5, 1, 2.5, 3.85));
    assertThat(told.workers()).extracting(WorkerStats::errorCount).containsExactly(0, 1, 0, 0);
    assertThat(told.workersLeftOut()).isZero();
    List<Integer> tool = new ArrayList<>(Collections.nCopies(34, 0));
    tool.set(0, 1); // 0 s
    tool.set(11, 1); // 0.5 s, up to 0.56 s
    assertThat(told.stageStats())
        .filteredOn(s -> s.stage().equals("tool"))
        .singleElement()
        .satisfies(s -> assertThat(s.distribution()).isEqualTo(tool));
    List<Integer> generate = new ArrayList<>(Collections.nCopies(34, 0));
    generate.set(12, 1); // 1 s, and not the open one
    assertThat(told.stageStats())
        .filteredOn(s -> s.stage().equals("generate"))
        .singleElement()
        .satisfies(s -> assertThat(s.distribution()).isEqualTo(generate));
    assertThat(told.bucketsS()).hasSize(33).contains(0.001, 1.0, 100_000.0);

    HotspotsReport brief = reports.hotspots(question);
    assertThat(brief.nesting()).isNull();
    assertThat(brief.workers()).isNull();
    assertThat(brief.stageStats()).isEqualTo(told.stageStats());
  }

  /** Such as when a span is named after the sample it is about. */
  @Test
  void stagesBeyondTheLimitAreOne() throws Exception {
    HotspotsReport before = reports.hotspots(ask(Scope.ALL));
    int more = 50_000;
    try (Connection connection = tables.duplicate();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          INSERT INTO spans BY NAME
          SELECT 'run' AS run, 'b1' AS batch, 'a' AS session, 'trace' AS trace_id,
            'x' || range AS span_id, 'phase' AS kind, 'sample ' || range AS stage,
            'sample ' || range AS name, 10000000000 AS start_ns, 10000000000 + range AS end_ns,
            range AS self_ns, if(range < 10, 'error', 'ok') AS outcome, 'utc' AS clock,
            'rollout' AS worker_role
          FROM range(%d)"""
              .formatted(more));
    }

    HotspotsReport report = reports.hotspots(ask(Scope.ALL), Detail.ALL);

    List<StageStats> stages = report.stageStats();
    assertThat(stages).hasSize(Hotspots.MOST_STAGES + 1);
    assertThat(report.spanCount()).isEqualTo(before.spanCount() + more);
    assertThat(stages.stream().mapToInt(StageStats::count).sum()).isEqualTo(report.spanCount());
    assertThat(stages.stream().mapToDouble(StageStats::selfS).sum())
        .isCloseTo(
            before.stageStats().stream().mapToDouble(StageStats::selfS).sum()
                + (more - 1.0) * more / 2 / 1e9,
            within(1e-6));
    StageStats other =
        stages.stream().filter(s -> s.stage().equals("(other)")).findFirst().orElseThrow();
    assertThat(other.count()).isEqualTo(more + before.stageStats().size() - Hotspots.MOST_STAGES);
    assertThat(other.errorCount()).isEqualTo(10);
    assertThat(other.distribution().stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(other.count());
    assertThat(report.nesting()).hasSizeLessThanOrEqualTo(500);
    assertThat(report.workers()).hasSize(HotspotsReport.MOST_WORKERS);
  }

  @Test
  void timelineTellsNestingErrorsAndLanes() throws Exception {
    SmallRun run = new SmallRun(tables, "nested");
    run.session("g", "b3", 3, 40);
    run.inside("g", "b3", "tool", 40, 40.5, run.idOf(1));
    run.inside("g", "b3", "search", 40.1, 40.2, run.idOf(3));
    run.inside("g", "b3", "orphan", 40.3, 40.4, "00000000000000ff");
    tables.flush();
    Question question = Question.of("nested", Scope.ALL, 50 * SECOND);
    TimelineReport told =
        reports.timeline(question, new Timeline.Window(null, null, TimelineReport.By.SESSION, 100));

    List<String> stages = new ArrayList<>();
    for (int i = 0; i < told.stage().length; i++) {
      int parent = told.parent()[i];
      String error = told.error()[i] < 0 ? "" : " " + told.errors().get(told.error()[i]);
      stages.add(
          told.stages().get(told.stage()[i])
              + " in "
              + (parent < 0 ? "-" : told.stages().get(told.stage()[parent]))
              + " at "
              + told.depth()[i]
              + error);
    }
    assertThat(stages)
        .containsExactly(
            "generate in - at 0",
            "tool in generate at 1",
            "search in tool at 2",
            "orphan in - at 0",
            "reward in - at 0 Timeout: too slow");
    assertThat(told.selfNs()[0]).isEqualTo(SECOND);
    assertThat(told.laneInfo().session()).containsExactly("g");
    assertThat(told.laneInfo().status()).containsExactly("failed");
    assertThat(told.laneInfo().worker()).containsExactly("[actor] rank 3");
    assertThat(told.laneInfo().startS()).containsExactly(40.0);
    assertThat(told.laneInfo().wallS()).containsExactly(2.0);

    TimelineReport workers =
        reports.timeline(question, new Timeline.Window(null, null, TimelineReport.By.WORKER, 1));
    assertThat(workers.parent()).containsExactly(-1);
    assertThat(workers.laneInfo().worker()).isEqualTo(workers.lanes().toArray());
    assertThat(workers.laneInfo().status()).containsExactly((String) null);
  }

  @Test
  void timelineKeepsTheLongestSpansOfTheWindow() throws Exception {
    Timeline.Window window =
        new Timeline.Window(12 * SECOND, 21 * SECOND, TimelineReport.By.SESSION, 3);
    TimelineReport told = reports.timeline(ask(Scope.ALL), window);
    assertThat(told.lanes()).contains("f").hasSize(3);
    assertThat(told.lane()).hasSize(3);
    assertThat(told.leftOut()).isEqualTo(2); // b, c: reward; d, e, f: generate
    int open = told.lanes().indexOf("f");
    int at = IntStream.range(0, 3).filter(i -> told.lane()[i] == open).findFirst().getAsInt();
    assertThat(told.startNs()[at]).isEqualTo(8 * SECOND);
    assertThat(told.durationNs()[at]).isEqualTo(10 * SECOND);
    assertThat(told.open()[at]).isTrue();
    assertThat(told.names().get(told.name()[at])).isEqualTo("rl.generate");
    assertThat(told.sessions().get(told.session()[at])).isEqualTo("f");
  }

  @Test
  void timelineHasALaneForEachWorkerOrTask() throws Exception {
    TimelineReport byWorker =
        reports.timeline(
            ask(Scope.ALL), new Timeline.Window(null, null, TimelineReport.By.WORKER, 100));
    assertThat(byWorker.lanes()).containsExactly("[actor] rank 3");
    assertThat(byWorker.lane()).hasSize(11);
    TimelineReport byTask =
        reports.timeline(
            ask(Scope.ofBatch("b1")), new Timeline.Window(null, null, TimelineReport.By.TASK, 100));
    assertThat(byTask.lanes()).containsExactly("task of a", "task of b", "task of c");
    assertThatThrownBy(() -> TimelineReport.By.named("row"))
        .hasMessage("lane: row (expected: session, worker, task or lane)");
    assertThatThrownBy(() -> new Timeline.Window(null, null, TimelineReport.By.TASK, 200_001))
        .hasMessage("budget: 200001 (expected: from 1 to 200000)");
  }

  @Test
  void batchesTellTheirTailAndTheirStragglers() throws Exception {
    BatchesReport told = reports.batches(ask(Scope.ALL), null, 10);
    assertThat(told.batches()).extracting(BatchesReport.Batch::batch).containsExactly("b2", "b1");
    BatchesReport.Batch newest = told.batches().get(0);
    assertThat(newest.statuses()).isEqualTo(Map.of("failed", 2, "running", 1));
    assertThat(newest.wallS()).isEqualTo(10);
    assertThat(newest.slots()).isEqualTo(3);
    assertThat(newest.sessionS()).isEqualTo(14);
    assertThat(newest.stragglers().get(0))
        .isEqualTo(
            new BatchesReport.Straggler("f", "running", "[actor] rank 3", 10, 10, "generate", 0));
    assertThat(newest.stragglers()).hasSize(3);
    assertThat(reports.batches(Question.of("run", Scope.ALL, 0), null, 1).leftOut()).isEqualTo(1);
  }

  @Test
  void batchesOfARealRunSplitTheirTimeCompletely() throws Exception {
    try (StoredFolder stored = StoredFolder.of("xtuner/run1", Scope.ALL)) {
      for (BatchesReport.Batch b :
          stored.reports().batches(stored.question(Scope.ALL), null, 100).batches()) {
        double waits =
            b.waits().queueS() + b.waits().gapS() + b.waits().siblingsS() + b.waits().barrierS();
        double stages = b.stages().values().stream().mapToDouble(s -> s).sum();
        assertThat(stages + waits + b.waits().unaccountedS()).isCloseTo(b.sessionS(), within(1e-6));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "-start", "end", "-wall", "session", "-session", "-status"})
  void pagesFollowEachOtherWithoutHolesOrRepeats(String sort) throws Exception {
    List<Row> all = reports.sessionList(ask(Scope.ALL), sort, 100, null).rows();
    assertThat(all).hasSize(6);
    List<Row> paged = new ArrayList<>();
    String cursor = null;
    do {
      SessionListReport page = reports.sessionList(ask(Scope.ALL), sort, 2, cursor);
      assertThat(page.total()).isEqualTo(6);
      paged.addAll(page.rows());
      cursor = page.cursor();
    } while (cursor != null);
    assertThat(paged).isEqualTo(all);
    if (sort.equals("-start")) {
      assertThat(all).isSortedAccordingTo(Comparator.comparingDouble(Row::startS).reversed());
    }
  }

  @Test
  void wrongPagesSayWhatWasExpected() {
    assertThatThrownBy(() -> reports.sessionList(ask(Scope.ALL), "size", 10, null))
        .hasMessageStartingWith("sort: size (expected: start, end");
    assertThatThrownBy(() -> reports.sessionList(ask(Scope.ALL), "start", 0, null))
        .hasMessage("limit: 0 (expected: from 1 to 1000)");
    for (String cursor : List.of("x", "bnVsbA", "W10", "WyJlbmQiLDEsIngiXQ", "!", "")) {
      assertThatThrownBy(() -> reports.sessionList(ask(Scope.ALL), "start", 10, cursor))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("cursor: ");
    }
  }

  @Test
  void filtersChooseSessions() throws Exception {
    assertThat(found(new SessionFilter("running", null, null, null, null))).containsExactly("f");
    assertThat(found(new SessionFilter(null, "reward", null, null, null))).hasSize(5);
    assertThat(found(new SessionFilter(null, null, "task of b", null, null))).containsExactly("b");
    assertThat(found(new SessionFilter(null, null, "math", null, null))).hasSize(6);
    for (String worker : List.of("[actor] rank 3", "actor", "actor:3")) {
      assertThat(found(new SessionFilter(null, null, null, worker, null))).hasSize(6);
    }
    assertThat(found(new SessionFilter(null, null, null, "rank 3", null))).isEmpty();
    assertThat(found(new SessionFilter(null, null, null, null, "OF C"))).containsExactly("c");
    assertThat(
            reports
                .hotspots(ask(new SessionFilter("running", null, null, null, null)))
                .stageStats())
        .extracting(s -> s.stage() + " " + s.count() + " " + s.maxS())
        .containsExactly("generate 1 10.0");
  }

  private List<String> found(SessionFilter filter) throws Exception {
    return reports.sessionList(ask(filter), "session", 100, null).rows().stream()
        .map(Row::session)
        .toList();
  }

  @Test
  void aTraceIsFoundInEveryRun() throws Exception {
    TraceReport trace = reports.trace("TRACE");
    assertThat(trace.spans()).hasSize(13);
    assertThat(trace.spans()).extracting(TraceReport.Span::run).contains("run", "other");
    assertThat(trace.spans().get(0).attributes()).isEqualTo(Map.of("a", "old"));
    assertThat(trace.spans()).anyMatch(s -> s.endNs() == null && s.outcome().equals("open"));
    assertThat(reports.trace("nothing").spans()).isEmpty();
  }

  @Test
  void attributesOfASessionAreUnitedTheNewestFirst() throws Exception {
    SessionReport session = reports.session("run", "a", 30 * SECOND).get();
    assertThat(session.attributes()).isEqualTo(Map.of("a", "new", "b", "1"));
    assertThat(session.events()).isNull();
    assertThat(session.reason()).isEqualTo("Timeout: too slow");
    assertThat(reports.session("run", "nobody", 0)).isEmpty();
    assertThat(reports.session("nothing", "a", 0)).isEmpty();
  }

  /** A rollout that was stopped for new weights and went on with the next batch. */
  @Test
  void aSessionOfTwoBatchesIsSeenInBoth() throws Exception {
    SmallRun run = new SmallRun(tables, "run");
    run.span("g", "b1", 1L, "early", 13 * SECOND, 14 * SECOND, "ok", null, Map.of());
    run.span("g", "b2", 2L, "generate", 22 * SECOND, 23 * SECOND, "ok", null, Map.of());
    run.row("g", "b2", 2L, "queued", 13 * SECOND, 23 * SECOND, 2, 0);
    tables.flush();
    assertThat(reports.hotspots(ask(Scope.ofBatch("b1"))).sessionCount()).isEqualTo(4);
    assertThat(reports.hotspots(ask(Scope.ofBatch("b1"))).stageStats())
        .extracting(s -> s.stage() + " " + s.count())
        .containsExactlyInAnyOrder("generate 3", "reward 3", "early 1");
    assertThat(reports.hotspots(ask(Scope.ofBatch("b2"))).sessionCount()).isEqualTo(4);
    assertThat(reports.sessions(ask(Scope.ofBatch("b1")), null).records()).isEqualTo(4);
    assertThat(reports.session("run", "g", 30 * SECOND).get().spans()).hasSize(2);
  }

  @Test
  void anUnknownRunGivesEmptyReports() throws Exception {
    for (Scope scope : List.of(Scope.ALL, Scope.ACTIVE, Scope.LATEST, Scope.ofBatch("b1"))) {
      Question unknown = Question.of("nothing", scope, SECOND);
      assertThat(reports.hotspots(unknown).stageStats()).isEmpty();
      assertThat(reports.sessions(unknown, null).records()).isZero();
      assertThat(reports.errors(unknown, 10).errors()).isEmpty();
      assertThat(reports.occupancy(unknown, null, null, 10).sessions()).isZero();
      assertThat(reports.sessionList(unknown, "start", 10, null).total()).isZero();
      assertThat(
              reports
                  .timeline(unknown, new Timeline.Window(null, null, TimelineReport.By.TASK, 10))
                  .lane())
          .isEmpty();
    }
    assertThat(reports.batches(Question.of("nothing", Scope.ALL, 0), null, 10).batches()).isEmpty();
  }
}
