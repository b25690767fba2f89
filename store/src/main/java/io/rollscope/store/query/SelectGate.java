package io.rollscope.store.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Lets exactly one SELECT pass (WITH, VALUES, FROM, DESCRIBE, SHOW and SUMMARIZE are such), as
 * DuckDB's own parser sees it, and of the functions that yield tables only harmless ones: {@code
 * enable_logging}, for one, writes files.
 */
final class SelectGate {
  private static final int MAX_LENGTH = 100_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Set<String> TABLE_FUNCTIONS =
      Set.of(
          "range",
          "generate_series",
          "unnest",
          "json_each",
          "json_tree",
          "duckdb_columns",
          "duckdb_functions",
          "duckdb_types");

  /** What makes much of nothing within one call, past DuckDB's memory limit. */
  private static final Set<String> AMPLIFIERS =
      Set.of(
          "repeat",
          "lpad",
          "rpad",
          "format",
          "printf",
          "bitstring",
          "list_resize",
          "array_resize",
          "range",
          "generate_series");

  private final Connection connection;

  SelectGate(Connection connection) {
    this.connection = connection;
  }

  /** The same SELECT as text that can stand within parentheses, without semicolons at its end. */
  String check(String sql) throws SqlRefusedException, SQLException {
    if (sql.length() > MAX_LENGTH) {
      throw new SqlRefusedException(
          "sql: " + sql.length() + " characters (expected: at most " + MAX_LENGTH + ")");
    }
    JsonNode parsed = parse(sql);
    if (parsed.path("error").asBoolean()) {
      throw refused(parsed);
    }
    JsonNode statements = parsed.path("statements");
    if (statements.size() != 1) {
      throw new SqlRefusedException(
          "sql: " + statements.size() + " statements (expected: one SELECT)");
    }
    checkFunctions(statements, false);
    return withoutSemicolon(sql, parsed);
  }

  private static SqlRefusedException refused(JsonNode parsed) {
    String said = parsed.path("error_message").asText();
    return new SqlRefusedException(
        parsed.path("error_type").asText().equals("parser")
            ? "sql: " + said + " (expected: one SELECT)"
            : "sql: not a SELECT (expected: one SELECT)");
  }

  private static void checkFunctions(JsonNode node, boolean ofTable) throws SqlRefusedException {
    String type = node.path("type").asText();
    if (type.equals("FUNCTION") || node.has("function_name")) {
      String name = node.path("function_name").asText().toLowerCase(Locale.ROOT);
      if (ofTable ? !TABLE_FUNCTIONS.contains(name) : AMPLIFIERS.contains(name)) {
        throw new SqlRefusedException(
            "sql: function "
                + name
                + (ofTable
                    ? " (expected: spans, sessions, states or metrics to select from)"
                    : " (expected: a SELECT without it)"));
      }
    }
    boolean table = type.equals("TABLE_FUNCTION");
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      checkFunctions(field.getValue(), table && field.getKey().equals("function"));
    }
    if (node.isArray()) {
      for (JsonNode element : node) {
        checkFunctions(element, false);
      }
    }
  }

  /** Semicolons may be followed by comments, and comments may hold semicolons. */
  private String withoutSemicolon(String sql, JsonNode parsed)
      throws SqlRefusedException, SQLException {
    String text = sql;
    while (true) {
      JsonNode within = parse("SELECT * FROM (\n" + text + "\n)");
      if (!within.path("error").asBoolean() && within.path("statements").size() == 1) {
        return text;
      }
      int last = text.lastIndexOf(';');
      text = last < 0 ? "" : text.substring(0, last);
      if (!parse(text).equals(parsed)) {
        throw new SqlRefusedException("sql: not a SELECT (expected: one that can be nested)");
      }
    }
  }

  private JsonNode parse(String sql) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT json_serialize_sql(?::VARCHAR)")) {
      statement.setString(1, sql);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return JSON.readTree(row.getString(1));
      }
    } catch (JsonProcessingException e) {
      throw new SQLException("json_serialize_sql", e);
    }
  }
}
