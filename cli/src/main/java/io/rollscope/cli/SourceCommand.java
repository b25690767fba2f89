package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.render.Console;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.BatchesReport.Batch;
import io.rollscope.core.view.Scope;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that answers one question about a source. */
abstract class SourceCommand implements Callable<Integer> {
  private static final int KNOWN_BATCHES = 1_000;
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
  @Mixin NowOption now;
  @Mixin OutputOptions output;
  @Mixin TokenOption token;

  /** What is asked; wrong options are refused before anything is read. */
  final ReportRequest request() {
    return ReportRequest.of(scope.scope()).now(now.nanos());
  }

  final RunSource source(Console console) throws IOException {
    return source(sources, token, read, console);
  }

  static RunSource source(
      List<String> sources, TokenOption token, ReadOptions read, Console console)
      throws IOException {
    Api server = token.serverOf(sources);
    return server == null
        ? new OpenSource(sources, read, console)
        : new ServerSource(server, read, console);
  }

  /** Refuses a batch that the run does not have; to be asked when a report is empty. */
  static void requireBatch(RunReports run, Scope scope) throws IOException {
    if (scope.kind() != Scope.Kind.BATCH) {
      return;
    }
    List<String> known =
        run.batches(ReportRequest.of(Scope.ALL).limit(KNOWN_BATCHES)).batches().stream()
            .map(Batch::batch)
            .toList();
    if (!known.contains(scope.batch())) {
      throw Failure.of("--batch", scope.batch(), named(known));
    }
  }

  private static String named(List<String> known) {
    if (known.isEmpty()) {
      return "a run that names batches";
    }
    return "one of "
        + String.join(", ", known.subList(0, Math.min(SHOWN_BATCHES, known.size())))
        + (known.size() > SHOWN_BATCHES ? ", …" : "");
  }
}
