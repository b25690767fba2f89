package io.rollscope.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A server with Prometheus, Tempo and Grafana beside it. */
@Command(
    name = "stack",
    description = "Runs Prometheus, Tempo and Grafana beside the server, as far as installed.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      StackStartCommand.class,
      StackStopCommand.class,
      StackStatusCommand.class,
      StackComposeCommand.class,
    },
    footer = {
      "",
      "Clients always talk to Rollscope; it forwards spans to Tempo, and Prometheus",
      "scrapes it. Nothing is downloaded.",
      "",
      "Examples:",
      "  rollscope stack start                           with all that is on the PATH",
      "  rollscope stack start --with prometheus --detach",
      "  rollscope stack status",
      "  rollscope stack stop                            also from another terminal",
      "  rollscope stack compose -o docker-compose.yml   the same for Docker",
    })
final class StackCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw UsageErrors.noCommand(spec.commandLine());
  }
}
