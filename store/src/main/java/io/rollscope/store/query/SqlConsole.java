package io.rollscope.store.query;

import io.rollscope.store.query.SqlResult.Column;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs users' SQL: one SELECT at a time, in a cage, for at most {@value #LIMIT_SECONDS} s, up to
 * {@value #MAX_ROWS} rows. Thread-safe; a second query waits for the first.
 */
public final class SqlConsole {
  static final int MAX_ROWS = 100_000;
  private static final int LIMIT_SECONDS = 30;

  /** What an answer may weigh: its text, and for each cell as much as an object takes. */
  private static final long MAX_BYTES = 64L << 20;

  private static final int CELL_BYTES = 16;

  private final CagedConnections cages;
  private final int limitSeconds;
  private final Semaphore turn = new Semaphore(1, true);

  public SqlConsole(CagedConnections cages) {
    this(cages, LIMIT_SECONDS);
  }

  SqlConsole(CagedConnections cages, int limitSeconds) {
    this.cages = cages;
    this.limitSeconds = limitSeconds;
  }

  /**
   * Runs a SELECT.
   *
   * @throws SqlRefusedException if it is no SELECT, does not work, or takes too much memory
   * @throws SQLTimeoutException if it takes too long
   */
  public SqlResult query(String sql) throws SqlRefusedException, SQLException {
    awaitTurn();
    try (Connection cage = cages.open()) {
      String select = new SelectGate(cage).check(sql);
      try {
        return run(cage, select);
      } catch (SQLTimeoutException e) {
        throw new SQLTimeoutException("sql: " + limitSeconds + " s (expected: less)");
      } catch (SQLException e) {
        throw new SqlRefusedException("sql: " + firstLineOf(e));
      }
    } finally {
      turn.release();
    }
  }

  private void awaitTurn() throws SQLException {
    try {
      if (!turn.tryAcquire(limitSeconds, TimeUnit.SECONDS)) {
        throw new SQLTimeoutException("sql: another query is running (expected: one at a time)");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("sql: interrupted", e);
    }
  }

  /** The answer is first made within the cage and its memory limit, then measured, then read. */
  private SqlResult run(Connection cage, String select) throws SQLException {
    try (Statement statement = cage.createStatement()) {
      statement.setQueryTimeout(limitSeconds);
      statement.execute(
          "CREATE TEMP TABLE answer AS SELECT * FROM (\n" + select + "\n) LIMIT " + (MAX_ROWS + 1));
      List<Column> columns = columns(statement);
      long rows = single(statement, "SELECT count(*) FROM answer");
      long fitting = Math.min(MAX_ROWS, fittingRows(statement, columns));
      return new SqlResult(columns, read(statement, columns, fitting), fitting < rows);
    }
  }

  private static List<Column> columns(Statement statement) throws SQLException {
    List<Column> columns = new ArrayList<>();
    try (ResultSet row = statement.executeQuery("DESCRIBE answer")) {
      while (row.next()) {
        columns.add(new Column(row.getString(1), row.getString(2)));
      }
    }
    return columns;
  }

  private static long fittingRows(Statement statement, List<Column> columns) throws SQLException {
    String weight =
        columns.stream()
            .filter(c -> isLong(SqlValues.of(c.type())))
            .map(c -> " + coalesce(strlen(" + quoted(c) + "::VARCHAR), 0)")
            .collect(Collectors.joining());
    return single(
        statement,
        "SELECT count(*) FROM (SELECT sum("
            + (long) CELL_BYTES * columns.size()
            + weight
            + ") OVER (ORDER BY rowid ROWS UNBOUNDED PRECEDING) AS weight FROM answer)"
            + " WHERE weight <= "
            + MAX_BYTES);
  }

  private static boolean isLong(SqlValues values) {
    return values == SqlValues.TEXT || values == SqlValues.NESTED;
  }

  private static List<List<Object>> read(Statement statement, List<Column> columns, long count)
      throws SQLException {
    List<SqlValues> values = columns.stream().map(c -> SqlValues.of(c.type())).toList();
    List<String> selected = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      selected.add(values.get(i).selected(quoted(columns.get(i))));
    }
    List<List<Object>> rows = new ArrayList<>();
    try (ResultSet row =
        statement.executeQuery(
            "SELECT "
                + String.join(", ", selected)
                + " FROM answer ORDER BY rowid LIMIT "
                + count)) {
      while (row.next()) {
        List<Object> cells = new ArrayList<>(columns.size());
        for (int i = 0; i < values.size(); i++) {
          cells.add(values.get(i).read(row, i + 1));
        }
        rows.add(cells);
      }
    }
    return rows;
  }

  private static long single(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static String quoted(Column column) {
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
