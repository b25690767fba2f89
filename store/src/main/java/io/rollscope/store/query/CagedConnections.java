package io.rollscope.store.query;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Gives connections for users' SQL. Each is a DuckDB instance of its own in memory, never the
 * store's: tables with a copy of the hot rows, views {@code spans}, {@code sessions}, {@code
 * states} and {@code metrics} over them and the segment files, and then {@link Cage#lock}.
 */
@FunctionalInterface
public interface CagedConnections {
  /** To be closed by the caller, with all that was done on it. */
  Connection open() throws SQLException;
}
