package io.rollscope.cli.render;

import java.io.PrintStream;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A list of records as CSV, with the same names as in JSON. */
public final class CsvReport {
  private CsvReport() {}

  /** Writes a header and one line per record; texts that a spreadsheet would run are defused. */
  public static void write(
      Class<? extends Record> type, List<? extends Record> rows, PrintStream out) {
    out.println(
        columns(type).map(c -> JsonReport.snakeCase(c.getName())).collect(Collectors.joining(",")));
    for (Record row : rows) {
      out.println(fields(row).map(CsvReport::field).collect(Collectors.joining(",")));
    }
  }

  /** Writes a header and lines of values. */
  public static void write(List<String> names, List<List<Object>> rows, PrintStream out) {
    out.println(names.stream().map(CsvReport::field).collect(Collectors.joining(",")));
    for (List<Object> row : rows) {
      out.println(row.stream().map(v -> field(orEmpty(v))).collect(Collectors.joining(",")));
    }
  }

  /** A record within a record spreads into columns of its own; lists and maps have no place. */
  private static Stream<RecordComponent> columns(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .filter(CsvReport::isPlain)
        .flatMap(c -> c.getType().isRecord() ? columns(c.getType()) : Stream.of(c));
  }

  private static Stream<Object> fields(Record row) {
    return Arrays.stream(row.getClass().getRecordComponents())
        .filter(CsvReport::isPlain)
        .flatMap(
            c -> {
              Object value = JsonReport.valueOf(c, row);
              if (c.getType().isRecord() && value == null) {
                return columns(c.getType()).map(none -> "");
              }
              return value instanceof Record inner ? fields(inner) : Stream.of(orEmpty(value));
            });
  }

  private static boolean isPlain(RecordComponent c) {
    return c.getType() != List.class && c.getType() != Map.class;
  }

  private static Object orEmpty(Object value) {
    return value == null ? "" : value;
  }

  private static String field(Object value) {
    String written =
        value instanceof Double number && Double.isFinite(number)
            ? JsonReport.plain(number)
            : value.toString();
    String text = Console.clean(written, "\t\r\n");
    if (!(value instanceof Number) && !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0) {
      text = "'" + text;
    }
    boolean quoted = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
