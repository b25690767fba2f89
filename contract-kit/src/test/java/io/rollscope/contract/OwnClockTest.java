package io.rollscope.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.OccupancyReport;
import io.rollscope.core.view.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests of 2025, whose times count from a zero that only their process knew. */
class OwnClockTest {
  private static final ReportRequest ALL = ReportRequest.of(Scope.ALL);
  private static final double LAST_EVENT_S = 8738392.896176072;

  @TempDir Path data;
  private World world;
  private TestedStore store;

  @BeforeEach
  void takeIn() throws IOException {
    world =
        Worlds.samples().stream()
            .filter(w -> w.name().equals("requests-pr509.jsonl"))
            .findFirst()
            .orElseThrow();
    store = new TestedStore(data);
    store.importFolder(world.folder());
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  /** The board said today's time, and that its workers had been silent for 20,672 days. */
  @Test
  void theBoardOfAFolderIsAsOfTheLastEvent() throws Exception {
    isAsOfTheLastEvent(Folders.run(world.folder(), world.run()));
  }

  @Test
  void theBoardOfAServerIsAsOfTheLastEvent() throws Exception {
    isAsOfTheLastEvent(store.run(world.run()));
    store.seal();
    store.restart();
    isAsOfTheLastEvent(store.run(world.run()));
  }

  private static void isAsOfTheLastEvent(RunReports run) throws IOException {
    LiveReport live = run.live(ALL.limit(100));
    assertThat(live.past()).isTrue();
    assertThat(live.generatedAtS()).isCloseTo(LAST_EVENT_S, within(1e-6));
    assertThat(live.workers())
        .allSatisfy(w -> assertThat(live.generatedAtS() - w.lastEventS()).isBetween(0.0, 1e-6));
    assertThat(live.rows()).hasSize(24);
    assertThat(live.finishedLastMinute()).isEqualTo(17);
    assertThat(live.openSpanSummaries().get(0).oldestAgeS()).isCloseTo(4.955880771, within(1e-6));
  }

  /** The page asks for the last minutes before the time the board is as of. */
  @Test
  void theLastMinuteOfItsBoardIsNotEmpty() throws Exception {
    for (RunReports run :
        new RunReports[] {Folders.run(world.folder(), world.run()), store.run(world.run())}) {
      long to = Math.round(run.live(ALL).generatedAtS() * 1e9);
      OccupancyReport occupancy = run.occupancy(ALL.window(to - 60_000_000_000L, to).limit(10));
      assertThat(DoubleStream.of(occupancy.alive()).sum()).isPositive();
    }
  }

  /** Five ended without coming back: AReaL knows no total time of them, a server said 23. */
  @Test
  void onlyRequestsThatReturnedHaveATotalTimeAfterAnImport() throws Exception {
    assertThat(totals(Folders.run(world.folder(), world.run()))).isEqualTo(18);
    assertThat(totals(store.run(world.run()))).isEqualTo(18);
    store.seal();
    store.restart();
    assertThat(totals(store.run(world.run()))).isEqualTo(18);
  }

  private static long totals(RunReports run) throws IOException {
    return run.sessions(ALL).metrics().get("total_s").count();
  }
}
