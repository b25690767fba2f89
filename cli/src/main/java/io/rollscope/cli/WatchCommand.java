package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The collector, fed from folders. */
@Command(
    name = "watch",
    description = "Starts a server that also follows growing trace folders, until Ctrl+C.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Folders are looked at again and again, which works on shared file systems too.",
      "After a restart it goes on where it was. Takes all options of server start.",
      "",
      "Examples:",
      "  rollscope watch work_dir/producer_trace",
      "  rollscope watch logs/exp/trial-* --data /scratch/rollscope",
      "  rollscope watch traces --as otlp --run nightly",
    })
final class WatchCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", arity = "1..*", description = "Folders to follow.")
  private List<Path> folders;

  @Option(
      names = "--as",
      paramLabel = "FORMAT",
      description = "Read all files as xtuner, otlp, areal-sessions or areal-perf.")
  private String as;

  @Option(
      names = "--run",
      paramLabel = "ID",
      description = "The run of files that name none (default: from the folder's name).")
  private String run;

  @Mixin private ServerFlags flags;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    ReadOptions.formatNamed(as);
    for (Path folder : folders) {
      if (!Files.isDirectory(folder)) {
        throw Failure.of("DIR", folder, "an existing folder");
      }
    }
    ServerRun server = new ServerRun(flags.settings(System.getenv()), output);
    server.refuseIfRunning();
    List<Path> absolute = folders.stream().map(f -> f.toAbsolutePath().normalize()).toList();
    return server.inForeground(absolute, as, run);
  }
}
