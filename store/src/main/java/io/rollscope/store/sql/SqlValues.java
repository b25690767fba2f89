package io.rollscope.store.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Turns DuckDB's values into ones that JSON can hold without loss:
 *
 * <ul>
 *   <li>integers up to 2^53 and decimals of up to 15 digits as numbers, greater ones as strings;
 *   <li>floating point as numbers, but {@code "NaN"}, {@code "Infinity"}, {@code "-Infinity"};
 *   <li>lists as lists, maps and structs as maps, JSON as what it says;
 *   <li>times, intervals, ids, blobs and all else as DuckDB writes them.
 * </ul>
 */
enum SqlValues {
  BOOLEAN,
  INTEGER,
  FLOATING,
  DECIMAL,
  TEXT,
  NESTED;

  private static final Set<String> INTEGERS =
      Set.of(
          "TINYINT",
          "SMALLINT",
          "INTEGER",
          "BIGINT",
          "HUGEINT",
          "UTINYINT",
          "USMALLINT",
          "UINTEGER",
          "UBIGINT",
          "UHUGEINT");

  private static final BigInteger SAFE = BigInteger.ONE.shiftLeft(53);
  private static final int SAFE_DIGITS = 15;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** How values of a type are turned. */
  static SqlValues of(String type) {
    String upper = type.toUpperCase(Locale.ROOT);
    if (upper.endsWith("]")
        || upper.startsWith("STRUCT(")
        || upper.startsWith("MAP(")
        || upper.startsWith("UNION(")
        || upper.equals("JSON")) {
      return NESTED;
    }
    if (INTEGERS.contains(upper)) {
      return INTEGER;
    }
    if (upper.startsWith("DECIMAL(")) {
      return DECIMAL;
    }
    return switch (upper) {
      case "BOOLEAN" -> BOOLEAN;
      case "FLOAT", "DOUBLE" -> FLOATING;
      default -> TEXT;
    };
  }

  /** SQL that makes a column readable by {@link #read}. */
  String selected(String column) {
    return switch (this) {
      case BOOLEAN, FLOATING -> column;
      case INTEGER, DECIMAL, TEXT -> column + "::VARCHAR";
      case NESTED -> "to_json(" + column + ")::VARCHAR";
    };
  }

  Object read(ResultSet row, int column) throws SQLException {
    if (row.getObject(column) == null) {
      return null;
    }
    return switch (this) {
      case BOOLEAN -> row.getBoolean(column);
      case FLOATING -> floating(row.getDouble(column));
      case INTEGER -> integer(new BigInteger(row.getString(column)));
      case DECIMAL -> decimal(new BigDecimal(row.getString(column)));
      case TEXT -> row.getString(column);
      case NESTED -> nested(row.getString(column));
    };
  }

  private static Object floating(double value) {
    return Double.isFinite(value) ? (Object) value : Double.toString(value);
  }

  private static Object integer(BigInteger value) {
    return value.abs().compareTo(SAFE) <= 0 ? (Object) value.longValue() : value.toString();
  }

  private static Object decimal(BigDecimal value) {
    return value.precision() <= SAFE_DIGITS ? value : value.toPlainString();
  }

  private static Object nested(String json) throws SQLException {
    try {
      return plain(JSON.readTree(json));
    } catch (JsonProcessingException e) {
      return json; // Such as a list with NaN, which DuckDB writes although JSON has no word for it.
    }
  }

  private static Object plain(JsonNode node) {
    if (node.isObject()) {
      Map<String, Object> map = new LinkedHashMap<>();
      node.properties().forEach(f -> map.put(f.getKey(), plain(f.getValue())));
      return map;
    }
    if (node.isArray()) {
      List<Object> list = new ArrayList<>();
      node.forEach(element -> list.add(plain(element)));
      return list;
    }
    if (node.isIntegralNumber()) {
      return integer(node.bigIntegerValue());
    }
    if (node.isNumber()) {
      return node.doubleValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    return node.isNull() ? null : node.asText();
  }
}
