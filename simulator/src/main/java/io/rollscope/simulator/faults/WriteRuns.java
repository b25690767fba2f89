package io.rollscope.simulator.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Writes runs with their truth, a folder each: a program of its own. */
public final class WriteRuns {
  private WriteRuns() {}

  /** {@code FOLDER [PART_OF_NAME]}. */
  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    String part = args.length > 1 ? args[1] : "";
    for (FaultyRun run : FaultyRuns.all()) {
      if (run.name().contains(part)) {
        print(write(run, out.resolve(run.name())), System.out);
      }
    }
  }

  /** Writes the data of a run and its truth. */
  public static Truth write(FaultyRun run, Path folder) throws IOException {
    Truth truth = TruthFinder.find(run, folder.resolve("data"));
    Files.createDirectories(folder);
    TruthFile.write(truth, folder.resolve("truth.json"));
    return truth;
  }

  private static void print(Truth truth, PrintStream out) {
    out.printf(
        Locale.ROOT, "%-40s %6.0f s %5d sessions", truth.name(), truth.wallS(), truth.sessions());
    for (Truth.Cost cost : truth.expected()) {
      out.printf(
          Locale.ROOT,
          "  %s %s %.1f s%s",
          cost.finding().kind(),
          cost.finding().id(),
          cost.wallS(),
          cost.isSlight() ? " slight" : "");
    }
    out.println();
  }
}
