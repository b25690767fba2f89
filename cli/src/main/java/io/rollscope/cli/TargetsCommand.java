package io.rollscope.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What a server scrapes. */
@Command(
    name = "targets",
    description = "Tells a server which metrics endpoints to scrape, and how they fare.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      TargetsAddCommand.class,
      TargetsListCommand.class,
      TargetsRemoveCommand.class,
    },
    footer = {
      "",
      "Examples:",
      "  rollscope targets add gpu1:8000 gpu2:8000 --job vllm",
      "  rollscope targets list",
      "  rollscope targets remove gpu2:8000",
    })
final class TargetsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw UsageErrors.noCommand(spec.commandLine());
  }
}
