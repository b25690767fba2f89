package io.rollscope.cli.render;

import java.io.PrintStream;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A list of records as CSV, with the same names as in JSON. */
public final class CsvReport {
  private CsvReport() {}

  /** Writes a header and one line per record; texts that a spreadsheet would run are defused. */
  public static void write(
      Class<? extends Record> type, List<? extends Record> rows, PrintStream out) {
    RecordComponent[] components = type.getRecordComponents();
    out.println(
        Arrays.stream(components)
            .map(c -> JsonReport.snakeCase(c.getName()))
            .collect(Collectors.joining(",")));
    for (Record row : rows) {
      out.println(
          Arrays.stream(components)
              .map(c -> field(JsonReport.valueOf(c, row)))
              .collect(Collectors.joining(",")));
    }
  }

  private static String field(Object value) {
    if (value == null) {
      return "";
    }
    String text = Console.clean(value.toString(), "\t\r\n");
    if (!(value instanceof Number) && !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0) {
      text = "'" + text;
    }
    boolean quoted = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
