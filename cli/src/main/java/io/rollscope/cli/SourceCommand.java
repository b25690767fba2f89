package io.rollscope.cli;

import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.CsvReport;
import io.rollscope.cli.render.JsonReport;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that answers one question about a source. */
abstract class SourceCommand implements Callable<Integer> {
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
