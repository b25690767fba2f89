package io.rollscope.cli;

import io.rollscope.cli.process.DataFolder;
import io.rollscope.cli.process.ServerEnd;
import io.rollscope.cli.render.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends the collector. */
@Command(
    name = "stop",
    description = "Ends the server of a data folder and waits until it has closed.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  rollscope server stop",
      "  rollscope server stop --data /scratch/rollscope",
    })
final class ServerStopCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder (default: ~/.rollscope).")
  private String data;

  @Option(names = "--quiet", description = "No progress, no notes.")
  private boolean quiet;

  @Override
  public Integer call() throws IOException {
    Console console = Console.system(quiet);
    DataFolder folder = DataFolder.of(data, System.getenv());
    Optional<Long> pid = new ServerEnd(folder, PATIENCE, console::note).end();
    if (!quiet) {
      console
          .out()
          .println(
              pid.map(p -> "stopped (pid " + p + ")")
                  .orElse("no server is running on " + Console.clean(folder.path().toString())));
      console.out().flush();
    }
    return 0;
  }
}
