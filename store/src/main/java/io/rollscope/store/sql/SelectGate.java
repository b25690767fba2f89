package io.rollscope.store.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Lets exactly one SELECT pass (WITH, VALUES, FROM, DESCRIBE, SHOW and SUMMARIZE are such), as
 * DuckDB's own parser sees it, over the tables and with the functions that are allowed: {@code
 * enable_logging}, for one, writes files.
 */
final class SelectGate {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_TABLES = 32;
  private static final int MAX_STARS = 16;
  private static final long MAX_SAMPLE = 100_000;

  private static final Set<String> TABLES = Set.of("spans", "sessions", "states", "metrics");
  private static final Set<String> CATALOG = Set.of("tables", "columns");
  private static final Set<String> SHOWN = Set.of("", "\"tables\"", "__show_tables_expanded");

  /** Names that are neither files nor DuckDB's own tables. */
  private static final Pattern CTE_NAME =
      Pattern.compile("(?!pg_|duckdb_|sqlite_|pragma_)[\\p{L}_][\\p{L}\\p{N}_]*");

  private final Connection connection;
  private final Set<String> ctes = new HashSet<>();
  private int tables;
  private int stars;

  private SelectGate(Connection connection) {
    this.connection = connection;
  }

  /** The same SELECT as text that can stand within parentheses, without semicolons at its end. */
  static String check(Connection connection, String sql) throws SqlRefusedException, SQLException {
    SqlText.check(sql);
    return new SelectGate(connection).pass(sql);
  }

  private String pass(String sql) throws SqlRefusedException, SQLException {
    String parsed = parse(sql);
    JsonNode tree = tree(parsed);
    if (tree.path("error").asBoolean()) {
      throw refused(tree);
    }
    JsonNode statements = tree.path("statements");
    if (statements.size() != 1) {
      throw new SqlRefusedException(
          "sql: " + statements.size() + " statements (expected: one SELECT)");
    }
    collectNames(statements);
    check(statements, false);
    return withoutSemicolon(sql, parsed);
  }

  private static SqlRefusedException refused(JsonNode parsed) {
    String message = parsed.path("error_message").asText();
    return new SqlRefusedException(
        parsed.path("error_type").asText().equals("parser")
            ? "sql: " + message + " (expected: one SELECT)"
            : "sql: not a SELECT (expected: one SELECT)");
  }

  private void collectNames(JsonNode node) throws SqlRefusedException {
    for (JsonNode cte : node.path("cte_map").path("map")) {
      String name = cte.path("key").asText().toLowerCase(Locale.ROOT);
      if (!CTE_NAME.matcher(name).matches()) {
        throw new SqlRefusedException("sql: WITH " + name + " (expected: a plain name)");
      }
      ctes.add(name);
    }
    for (JsonNode child : node) {
      collectNames(child);
    }
  }

  private void check(JsonNode node, boolean ofTable) throws SqlRefusedException {
    String type = node.path("type").asText();
    if (node.has("function_name")) {
      checkFunction(node.path("function_name").asText().toLowerCase(Locale.ROOT), ofTable);
    }
    switch (type) {
      case "BASE_TABLE" -> checkTable(node);
      case "SHOW_REF" -> checkShown(node);
      case "STAR" -> count(++stars, MAX_STARS, "*");
      default -> {}
    }
    checkSample(node.path("sample"));
    boolean table = type.equals("TABLE_FUNCTION");
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      check(field.getValue(), table && field.getKey().equals("function"));
    }
    if (node.isArray()) {
      for (JsonNode element : node) {
        check(element, false);
      }
    }
  }

  private static void checkFunction(String name, boolean ofTable) throws SqlRefusedException {
    if (ofTable && !SqlFunctions.TABLE.contains(name)) {
      throw new SqlRefusedException(
          "sql: function "
              + name
              + " (expected: spans, sessions, states or metrics to select from)");
    }
    if (!ofTable && !SqlFunctions.SCALAR.contains(name)) {
      throw new SqlRefusedException(
          "sql: function " + name + " (expected: one that docs/storage.md lists)");
    }
  }

  private void checkTable(JsonNode node) throws SqlRefusedException {
    count(++tables, MAX_TABLES, "tables");
    String schema = node.path("schema_name").asText().toLowerCase(Locale.ROOT);
    String name = node.path("table_name").asText().toLowerCase(Locale.ROOT);
    boolean allowed =
        switch (schema) {
          case "" -> TABLES.contains(name) || ctes.contains(name);
          case "information_schema" -> CATALOG.contains(name);
          default -> false;
        };
    if (!allowed || !node.path("catalog_name").asText().isEmpty()) {
      throw new SqlRefusedException(
          "sql: table "
              + (schema.isEmpty() ? name : schema + "." + name)
              + " (expected: spans, sessions, states or metrics)");
    }
  }

  private static void checkShown(JsonNode node) throws SqlRefusedException {
    String name = node.path("table_name").asText();
    if (!SHOWN.contains(name)) {
      throw new SqlRefusedException("sql: SHOW " + name + " (expected: SHOW TABLES)");
    }
  }

  /** A sample of a number of rows is kept in memory as a whole. */
  private static void checkSample(JsonNode sample) throws SqlRefusedException {
    if (sample.isObject() && !sample.path("is_percentage").asBoolean()) {
      double rows = sample.path("sample_size").path("value").asDouble(Double.MAX_VALUE);
      if (rows > MAX_SAMPLE) {
        throw new SqlRefusedException("sql: sample (expected: at most " + MAX_SAMPLE + " rows)");
      }
    }
    if (sample.isObject()
        && sample.path("is_percentage").asBoolean()
        && sample.path("method").asText().toLowerCase(Locale.ROOT).startsWith("reservoir")) {
      throw new SqlRefusedException(
          "sql: sample by reservoir (expected: a number of rows, bernoulli or system)");
    }
  }

  private static void count(int number, int most, String what) throws SqlRefusedException {
    if (number > most) {
      throw new SqlRefusedException("sql: more than " + most + " " + what + " (expected: fewer)");
    }
  }

  /** Semicolons may be followed by comments, and comments may hold semicolons. */
  private String withoutSemicolon(String sql, String parsed)
      throws SqlRefusedException, SQLException {
    String text = sql;
    while (true) {
      JsonNode within = tree(parse("SELECT * FROM (\n" + text + "\n)"));
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

  private String parse(String sql) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT json_serialize_sql(?::VARCHAR)")) {
      statement.setString(1, sql);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  private static JsonNode tree(String parsed) throws SqlRefusedException {
    try {
      return JSON.readTree(parsed);
    } catch (JsonProcessingException e) {
      throw new SqlRefusedException("sql: nested too deeply (expected: a simpler SELECT)");
    }
  }
}
