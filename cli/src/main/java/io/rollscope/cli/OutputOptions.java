package io.rollscope.cli;

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
}
