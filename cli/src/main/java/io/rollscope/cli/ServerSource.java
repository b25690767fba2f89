package io.rollscope.cli;

import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.RemoteLive;
import io.rollscope.cli.remote.RemoteRefresh;
import io.rollscope.cli.remote.RemoteRun;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.Waiting;
import io.rollscope.cli.terminal.LiveSource;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.core.view.Scope;
import java.io.IOException;
import java.util.List;

/** A run of a server. */
final class ServerSource implements RunSource {
  private final Api server;
  private final ReadOptions options;
  private final Console console;
  private List<String> others = List.of();

  ServerSource(Api server, ReadOptions options, Console console) {
    options.refuseForServer();
    this.server = server;
    this.options = options;
    this.console = console;
  }

  @Override
  public RunReports reports() throws IOException {
    RemoteRun run = RemoteRun.choose(server, options.run);
    others = run.others();
    return run;
  }

  @Override
  public LiveSource follow(Scope scope, int rows, boolean screen) throws IOException {
    RemoteLive live =
        new RemoteLive(server, options.run, scope, screen ? RemoteRun.MOST_ROWS : rows);
    try (Waiting waiting = console.waiting("waiting for the first run")) {
      live.open(waiting::show);
    }
    return screen ? RemoteRefresh.begin(live) : live;
  }

  @Override
  public int finish(SkippedLines skipped, boolean quiet) {
    if (!quiet) {
      console.skipped(skipped);
      console.otherRuns(others);
    }
    return options.strict && skipped != null && skipped.count() > 0 ? 1 : 0;
  }
}
