package io.rollscope.cli;

import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.CsvReport;
import io.rollscope.cli.render.JsonReport;
import io.rollscope.core.table.SpanTable;
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
      arity = "1..*",
      description = "A folder, a file or a glob of traces.")
  List<String> sources;

  @Mixin ReadOptions read;
  @Mixin ScopeOptions scope;
  @Mixin OutputOptions output;

  /** Opens the source; wrong options are refused before anything is read. */
  final OpenSource open(Console console) {
    scope.scope();
    return new OpenSource(sources, read, console);
  }

  /** Refuses a batch that the run does not have. */
  final void checkBatch(SpanTable table) {
    if (scope.batch == null || scope.scope().isIn(table)) {
      return;
    }
    List<String> known = Scope.batches(table);
    int all = known.size();
    String newest = String.join(", ", known.subList(Math.max(0, all - SHOWN_BATCHES), all));
    throw Failure.of(
        "--batch", scope.batch, all == 0 ? "a run that names batches" : "one of … " + newest);
  }

  /** Prints a report in the format asked for. */
  final <T extends Record> void print(
      Record report, Class<T> rowType, List<T> rows, Console console, List<String> table)
      throws IOException {
    switch (output.format) {
      case JSON -> JsonReport.write(report, console.out());
      case CSV -> CsvReport.write(rowType, rows, console.out());
      case TABLE -> table.forEach(console.out()::println);
    }
    console.out().flush();
  }
}
