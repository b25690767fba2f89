package io.rollscope.store.query;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection whose views do not change while it is open.
 *
 * @param released told once it is closed
 */
public record Snapshot(Connection connection, Runnable released) implements AutoCloseable {
  @Override
  public void close() throws SQLException {
    try {
      connection.close();
    } finally {
      released.run();
    }
  }
}
