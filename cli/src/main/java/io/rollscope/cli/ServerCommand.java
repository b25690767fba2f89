package io.rollscope.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The collector as a process. */
@Command(
    name = "server",
    description = "Starts, stops, finds and repairs the server that collects, keeps and answers.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ServerStartCommand.class,
      ServerStopCommand.class,
      ServerStatusCommand.class,
      ServerVerifyCommand.class,
      ServerRepairCommand.class,
    },
    footer = {
      "",
      "Examples:",
      "  rollscope server start                in the foreground, until Ctrl+C",
      "  rollscope server start --detach       in the background",
      "  rollscope server status --format json | jq -r .url",
      "  rollscope server stop",
      "  rollscope server verify               are the stored files as they were written",
    })
final class ServerCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw UsageErrors.noCommand(spec.commandLine());
  }
}
