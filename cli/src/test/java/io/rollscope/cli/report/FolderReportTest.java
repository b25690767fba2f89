package io.rollscope.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import io.rollscope.simulator.Playback;
import io.rollscope.simulator.Settings;
import io.rollscope.simulator.Timeline;
import io.rollscope.simulator.TraceFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of a run that is too large for them. */
class FolderReportTest {
  private static final int EVENTS = 60_000;

  @TempDir static Path folder;
  private static FolderReader reader;

  @BeforeAll
  static void read() throws IOException {
    Path run = folder.resolve("run");
    Settings settings = Settings.demo().withSeed(1);
    Timeline timeline = new Timeline(1_781_000_000_000_000_000L, 1);
    try (Playback playback =
        new Playback(settings, timeline, TraceFormat.XTUNER.open(run, settings, timeline))) {
      playback.rush(EVENTS);
    }
    reader = new FolderReader(new SourcePath(run.toString()), null, null, 1L << 30);
    reader.readAll();
  }

  private static ReportData gather(int budget) throws IOException {
    RunData run = reader.runs().newest();
    ReportContext context = new ReportContext("run", run.id(), new SkippedLines(0, List.of()));
    return new FolderReport(run, reader.files(), Scope.ALL, context, Nanos.UNKNOWN, null, budget)
        .gather(1, n -> {});
  }

  @Test
  void aRunThatFitsIsThereWhole() throws IOException {
    ReportData whole = gather(FolderReport.BUDGET);
    assertThat(whole.sampled()).isNull();
    assertThat(whole.timeline().laneSession()).hasSize((int) whole.sessions().total());
  }

  @Test
  void ofALargerOneStatisticsAreExactAndSpansASample() throws IOException {
    ReportData whole = gather(FolderReport.BUDGET);
    ReportData sampled = gather(5_000);
    assertThat(sampled.hotspots()).isEqualTo(whole.hotspots());
    assertThat(sampled.batches()).isEqualTo(whole.batches());
    assertThat(sampled.sessions().session()).isEqualTo(whole.sessions().session());
    assertThat(sampled.timeline().name()).hasSizeBetween(4_500, 5_000);
    assertThat(sampled.sampled().spansKept()).isLessThanOrEqualTo(5_000);
    assertThat(sampled.sampled().spansTotal()).isEqualTo(whole.hotspots().spanCount());
    assertThat(sampled.sampled().sessionsKept()).isEqualTo(sampled.timeline().laneSession().length);
  }

  @Test
  void detailsAreOfOpenFailedAndSlowSessions() throws IOException {
    ReportData data = gather(FolderReport.BUDGET);
    Set<String> told = data.details().keySet();
    assertThat(told).hasSize(Details.MOST);
    List<String> statuses =
        data.details().values().stream().map(s -> s.status()).distinct().toList();
    assertThat(statuses).contains("running", "failed");
    int slowest = 0;
    for (int i = 0; i < data.sessions().session().length; i++) {
      slowest = data.sessions().wallS()[i] > data.sessions().wallS()[slowest] ? i : slowest;
    }
    assertThat(told).contains(data.sessions().session()[slowest]);
    assertThat(data.details().values()).allMatch(s -> !s.events().isEmpty());
  }

  /** 1 M events are to fit into 25 MB; the page itself takes less than 1 MB. */
  @Test
  void anEventTakesNoMoreThanTwentyBytes() throws IOException {
    long[] bytes = {0};
    OutputStream counting =
        new OutputStream() {
          @Override
          public void write(int b) {
            bytes[0]++;
          }

          @Override
          public void write(byte[] b, int offset, int length) {
            bytes[0] += length;
          }
        };
    ReportPage.load().write(gather(FolderReport.BUDGET), counting, n -> {});
    // Details have a bound of their own and do not grow with the run.
    assertThat(bytes[0]).isLessThan(20L * EVENTS + 500_000);
  }

  @Test
  void spansAreInTheOrderOfTheirLanes() throws IOException {
    ReportData data = gather(FolderReport.BUDGET);
    assertThat(Arrays.stream(data.timeline().laneSpans()).sum())
        .isEqualTo(data.timeline().name().length);
    assertThat(data.timeline().laneSession()).isSorted();
  }
}
