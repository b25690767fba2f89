package io.rollscope.cli;

import io.rollscope.cli.FolderReports.Damaged;
import io.rollscope.cli.FolderReports.Verified;
import io.rollscope.cli.process.DataFolder;
import io.rollscope.cli.render.Console;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares stored files with their checksums. */
@Command(
    name = "verify",
    description = {
      "Reads all segments of a data folder and compares them with their checksums.",
      "Changes nothing; a server may be running. Exits with 1 if a file is damaged."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  rollscope server verify",
      "  rollscope server verify --data /scratch/rollscope --format json | jq .damaged",
    })
final class ServerVerifyCommand implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder (default: ~/.rollscope).")
  private String data;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    Console console = Console.system(output.quiet);
    DataFolder folder = DataFolder.of(data, System.getenv());
    Verified report = FolderWork.verify(folder.path(), console);
    output.print(report, Damaged.class, report.damaged(), console, lines(report));
    return report.damaged().isEmpty() ? 0 : 1;
  }

  private static List<String> lines(Verified report) {
    List<String> lines = new ArrayList<>();
    report.damaged().forEach(one -> lines.add(Console.clean(one.file() + ": " + one.reason())));
    String all = String.format(Locale.ROOT, "%,d files, %,d bytes", report.files(), report.bytes());
    String aside = report.setAside() == 0 ? "" : ", " + report.setAside() + " set aside before";
    String damaged = report.damaged().isEmpty() ? "none" : String.valueOf(report.damaged().size());
    lines.add(all + ", " + damaged + " damaged" + aside);
    return lines;
  }
}
