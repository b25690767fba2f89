package io.rollscope.cli;

import io.rollscope.formats.folder.Formats;
import io.rollscope.formats.folder.TraceFormat;
import picocli.CommandLine.Option;

/** How a source is read. */
final class ReadOptions {
  @Option(
      names = "--run",
      paramLabel = "ID",
      description = "The run to look at; or a name for the only one.")
  String run;

  @Option(
      names = "--as",
      paramLabel = "FORMAT",
      description = "Read all files as xtuner, otlp, areal-sessions or areal-perf.")
  String as;

  @Option(names = "--strict", description = "Exit with 1 if anything was skipped.")
  boolean strict;

  /** The format all files have, or null to recognise it. */
  TraceFormat format() {
    try {
      return as == null ? null : Formats.named(as);
    } catch (IllegalArgumentException e) {
      throw new WrongUsage("--as", as, "xtuner, otlp, areal-sessions or areal-perf");
    }
  }
}
