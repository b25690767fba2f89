package io.rollscope.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.steps.BarrierSpans;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.BatchesView;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.ErrorsView;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.HotspotsView;
import io.rollscope.core.view.LiveBoard;
import io.rollscope.core.view.OccupancyView;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SessionColumnsView;
import io.rollscope.core.view.SessionFilter;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionView;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SessionsView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A user who moves a folder into the server must see the numbers the folder showed. */
class FolderAgreementTest {
  private static final List<String> SAMPLES =
      List.of("xtuner/run1", "xtuner/main-otlp", "areal/current", "areal/old", "areal/edge");

  /** Nothing changes them, and reading takes longer than asking. */
  private static final Map<List<Object>, StoredFolder> READ = new HashMap<>();

  private static StoredFolder stored(String sample, Scope scope) throws Exception {
    List<Object> key = List.of(sample, scope);
    StoredFolder known = READ.get(key);
    if (known == null) {
      known = StoredFolder.of(sample, scope);
      READ.put(key, known);
    }
    return known;
  }

  @AfterAll
  static void closeAll() throws Exception {
    for (StoredFolder stored : READ.values()) {
      stored.close();
    }
    READ.clear();
  }

  static List<Arguments> samplesInEveryScope() {
    List<Arguments> all = new ArrayList<>();
    for (String sample : SAMPLES) {
      for (Scope scope : List.of(Scope.ALL, Scope.ACTIVE, Scope.LATEST)) {
        all.add(Arguments.of(sample, scope));
      }
    }
    return all;
  }

  /** Sums and interpolations differ in the last bits, no more. */
  private static RecursiveComparisonConfiguration close(String... ignored) {
    Comparator<Double> nearly =
        (a, b) ->
            Math.abs(a - b) <= 1e-9 * Math.max(1, Math.max(Math.abs(a), Math.abs(b)))
                ? 0
                : Double.compare(a, b);
    RecursiveComparisonConfiguration close =
        RecursiveComparisonConfiguration.builder()
            .withComparatorForType(nearly, Double.class)
            .build();
    close.ignoreFields(ignored);
    return close;
  }

  @ParameterizedTest
  @MethodSource("samplesInEveryScope")
  void hotspotsAreThoseOfTheFolder(String sample, Scope scope) throws Exception {
    StoredFolder stored = stored(sample, scope);
    // These tables hold the parents that the source names; where it names none, the folder's
    // are guessed from time, and so are those of a followed folder: see StoreAgreementTest.
    Detail detail = new Detail(sample.equals("xtuner/main-otlp"), true);
    HotspotsReport told = stored.reports().hotspots(stored.question(scope), detail);
    HotspotsReport folder = HotspotsView.of(stored.run().table(), scope, detail, stored.context());
    assertThat(told)
        .usingRecursiveComparison(close("clockDisagrees", "stageStats"))
        .isEqualTo(folder);
    assertThat(told.stageStats().stream().map(FolderAgreementTest::withoutShareOfOp))
        .usingRecursiveFieldByFieldElementComparator(close())
        .containsExactlyElementsOf(
            folder.stageStats().stream().map(FolderAgreementTest::withoutShareOfOp).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"xtuner/run1", "xtuner/main-otlp"})
  void everyBatchIsThatOfTheFolder(String sample) throws Exception {
    List<String> batches = Scope.batches(stored(sample, Scope.ALL).run().table());
    assertThat(batches).hasSizeGreaterThan(1);
    for (String batch : batches) {
      hotspotsAreThoseOfTheFolder(sample, Scope.ofBatch(batch));
      sessionsAreThoseOfTheFolder(sample, Scope.ofBatch(batch));
    }
  }

  /** A folder's threads last from the first to the last of all their events, also of points. */
  private static StageStats withoutShareOfOp(StageStats s) {
    return new StageStats(
        s.stage(),
        s.kind(),
        s.count(),
        s.openCount(),
        s.errorCount(),
        s.totalS(),
        s.selfS(),
        s.avgS(),
        s.p50S(),
        s.p95S(),
        s.p99S(),
        s.maxS(),
        s.kind().equals("op") ? 0 : s.share(),
        s.distribution());
  }

  @ParameterizedTest
  @MethodSource("samplesInEveryScope")
  void sessionsAreThoseOfTheFolder(String sample, Scope scope) throws Exception {
    StoredFolder stored = stored(sample, scope);
    SpanTable table = stored.run().table();
    for (Integer batchSize : Arrays.asList(null, 1, 16)) {
      SessionsReport folder =
          SessionsView.of(
              new SessionsView.Input(table, Map.of(), new BarrierSpans(), batchSize),
              ReportRequest.of(scope).now(stored.nowNs()),
              stored.context());
      // Told by points, which the store does not keep.
      folder.metrics().keySet().removeAll(List.of("queue_wait_s", "runner_wait_s", "post_wait_s"));
      // Rows of these sources can lack the finalisation they should have; the store cannot tell, so
      // these four, which are of finalised sessions only, are of more sessions there.
      String[] ignored =
          sample.equals("areal/old")
              ? new String[] {
                "metrics.total_s", "metrics.work_s", "metrics.queue_s", "metrics.gap_s"
              }
              : new String[0];
      assertThat(stored.reports().sessions(stored.question(scope), batchSize))
          .usingRecursiveComparison(close(ignored))
          .isEqualTo(folder);
    }
  }

  @ParameterizedTest
  @MethodSource("samplesInEveryScope")
  void sessionColumnsAreThoseOfTheFolder(String sample, Scope scope) throws Exception {
    StoredFolder stored = stored(sample, scope);
    for (int budget : List.of(1, 7, 20, SessionColumns.MAX_BUDGET)) {
      SessionColumns folder =
          SessionColumnsView.of(stored.run().table(), scope, budget, stored.context());
      SessionColumns told = stored.reports().sessionColumns(stored.question(scope), budget);
      assertThat(told).usingRecursiveComparison(close()).isEqualTo(folder);
      assertThat(told.session()).hasSize((int) Math.min(budget, told.total()));
      assertThat(told.leftOut()).isEqualTo(told.total() - told.session().length);
    }
  }

  @ParameterizedTest
  @MethodSource("samplesInEveryScope")
  void sessionListCountsWhatTheLiveBoardCounts(String sample, Scope scope) throws Exception {
    StoredFolder stored = stored(sample, scope);
    Map<String, Integer> board =
        new LiveBoard(stored.run().table(), scope)
            .report(stored.context(), stored.nowNs(), 0)
            .sessionSummary();
    for (String status : board.keySet()) {
      SessionFilter filter =
          status.equals("total")
              ? SessionFilter.NONE
              : new SessionFilter(status, null, null, null, null);
      Question question = new Question(stored.run().id(), scope, filter, stored.nowNs());
      assertThat(stored.reports().sessionList(question, "start", 1, null).total())
          .as(status)
          .isEqualTo((long) board.get(status));
    }
  }

  @ParameterizedTest
  @MethodSource("samplesInEveryScope")
  void errorsAndOccupancyAreThoseOfTheFolder(String sample, Scope scope) throws Exception {
    StoredFolder stored = stored(sample, scope);
    SpanTable table = stored.run().table();
    Question question = stored.question(scope);
    assertThat(stored.reports().errors(question, 1_000))
        .usingRecursiveComparison(close())
        .isEqualTo(ErrorsView.of(table, scope, 1_000, stored.context()));
    assertThat(stored.reports().occupancy(question, null, null, 50))
        .usingRecursiveComparison(close())
        .isEqualTo(OccupancyView.of(table, scope, 50, stored.context()));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void batchesAreThoseOfTheFolder(String sample) throws Exception {
    StoredFolder stored = stored(sample, Scope.ALL);
    assertThat(stored.reports().batches(stored.question(Scope.ALL), null, 1_000))
        .usingRecursiveComparison(close())
        .isEqualTo(
            BatchesView.of(
                new SessionsView.Input(stored.run().table(), Map.of(), new BarrierSpans(), null),
                Scope.ALL,
                1_000,
                stored.context()));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everySessionIsThatOfTheFolder(String sample) throws Exception {
    StoredFolder stored = stored(sample, Scope.ALL);
    SpanTable table = stored.run().table();
    for (int s = 0; s < table.sessionCount(); s += 7) {
      if (table.isLane(s)) {
        continue;
      }
      SessionReport folder =
          SessionView.of(table, s, Nanos.UNKNOWN, SessionView.SourceLines.NONE, stored.context());
      assertThat(stored.reports().session(stored.run().id(), table.key(s), stored.nowNs()).get())
          .as(table.key(s))
          .usingRecursiveComparison(close("events", "spans.clockDisagrees", "siblings"))
          .isEqualTo(folder);
    }
  }

  static List<String> samples() {
    return SAMPLES;
  }
}
