package io.rollscope.cli.remote;

import io.rollscope.cli.render.JsonReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The answer to an SQL query.
 *
 * @param rows values in the order of the columns; numbers, texts, truth values or null
 * @param truncated whether there were more rows than a server gives
 */
public record QueryResult(List<Column> columns, List<List<Object>> rows, boolean truncated) {

  /** A column and DuckDB's name of its type. */
  public record Column(String name, String type) {}

  /** Asks a server. */
  public static QueryResult ask(Api server, String sql) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    JsonReport.write(Map.of("sql", sql), body);
    return server.post("/api/v1/query", body.toString(StandardCharsets.UTF_8), QueryResult.class);
  }

  public List<String> names() {
    return columns.stream().map(Column::name).toList();
  }

  /** Whether the values of a column are numbers. */
  public boolean isNumeric(int column) {
    return rows.stream().map(row -> row.get(column)).allMatch(v -> v == null || v instanceof Number)
        && rows.stream().anyMatch(row -> row.get(column) != null);
  }
}
