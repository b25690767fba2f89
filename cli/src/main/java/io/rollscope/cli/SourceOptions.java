package io.rollscope.cli;

import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.Formats;
import io.rollscope.formats.folder.TraceFormat;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What to read, and which part of it to look at. */
final class SourceOptions {
  @Parameters(
      paramLabel = "SRC",
      arity = "1..*",
      description = "A folder, a file or a glob of traces.")
  List<String> sources;

  @Option(names = "--run", paramLabel = "ID", description = "The run to look at.")
  String run;

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      description =
          "active: unfinished sessions and the batch with the newest event (default); latest: the"
              + " batch with the highest step, as XTuner does; all.")
  String scope;

  @Option(names = "--batch", paramLabel = "ID", description = "Only events of this batch.")
  String batch;

  @Option(
      names = "--as",
      paramLabel = "FORMAT",
      description = "Read all files as xtuner, otlp, areal-sessions or areal-perf.")
  String as;

  @Option(names = "--strict", description = "Exit with 1 if anything was skipped.")
  boolean strict;

  /** Refuses wrong options before anything is read. */
  void check() {
    scope();
    format();
  }

  Scope scope() {
    if (batch != null && scope != null) {
      throw new WrongUsage("--batch", batch, "either --batch or --scope");
    }
    if (batch != null) {
      return Scope.ofBatch(batch);
    }
    try {
      return scope == null ? Scope.ACTIVE : Scope.named(scope);
    } catch (IllegalArgumentException e) {
      throw new WrongUsage("--scope", scope, "active, latest or all");
    }
  }

  TraceFormat format() {
    try {
      return as == null ? null : Formats.named(as);
    } catch (IllegalArgumentException e) {
      throw new WrongUsage("--as", as, "xtuner, otlp, areal-sessions or areal-perf");
    }
  }
}
