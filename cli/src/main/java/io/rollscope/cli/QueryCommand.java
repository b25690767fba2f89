package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.QueryResult;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.CsvReport;
import io.rollscope.cli.render.JsonReport;
import io.rollscope.cli.render.TextTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** SQL over what a server keeps. */
@Command(
    name = "query",
    description = "Asks a server with SQL: one SELECT over spans, sessions, states and metrics.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The columns are in docs/storage.md. At most 100,000 rows, 30 seconds.",
      "",
      "Examples:",
      "  rollscope query 'select stage, count(*) n from spans group by 1 order by 2 desc'",
      "  rollscope query - --format csv < question.sql > answer.csv",
    })
final class QueryCommand implements Callable<Integer> {
  @Parameters(paramLabel = "SQL", description = "The SELECT; - reads it from standard input.")
  private String sql;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server (default: the one that runs here).")
  private String url;

  @Mixin private TokenOption token;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    Console console = Console.system(output.quiet);
    Api server = token.server("--url", url);
    String text = sql.equals("-") ? standardIn() : sql;
    if (text.isBlank()) {
      throw new WrongUsage("SQL", "empty", "a SELECT");
    }
    QueryResult result = QueryResult.ask(server, text);
    switch (output.format) {
      case JSON -> JsonReport.write(result, console.out());
      case CSV -> CsvReport.write(result.names(), result.rows(), console.out());
      case TABLE ->
          table(result).lines(console.width(), console.style()).forEach(console.out()::println);
    }
    console.out().flush();
    if (result.truncated() && !output.quiet) {
      console.note("there are more rows than " + result.rows().size() + "; these are the first");
    }
    return 0;
  }

  private static TextTable table(QueryResult result) {
    TextTable table = new TextTable();
    for (int c = 0; c < result.columns().size(); c++) {
      String name = Console.clean(result.columns().get(c).name());
      if (result.isNumeric(c)) {
        table.number(name);
      } else {
        table.text(name);
      }
    }
    result.rows().forEach(row -> table.row(row.toArray()));
    return table;
  }

  private static String standardIn() throws IOException {
    return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
  }
}
