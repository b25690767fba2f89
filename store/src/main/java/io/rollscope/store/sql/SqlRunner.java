package io.rollscope.store.sql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Runs one SELECT of a user's and gives its rows one by one, at most {@value #MAX_ROWS}. */
final class SqlRunner {
  static final int MAX_ROWS = 100_000;

  /** What an answer may weigh: its text, and for each cell as much as an object takes. */
  private static final long MAX_BYTES = 64L << 20;

  private static final int CELL_BYTES = 16;

  /** Takes an answer. */
  interface Answer {
    void columns(List<SqlColumn> columns) throws IOException;

    /** Returns whether there is room for more. */
    boolean row(List<Object> cells) throws IOException;

    /**
     * @param truncated whether there are more rows, beyond the limit on rows or on size
     */
    void end(boolean truncated) throws IOException;
  }

  private final Connection connection;
  private final int limitSeconds;

  /**
   * @param connection one that is closed afterwards, of an instance that {@link SqlSandbox} locked
   */
  SqlRunner(Connection connection, int limitSeconds) {
    this.connection = connection;
    this.limitSeconds = limitSeconds;
  }

  /**
   * Runs a SELECT.
   *
   * @throws SqlRefusedException if it is no SELECT, does not work, or takes too much memory
   * @throws SQLTimeoutException if it takes too long
   */
  void run(String sql, Answer answer) throws SqlRefusedException, SQLException, IOException {
    String select = SelectGate.check(connection, sql);
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(limitSeconds);
      run(statement, select, answer);
    } catch (SQLTimeoutException e) {
      throw new SQLTimeoutException("sql: " + limitSeconds + " s (expected: less)");
    } catch (SQLException e) {
      throw new SqlRefusedException("sql: " + firstLineOf(e));
    }
  }

  /** The answer is first made within DuckDB and its memory limit, then measured, then read. */
  private static void run(Statement statement, String select, Answer answer)
      throws SQLException, SqlRefusedException, IOException {
    String nested = "SELECT * FROM (\n" + select + "\n)";
    List<SqlColumn> columns = columns(statement, "DESCRIBE " + nested);
    if (columns.size() > SqlText.MAX_COLUMNS) {
      throw new SqlRefusedException(
          "sql: " + columns.size() + " columns (expected: at most " + SqlText.MAX_COLUMNS + ")");
    }
    statement.execute("CREATE TEMP TABLE answer AS " + nested + " LIMIT " + (MAX_ROWS + 1));
    columns = columns(statement, "DESCRIBE answer");
    long rows = single(statement, "SELECT count(*) FROM answer");
    long fitting = Math.min(MAX_ROWS, fittingRows(statement, columns));
    answer.columns(columns);
    long given = read(statement, columns, fitting, answer);
    answer.end(given < rows);
  }

  private static List<SqlColumn> columns(Statement statement, String describe) throws SQLException {
    List<SqlColumn> columns = new ArrayList<>();
    try (ResultSet row = statement.executeQuery(describe)) {
      while (row.next()) {
        columns.add(new SqlColumn(row.getString(1), row.getString(2)));
      }
    }
    return columns;
  }

  private static long fittingRows(Statement statement, List<SqlColumn> columns)
      throws SQLException {
    String weight =
        columns.stream()
            .filter(c -> isLong(SqlValues.of(c.type())))
            .map(c -> " + coalesce(strlen(" + quoted(c) + "::VARCHAR), 0)")
            .collect(Collectors.joining());
    return single(
        statement,
        """
        SELECT count(*) FROM (
          SELECT sum(%d%s) OVER (ORDER BY rowid ROWS UNBOUNDED PRECEDING) AS weight FROM answer)
        WHERE weight <= %d"""
            .formatted((long) CELL_BYTES * columns.size(), weight, MAX_BYTES));
  }

  private static boolean isLong(SqlValues values) {
    return values == SqlValues.TEXT || values == SqlValues.NESTED;
  }

  /** Returns how many rows the answer took. */
  private static long read(Statement statement, List<SqlColumn> columns, long count, Answer answer)
      throws SQLException, IOException {
    List<SqlValues> values = columns.stream().map(c -> SqlValues.of(c.type())).toList();
    List<String> selected = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      selected.add(values.get(i).selected(quoted(columns.get(i))));
    }
    String sql =
        "SELECT " + String.join(", ", selected) + " FROM answer ORDER BY rowid LIMIT " + count;
    long given = 0;
    try (ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        List<Object> cells = new ArrayList<>(columns.size());
        for (int i = 0; i < values.size(); i++) {
          cells.add(values.get(i).read(row, i + 1));
        }
        given++;
        if (!answer.row(cells)) {
          break;
        }
      }
    }
    return given;
  }

  private static long single(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static String quoted(SqlColumn column) {
    return '"' + column.name().replace("\"", "\"\"") + '"';
  }

  /** Without what JDBC puts in front, and without the statement it is about, which is ours. */
  private static String firstLineOf(SQLException e) {
    String message = String.valueOf(e.getMessage());
    int inner = message.indexOf("\nError: ");
    String text = inner < 0 ? message : message.substring(inner + "\nError: ".length());
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
