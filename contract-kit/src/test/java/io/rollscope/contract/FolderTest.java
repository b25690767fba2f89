package io.rollscope.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.Scope;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The same lines in another order, some of them twice. */
class FolderTest extends RunReportsContract {
  @Override
  protected void take(List<World> worlds) {}

  @Override
  protected Set<String> answers() {
    Set<String> all = new HashSet<>(Questions.ANSWERS);
    all.remove("live"); // Of events at one instant the one read last is the latest stage.
    return all;
  }

  @Override
  protected RunReports open(World world) throws IOException {
    return Folders.run(world.write(folder.resolve("shuffled"), world.shuffled()), world.run());
  }

  @Override
  protected void close() {}

  @Test
  void anOpThatWasOpenWhenItsProcessEndedIsLostAndNotOpen() throws Exception {
    World world = Worlds.opOpenWhenItsProcessEnded();
    RunReports run = Folders.run(world.write(folder.resolve("lost"), world.lines()), world.run());

    HotspotsReport.StageStats sync =
        run.hotspots(ReportRequest.of(Scope.ALL)).stageStats().stream()
            .filter(stage -> stage.stage().equals("weight_sync"))
            .findFirst()
            .orElseThrow();

    assertThat(sync.openCount()).isZero();
    assertThat(sync.totalS()).isEqualTo(8);
    assertThat(run.live(ReportRequest.of(Scope.ALL)).openSpanSummaries()).isEmpty();
  }
}
