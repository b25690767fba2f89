package io.rollscope.cli;

import io.rollscope.cli.process.DataFolder;
import io.rollscope.cli.process.ServerReport;
import io.rollscope.cli.process.ServerState;
import io.rollscope.cli.render.Console;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds the collector. */
@Command(
    name = "status",
    description = "Says whether the server of a data folder runs, and its addresses.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  rollscope server status",
      "  rollscope server status --format json | jq -r .otlp_http",
    })
final class ServerStatusCommand implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder (default: ~/.rollscope).")
  private String data;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    Console console = Console.system(output.quiet);
    DataFolder folder = DataFolder.of(data, System.getenv());
    Optional<ServerState> living = ServerState.ofLiving(folder);
    ServerReport report =
        living.map(s -> ServerReport.running(s, folder)).orElse(ServerReport.stopped(folder));
    List<String> lines =
        report.running()
            ? ServerRun.lines(report, null, "Rollscope is running")
            : List.of("no server is running on " + Console.clean(report.data()));
    output.print(report, ServerReport.class, List.of(report), console, lines);
    if (living.isPresent() && !output.quiet && !living.get().answers()) {
      console.note("it does not answer at " + report.url());
    }
    return 0;
  }
}
