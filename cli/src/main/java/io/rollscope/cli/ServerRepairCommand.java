package io.rollscope.cli;

import io.rollscope.cli.FolderReports.Damaged;
import io.rollscope.cli.FolderReports.Repaired;
import io.rollscope.cli.process.DataFolder;
import io.rollscope.cli.render.Console;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Brings a damaged data folder into order. */
@Command(
    name = "repair",
    description = {
      "Brings a data folder into order, while no server runs on it: makes a lost manifest",
      "anew, sets aside segments that are damaged, and uses those again that are sound.",
      "Deletes nothing unless told so. Exits with 1 if something stays set aside."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  rollscope server repair",
      "  rollscope server repair --data /scratch/rollscope",
      "  rollscope server repair --delete-damaged",
    })
final class ServerRepairCommand implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder (default: ~/.rollscope).")
  private String data;

  @Option(names = "--delete-damaged", description = "Delete what stays damaged, for ever.")
  private boolean deleteDamaged;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    Console console = Console.system(output.quiet);
    DataFolder folder = DataFolder.of(data, System.getenv());
    Repaired report = FolderWork.repair(folder.path(), deleteDamaged);
    output.print(report, Damaged.class, report.damaged(), console, lines(report));
    return report.damaged().isEmpty() ? 0 : 1;
  }

  private static List<String> lines(Repaired report) {
    List<String> lines = new ArrayList<>();
    report.done().forEach(line -> lines.add(Console.clean(line)));
    for (Damaged one : report.damaged()) {
      lines.add(Console.clean("stays set aside: " + one.file() + ": " + one.reason()));
    }
    if (lines.isEmpty()) {
      lines.add("nothing to repair");
    }
    return lines;
  }
}
