package io.rollscope.cli;

import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.LiveTable;
import io.rollscope.cli.terminal.LiveScreen;
import io.rollscope.cli.terminal.LiveSource;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.Row;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What is going on right now? */
@Command(
    name = "live",
    description = "What is open and since when, overdue work first; follows a growing folder.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Without --once the table is refreshed as files grow. Keys: s sorts, / filters,",
      "f shows open, failed or all sessions, up and down scroll, q quits.",
      "",
      "A span is suspect (!) when it has been open for more than twice the p95 of its",
      "stage (of its last 1,000 spans) and for more than 5 s above that; not one that",
      "is around such a span or only waits for its siblings. --now implies --once.",
      "",
      "Examples:",
      "  rollscope live                        the server that runs here",
      "  rollscope live runs/exp1",
      "  rollscope live runs/exp1 --once --format json | jq '.rows[0]'",
      "  rollscope live runs/exp1 --once --now 1781000880 --scope all",
    })
final class LiveCommand extends SourceCommand {
  static final int TABLE_ROWS = 20;
  private static final long EVERY_MS = 1_000;

  @Option(names = "--once", description = "Print once and end.")
  private boolean once;

  @Override
  public Integer call() throws IOException {
    Console console = Console.system(output.quiet);
    ReportRequest request = request().limit(rowLimit());
    RunSource source = source(console);
    if (once || now.isGiven()) {
      RunReports run = source.reports();
      LiveReport report = run.live(request);
      if (report.rows().isEmpty()) {
        requireBatch(run, request.scope());
      }
      print(report, console);
      return source.finish(report.skippedLines(), output.quiet);
    }
    boolean screen = isScreen(console);
    try (LiveSource live = source.follow(request.scope(), rowLimit(), screen)) {
      if (screen) {
        new LiveScreen(live, console.style()).show();
      } else {
        follow(live, console, rowLimit(), report -> print(report, console));
      }
    }
    return source.finish(null, true);
  }

  private boolean isScreen(Console console) {
    return console.isTerminal() && output.format == OutputOptions.Format.TABLE;
  }

  private int rowLimit() {
    return output.format == OutputOptions.Format.TABLE ? TABLE_ROWS : Integer.MAX_VALUE;
  }

  private void print(LiveReport report, Console console) throws IOException {
    output.print(report, Row.class, report.rows(), console, LiveTable.lines(report, console));
  }

  /** Prints one report. */
  interface Printer {
    void print(LiveReport report) throws IOException;
  }

  /** Into a pipe: a report whenever something changed, until the reader goes away. */
  static void follow(LiveSource source, Console console, int rows, Printer printer)
      throws IOException {
    boolean changed = true;
    while (!console.out().checkError()) {
      if (changed && source.trouble() != null) {
        console.note(source.trouble() + "; trying again …");
      } else if (changed) {
        printer.print(source.report(rows));
      }
      try {
        TimeUnit.MILLISECONDS.sleep(EVERY_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      changed = source.poll();
    }
  }
}
