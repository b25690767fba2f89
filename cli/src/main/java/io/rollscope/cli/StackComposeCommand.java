package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.stack.Compose;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The stack for Docker. */
@Command(
    name = "compose",
    description = "Writes a docker-compose file for the stack, with what it mounts beside it.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Versions are pinned, data is kept in volumes, ports are bound to the loopback address.",
      "The configuration is written into the folder rollscope-stack beside the file.",
      "",
      "Examples:",
      "  rollscope stack compose -o docker-compose.yml && docker compose up -d",
    })
final class StackComposeCommand implements Callable<Integer> {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "docker-compose.yml",
      description = "Where to (default: docker-compose.yml).")
  private Path file;

  @Option(names = "--quiet", description = "No progress, no notes.")
  private boolean quiet;

  @Override
  public Integer call() throws IOException {
    Console console = Console.system(quiet);
    Path target = file.toAbsolutePath();
    if (Files.exists(target)) {
      throw Failure.of("--output", file + " exists", "a new file");
    }
    Path configuration = Compose.write(target);
    if (!quiet) {
      console.out().println("wrote " + Console.clean(file.toString()) + " and " + configuration);
      console
          .out()
          .println("start it with: docker compose -f " + Console.clean(file.toString()) + " up -d");
      console.out().flush();
    }
    return 0;
  }
}
