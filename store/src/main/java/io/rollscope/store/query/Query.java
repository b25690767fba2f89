package io.rollscope.store.query;

import io.rollscope.store.query.Snapshot.MetricSources;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** The statements that make one report, under one time limit for all of them. */
final class Query implements AutoCloseable {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** Makes something of the row a result stands on. */
  @FunctionalInterface
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Takes the rows of a result one by one. */
  @FunctionalInterface
  interface Taker {
    void take(ResultSet row) throws SQLException;
  }

  private final Snapshot snapshot;
  private final int limitSeconds;
  private final long deadline;
  private final Consumer<SQLException> failed;

  /**
   * @param failed told of statements that fail
   */
  Query(Snapshot snapshot, int limitSeconds, Consumer<SQLException> failed) {
    this.snapshot = snapshot;
    this.failed = failed;
    this.limitSeconds = limitSeconds;
    this.deadline = System.nanoTime() + limitSeconds * NANOS_PER_SECOND;
  }

  Object version(String run) {
    return snapshot.versions().of(run);
  }

  MetricSources metrics() {
    return snapshot.metrics();
  }

  <T> List<T> list(Sql sql, Row<T> row) throws SQLException {
    List<T> rows = new ArrayList<>();
    each(sql, r -> rows.add(row.read(r)));
    return rows;
  }

  /** The first row, or null when there is none. */
  <T> T first(Sql sql, Row<T> row) throws SQLException {
    List<T> rows = list(sql, row);
    return rows.isEmpty() ? null : rows.get(0);
  }

  void each(Sql sql, Taker taker) throws SQLException {
    try (PreparedStatement statement = prepare(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        taker.take(rows);
      }
    } catch (SQLException e) {
      failed.accept(e);
      throw e;
    }
  }

  /** Fills a temporary table. */
  DuckDBAppender appender(String table) throws SQLException {
    return ((DuckDBConnection) snapshot.connection()).createAppender("temp", "main", table);
  }

  void execute(Sql sql) throws SQLException {
    try (PreparedStatement statement = prepare(sql)) {
      statement.execute();
    } catch (SQLException e) {
      failed.accept(e);
      throw e;
    }
  }

  private PreparedStatement prepare(Sql sql) throws SQLException {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new SQLTimeoutException("report: " + limitSeconds + " s (expected: less)");
    }
    PreparedStatement statement = snapshot.connection().prepareStatement(sql.text());
    try {
      statement.setQueryTimeout((int) Math.max(1, left / NANOS_PER_SECOND));
      for (int i = 0; i < sql.values().size(); i++) {
        statement.setObject(i + 1, sql.values().get(i));
      }
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  @Override
  public void close() throws SQLException {
    snapshot.close();
  }
}
