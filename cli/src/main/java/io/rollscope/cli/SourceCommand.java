package io.rollscope.cli;

import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.CsvReport;
import io.rollscope.cli.render.JsonReport;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that answers one question about a source. */
abstract class SourceCommand implements Callable<Integer> {
  @Mixin SourceOptions source;
  @Mixin OutputOptions output;

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
