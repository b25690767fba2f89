package io.rollscope.cli;

import io.rollscope.cli.process.DataFolder;
import io.rollscope.cli.process.ServerEnd;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends what {@code stack start} started. */
@Command(
    name = "stop",
    description = "Ends the stack of a data folder and waits until all of it has ended.",
    mixinStandardHelpOptions = true,
    footer = {"", "Examples:", "  rollscope stack stop"})
final class StackStopCommand implements Callable<Integer> {
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
    List<String> ended =
        new ArrayList<>(new Stack(StackStatusCommand.folder(folder)).stop(console::note));
    new ServerEnd(folder, PATIENCE, console::note).end().ifPresent(pid -> ended.add("rollscope"));
    if (!quiet) {
      console
          .out()
          .println(
              ended.isEmpty()
                  ? "no stack is running on " + Console.clean(folder.path().toString())
                  : "stopped " + String.join(", ", ended));
      console.out().flush();
    }
    return 0;
  }
}
