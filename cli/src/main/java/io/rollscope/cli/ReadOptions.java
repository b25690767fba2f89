package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
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
    return formatNamed(as);
  }

  /** The format with this id; null for null. */
  static TraceFormat formatNamed(String id) {
    try {
      return id == null ? null : Formats.named(id);
    } catch (IllegalArgumentException e) {
      throw new WrongUsage("--as", id, "xtuner, otlp, areal-sessions or areal-perf");
    }
  }

  /** A server has read its sources already. */
  void refuseForServer() {
    if (as != null) {
      throw new WrongUsage("--as", as, "a folder or file; a server knows its formats");
    }
  }
}
