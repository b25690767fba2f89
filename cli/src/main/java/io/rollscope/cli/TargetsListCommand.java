package io.rollscope.cli;

import io.rollscope.cli.remote.RemoteTargets;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.TargetsTable;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists targets. */
@Command(
    name = "list",
    description = "Lists all targets: up or down, since when, and why.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  rollscope targets list",
      "  rollscope targets list --format json | jq '.targets[] | select(.up == false)'",
    })
final class TargetsListCommand implements Callable<Integer> {
  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server (default: the one that runs here).")
  private String url;

  @Mixin private TokenOption token;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    Console console = Console.system(output.quiet);
    RemoteTargets.All all = new RemoteTargets(token.server("--url", url)).list();
    output.print(
        all,
        RemoteTargets.Row.class,
        all.targets(),
        console,
        TargetsTable.lines(all, console, System.currentTimeMillis() / 1e3));
    return 0;
  }
}
