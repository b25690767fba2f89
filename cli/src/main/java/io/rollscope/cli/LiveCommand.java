package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.RemoteLive;
import io.rollscope.cli.remote.RemoteRefresh;
import io.rollscope.cli.remote.RemoteRun;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.LiveTable;
import io.rollscope.cli.render.Waiting;
import io.rollscope.cli.terminal.LiveScreen;
import io.rollscope.cli.terminal.LiveSource;
import io.rollscope.core.time.Nanos;
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
      "A span is suspect (!) when it has been open for more than twice what its stage",
      "usually takes at most (p95 of its last 1,000 spans).",
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

  @Option(
      names = "--now",
      paramLabel = "EPOCH_S",
      description = "Take this as the present moment; implies --once.")
  private Double now;

  @Override
  public Integer call() throws IOException {
    Console console = Console.system(output.quiet);
    Api server = server();
    if (server != null) {
      return ofServer(server, console);
    }
    OpenSource opened = open(console);
    if (once || now != null) {
      checkBatch(opened.readAll().table());
      LiveFeed feed = new LiveFeed(opened, scope.scope());
      long nowNs = now == null ? LiveFeed.clock() : nanos(now);
      print(feed.report(nowNs, rowLimit()), console);
      return opened.finish(output.quiet);
    }
    opened.follow();
    LiveFeed feed = new LiveFeed(opened, scope.scope());
    if (isScreen(console)) {
      new LiveScreen(feed, console.style()).show();
    } else {
      follow(feed, console, rowLimit(), report -> print(report, console));
    }
    return opened.finish(true);
  }

  private int ofServer(Api server, Console console) throws IOException {
    if (now != null) {
      throw new WrongUsage("--now", now, "a folder or file; a server shows the present");
    }
    if (once) {
      RemoteRun run = RemoteRun.choose(server, read.run);
      LiveReport report = run.live(scope.scope(), rowLimit());
      if (report.rows().isEmpty()) {
        run.requireBatch(scope.scope());
      }
      print(report, console);
      return finish(run, report.skippedLines(), console);
    }
    boolean screen = isScreen(console);
    RemoteLive live =
        new RemoteLive(server, read.run, scope.scope(), screen ? RemoteRun.MOST_ROWS : rowLimit());
    try (Waiting waiting = console.waiting("waiting for the first run")) {
      live.open(waiting::show);
    }
    if (screen) {
      try (RemoteRefresh refreshed = RemoteRefresh.begin(live)) {
        new LiveScreen(refreshed, console.style()).show();
      }
    } else {
      follow(live, console, rowLimit(), report -> print(report, console));
    }
    return 0;
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

  static long nanos(double epochSeconds) {
    long nanos = Nanos.fromSeconds(epochSeconds);
    if (nanos == Nanos.UNKNOWN) {
      throw new WrongUsage("--now", epochSeconds, "seconds since 1970");
    }
    return nanos;
  }
}
