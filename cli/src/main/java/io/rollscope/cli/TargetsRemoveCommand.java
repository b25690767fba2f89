package io.rollscope.cli;

import io.rollscope.cli.remote.RemoteTargets;
import io.rollscope.cli.render.Console;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes targets. */
@Command(
    name = "remove",
    description = "Removes targets; what was recorded of them stays.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  rollscope targets remove gpu2:8000",
      "  rollscope targets remove gpu1:8000 --job vllm",
    })
final class TargetsRemoveCommand implements Callable<Integer> {
  @Parameters(paramLabel = "TARGET", arity = "1..*", description = "As the list shows it; several.")
  private List<String> addresses;

  @Option(names = "--job", paramLabel = "JOB", description = "Only of this job (default: of all).")
  private String job;

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
    RemoteTargets server = new RemoteTargets(token.server("--url", url));
    int removed = 0;
    for (String address : addresses) {
      removed += server.remove(address, job).removed();
    }
    RemoteTargets.Removed all = new RemoteTargets.Removed(removed);
    output.print(
        all,
        RemoteTargets.Removed.class,
        List.of(all),
        console,
        List.of("removed " + removed + (removed == 1 ? " target" : " targets")));
    return 0;
  }
}
