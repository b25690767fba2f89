package io.rollscope.server.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsView;
import io.rollscope.core.view.LiveBoard;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.RunSummary;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionsView;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import io.rollscope.server.ServerOptions.WatchedFolder;
import io.rollscope.store.Store;
import io.rollscope.store.StoreOptions;
import io.rollscope.store.query.Question;
import io.rollscope.store.query.Reports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A folder that is followed into a real store shows there what it shows by itself. */
class StoreAgreementTest {
  private static final ReportContext CONTEXT =
      new ReportContext("source", "run", new ReportContext.SkippedLines(0, List.of()));

  @TempDir Path data;

  /** Also of one that is read long after: what was open then does not go on. */
  @ParameterizedTest
  @CsvSource({
    "xtuner/run1, 0",
    "xtuner/run1, 100",
    "areal/current, 0",
    "areal/current, 100",
    "areal/edge, 0",
    "rollscope/spool, 0",
    "rollscope/spool, 100"
  })
  void liveHotspotsAndSessionsAreThoseOfTheFolder(String sample, int daysLater) throws Exception {
    RunData folder = read(sample);
    SpanTable table = folder.table();
    long end = table.newestEvent();
    long now = end + Duration.ofDays(daysLater).toNanos();
    StoreOptions d = StoreOptions.defaults(data);
    StoreOptions options =
        new StoreOptions(
            data, d.disk(), () -> now, null, d.maxOpenSpans(), d.sealRows(), d.sealAfter());
    try (Store store = Store.open(options)) {
      FolderTail tail =
          new FolderTail(
              new WatchedFolder(Tails.sample(sample), null, null),
              new TailSetup(Sink.of(store), () -> now, time -> false, line -> {}, Long.MAX_VALUE));
      tail.poll();
      assertThat(tail.numbers().lastError()).isNull();
      assertThat(tail.numbers().refused()).isEmpty();
      awaitApplied(store, tail.numbers().spans());

      assertSameLive(
          store.live(folder.id(), ReportRequest.of(Scope.ALL).limit(1000)),
          new LiveBoard(table, Scope.ALL).report(CONTEXT, end, 1000));
      Reports reports = new Reports(store.snapshots(), "source");
      assertSameHotspots(
          reports.hotspots(
              Question.of(folder.id(), Scope.ALL, store.nowOf(folder.id())), Detail.ALL),
          HotspotsView.of(table, Scope.ALL, Detail.ALL, CONTEXT));
      assertThat(
              reports.sessions(Question.of(folder.id(), Scope.ALL, store.nowOf(folder.id())), null))
          .usingRecursiveComparison(close("run"))
          .isEqualTo(
              SessionsView.of(
                  new SessionsView.Input(table, folder.counters(), folder.barrierSpans(), null),
                  Scope.ALL,
                  CONTEXT));
    }
  }

  /** An imported trial of last year was called live for a minute, and silent then. */
  @ParameterizedTest
  @CsvSource({"areal/current", "areal/old", "xtuner/run1"})
  void aTrialThatIsReadLongAfterItsEndHasEndedWhateverItsClock(String sample) throws Exception {
    RunData folder = read(sample);
    long now = Instant.parse("2026-11-15T12:00:00Z").getEpochSecond() * 1_000_000_000L;
    StoreOptions d = StoreOptions.defaults(data);
    StoreOptions options =
        new StoreOptions(
            data, d.disk(), () -> now, null, d.maxOpenSpans(), d.sealRows(), d.sealAfter());
    try (Store store = Store.open(options)) {
      FolderTail tail =
          new FolderTail(
              new WatchedFolder(Tails.sample(sample), null, null),
              new TailSetup(Sink.of(store), () -> now, time -> false, line -> {}, Long.MAX_VALUE));
      tail.poll();
      awaitApplied(store, tail.numbers().spans());

      assertThat(store.runs()).extracting(RunSummary::state).containsExactly("ended");
      assertThat(store.live(folder.id(), ReportRequest.of(Scope.ACTIVE)).past()).isTrue();
    }
  }

  /** The folder had 816 sessions in scope active, the server 16, and an age of a year. */
  @Test
  void aTrialThatNamesNoBatchesIsActiveAsAWholeAndNothingOfItIsOverdueAYearLater()
      throws Exception {
    RunData folder = read("areal/current");
    long now = folder.table().newestEvent() + Duration.ofDays(360).toNanos();
    StoreOptions d = StoreOptions.defaults(data);
    StoreOptions options =
        new StoreOptions(
            data, d.disk(), () -> now, null, d.maxOpenSpans(), d.sealRows(), d.sealAfter());
    try (Store store = Store.open(options)) {
      FolderTail tail =
          new FolderTail(
              new WatchedFolder(Tails.sample("areal/current"), null, null),
              new TailSetup(Sink.of(store), () -> now, time -> false, line -> {}, Long.MAX_VALUE));
      tail.poll();
      awaitApplied(store, tail.numbers().spans());

      LiveReport live = store.live(folder.id(), ReportRequest.of(Scope.ACTIVE).limit(1000));
      assertSameLive(
          live,
          new LiveBoard(folder.table(), Scope.ACTIVE)
              .report(CONTEXT, folder.table().newestEvent(), 1000));
      assertThat(live.sessionSummary()).containsEntry("total", 816).containsEntry("running", 16);
      assertThat(live.rows()).noneMatch(LiveReport.Row::suspect);
      assertThat(live.openSpanSummaries())
          .allMatch(open -> !open.suspect() && open.oldestAgeS() < 0.005);
      Question active = Question.of(folder.id(), Scope.ACTIVE, store.nowOf(folder.id()));
      assertThat(new Reports(store.snapshots(), "source").hotspots(active, Detail.ALL))
          .extracting(HotspotsReport::sessionCount)
          .isEqualTo(816);
    }
  }

  private static void assertSameLive(LiveReport store, LiveReport folder) {
    assertThat(store.sessionSummary()).isEqualTo(folder.sessionSummary());
    assertThat(store.taskSummary()).isEqualTo(folder.taskSummary());
    assertThat(store.openSpanSummaries())
        .usingRecursiveFieldByFieldElementComparator(close("oldestTraceId"))
        .isEqualTo(folder.openSpanSummaries());
    assertThat(store.workers())
        .usingRecursiveFieldByFieldElementComparator(close())
        .isEqualTo(folder.workers());
    assertThat(store.batch()).isEqualTo(folder.batch());
    assertThat(store.droppedBy()).isEqualTo(folder.droppedBy());
    assertThat(store.finishedLastMinute()).isEqualTo(folder.finishedLastMinute());
    assertThat(places(store)).containsExactlyInAnyOrderElementsOf(places(folder));
  }

  private static List<List<Object>> places(LiveReport report) {
    return report.rows().stream()
        .map(
            r ->
                Arrays.<Object>asList(
                    r.session(), r.status(), r.waitsFor(), r.task(), r.batch(), r.startS()))
        .toList();
  }

  private static void assertSameHotspots(HotspotsReport store, HotspotsReport folder) {
    assertThat(store)
        .usingRecursiveComparison(close("clockDisagrees", "stageStats", "run"))
        .isEqualTo(folder);
    assertThat(store.stageStats())
        .usingRecursiveFieldByFieldElementComparator(close("share"))
        .containsExactlyElementsOf(folder.stageStats());
  }

  private static RecursiveComparisonConfiguration close(String... ignored) {
    Comparator<Double> nearly =
        (a, b) -> Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)) ? 0 : Double.compare(a, b);
    RecursiveComparisonConfiguration close =
        RecursiveComparisonConfiguration.builder()
            .withComparatorForType(nearly, Double.class)
            .build();
    close.ignoreFields(ignored);
    return close;
  }

  private static void awaitApplied(Store store, long spans) throws IOException {
    Instant deadline = Instant.now().plus(Duration.ofSeconds(90));
    while (store.numbers().spans() + store.numbers().starts() < spans) {
      assertThat(Instant.now()).isBefore(deadline);
      LockSupport.parkNanos(2_000_000);
    }
    store.awaitApplied(); // Beats come after the last span.
  }

  private static RunData read(String sample) throws IOException {
    FolderReader reader =
        new FolderReader(
            new SourcePath(Tails.sample(sample).toString()), null, null, Long.MAX_VALUE);
    reader.readAll();
    return reader.runs().newest();
  }
}
