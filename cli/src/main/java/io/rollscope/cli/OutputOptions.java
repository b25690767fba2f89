package io.rollscope.cli;

import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.CsvReport;
import io.rollscope.cli.render.JsonReport;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;

/** How results are printed. */
final class OutputOptions {
  enum Format {
    TABLE,
    JSON,
    CSV
  }

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, json or csv (default: table).")
  Format format;

  @Option(names = "--quiet", description = "No progress, no notes.")
  boolean quiet;

  /**
   * Prints a report in the format asked for.
   *
   * @param rows what is the report's list, for CSV
   * @param table the report as lines, for people
   */
  <T extends Record> void print(
      Record report, Class<T> rowType, List<T> rows, Console console, List<String> table)
      throws IOException {
    switch (format) {
      case JSON -> JsonReport.write(report, console.out());
      case CSV -> CsvReport.write(rowType, rows, console.out());
      case TABLE -> table.forEach(console.out()::println);
    }
    console.out().flush();
  }
}
