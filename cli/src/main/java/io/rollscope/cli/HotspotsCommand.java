package io.rollscope.cli;

import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.HotspotsTable;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
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
      "up to now while the run goes on, else up to the last event in scope.",
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
    ReportRequest request = request().detail(isDetailed() ? Detail.ALL : Detail.NONE);
    RunSource source = source(console);
    RunReports run = source.reports();
    HotspotsReport report = run.hotspots(request);
    if (report.sessionCount() == 0) {
      requireBatch(run, request.scope());
    }
    print(report, console);
    return source.finish(report.skippedLines(), output.quiet);
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
