package io.rollscope.cli;

import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.HotspotsTable;
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
    })
final class HotspotsCommand extends SourceCommand {
  @Override
  public Integer call() throws IOException {
    Console console = Console.system(output.quiet);
    OpenSource opened = open(console);
    RunData run = opened.readAll();
    checkBatch(run.table());
    HotspotsReport report = HotspotsView.of(run.table(), scope.scope(), opened.context());
    print(
        report,
        StageStats.class,
        report.stageStats(),
        console,
        HotspotsTable.lines(report, console));
    return opened.finish(output.quiet);
  }
}
