package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.RemoteRun;
import io.rollscope.cli.render.Console;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.core.view.Scope;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that answers one question about a source. */
abstract class SourceCommand implements Callable<Integer> {
  private static final int SHOWN_BATCHES = 3;

  @Parameters(
      paramLabel = "SRC",
      arity = "0..*",
      description =
          "A folder, a file or a glob of traces, or a server's URL (default: the server that"
              + " runs here).")
  List<String> sources = List.of();

  @Mixin ReadOptions read;
  @Mixin ScopeOptions scope;
  @Mixin OutputOptions output;
  @Mixin TokenOption token;

  /** Opens the source; wrong options are refused before anything is read. */
  final OpenSource open(Console console) {
    scope.scope();
    return new OpenSource(sources, read, console);
  }

  /** The server that is meant, or null if it is folders. */
  final Api server() throws IOException {
    scope.scope();
    Api server = token.serverOf(sources);
    if (server != null) {
      read.refuseForServer();
    }
    return server;
  }

  /** Tells what else a server has; the exit code that follows from the report. */
  final int finish(RemoteRun run, SkippedLines skipped, Console console) {
    if (!output.quiet) {
      console.skipped(skipped);
      console.otherRuns(run.others());
    }
    return read.strict && skipped != null && skipped.count() > 0 ? 1 : 0;
  }

  /** Refuses a batch that the run does not have. */
  final void checkBatch(SpanTable table) {
    requireBatch(table, scope.scope());
  }

  static void requireBatch(SpanTable table, Scope scope) {
    if (scope.kind() != Scope.Kind.BATCH || scope.isIn(table)) {
      return;
    }
    List<String> known = Scope.batches(table);
    int all = known.size();
    String newest = String.join(", ", known.subList(Math.max(0, all - SHOWN_BATCHES), all));
    throw Failure.of(
        "--batch", scope.batch(), all == 0 ? "a run that names batches" : "one of … " + newest);
  }
}
