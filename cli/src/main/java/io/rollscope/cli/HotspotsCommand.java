package io.rollscope.cli;

import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.RemoteRun;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.HotspotsTable;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.HotspotsView;
import io.rollscope.formats.folder.RunData;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Where did the time go? */
@Command(
    name = "hotspots",
    description = "Where did the time go: statistics per stage, and the waits beside them.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "self is the time in which a stage was what its session was doing: all self",
      "times and waits together are exactly the sessions' wall time. Open spans count",
      "up to the last event.",
      "",
      "Examples:",
      "  rollscope hotspots runs/exp1 --scope all",
      "  rollscope hotspots logs/exp/trial --format json | jq '.stage_stats[0]'",
      "  rollscope hotspots 'runs/exp1/producer_trace_42_*.jsonl'",
      "  rollscope hotspots http://gpu-login:18080 --run exp1",
    })
final class HotspotsCommand extends SourceCommand {
  @Override
  public Integer call() throws IOException {
    Console console = Console.system(output.quiet);
    Api server = server();
    if (server != null) {
      RemoteRun run = RemoteRun.choose(server, read.run);
      HotspotsReport report = run.hotspots(scope.scope(), isDetailed());
      if (report.sessionCount() == 0) {
        run.requireBatch(scope.scope());
      }
      print(report, console);
      return finish(run, report.skippedLines(), console);
    }
    OpenSource opened = open(console);
    RunData run = opened.readAll();
    checkBatch(run.table());
    Detail detail = isDetailed() ? Detail.ALL : Detail.NONE;
    print(HotspotsView.of(run.table(), scope.scope(), detail, opened.context()), console);
    return opened.finish(output.quiet);
  }

  /** Tables show none of the details. */
  private boolean isDetailed() {
    return output.format == OutputOptions.Format.JSON;
  }

  private void print(HotspotsReport report, Console console) throws IOException {
    output.print(
        report,
        StageStats.class,
        report.stageStats(),
        console,
        HotspotsTable.lines(report, console));
  }
}
