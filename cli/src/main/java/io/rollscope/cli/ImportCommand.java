package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.render.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Old traces into a server. */
@Command(
    name = "import",
    description = "Sends the traces of folders to a server, which keeps them.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Doing it twice changes nothing: what a server has already is known again by its",
      "ids. Folders that still grow are for watch.",
      "",
      "Examples:",
      "  rollscope import runs/exp1",
      "  rollscope import logs/*/trial-1 --url http://gpu-login:18080",
      "  rollscope import traces --as otlp --run nightly",
    })
final class ImportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", arity = "1..*", description = "Folders or files.")
  private List<Path> sources;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server (default: the one that runs here).")
  private String url;

  @Mixin private TokenOption token;
  @Mixin private ReadOptions read;

  @Option(names = "--quiet", description = "No progress, no notes.")
  private boolean quiet;

  @Override
  public Integer call() throws IOException {
    read.format();
    for (Path source : sources) {
      if (!Files.exists(source)) {
        throw Failure.of("DIR", source, "an existing folder or file");
      }
    }
    Api server = token.server("--url", url);
    return new FolderSending(sources, read, server, Console.system(quiet)).send(quiet);
  }
}
